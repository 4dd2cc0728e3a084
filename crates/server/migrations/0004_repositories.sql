-- The repository registry and what is attached to agents (contract section 8).
CREATE TABLE repositories (
    id TEXT PRIMARY KEY,
    user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    name TEXT NOT NULL,
    url TEXT NOT NULL,
    provider TEXT NOT NULL,
    default_branch TEXT,
    mount_path TEXT,
    description TEXT,
    credential_mode TEXT NOT NULL,
    -- A pointer such as `env:NAME`, never a token.
    credential_ref TEXT,
    available_in_all_projects BIGINT NOT NULL,
    enabled BIGINT NOT NULL,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    UNIQUE (user_id, name)
);

-- Apart from the registry, so that reading a row never touches the contents.
CREATE TABLE repository_env_files (
    repository_id TEXT NOT NULL REFERENCES repositories (id) ON DELETE CASCADE,
    position BIGINT NOT NULL,
    path TEXT NOT NULL,
    content TEXT NOT NULL,
    -- Bytes of UTF-8 in `content`.
    size BIGINT NOT NULL,
    PRIMARY KEY (repository_id, position),
    UNIQUE (repository_id, path)
);

CREATE TABLE agent_repositories (
    agent_id TEXT NOT NULL REFERENCES agents (id) ON DELETE CASCADE,
    repository_id TEXT NOT NULL REFERENCES repositories (id) ON DELETE CASCADE,
    enabled BIGINT NOT NULL,
    created_at BIGINT NOT NULL,
    PRIMARY KEY (agent_id, repository_id)
);
CREATE INDEX agent_repositories_repository ON agent_repositories (repository_id);
