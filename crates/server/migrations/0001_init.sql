-- The first schema. Only what SQLite and PostgreSQL both accept; moments are milliseconds since
-- 1970-01-01 UTC, lists and documents are JSON text, tokens are kept as SHA-256 in hexadecimal.

CREATE TABLE tenants (
    id TEXT PRIMARY KEY,
    name TEXT NOT NULL,
    created_at BIGINT NOT NULL
);

CREATE TABLE users (
    id TEXT PRIMARY KEY,
    username TEXT NOT NULL,
    slug TEXT NOT NULL,
    email TEXT NOT NULL,
    -- The address in lower case, by which an account is found.
    email_key TEXT NOT NULL UNIQUE,
    -- NULL for an account that signs in by link only.
    password_hash TEXT,
    tenant_id TEXT REFERENCES tenants (id),
    last_organization_id TEXT,
    -- Number of the account's latest change; see `changes`.
    change_sequence BIGINT NOT NULL DEFAULT 0,
    created_at BIGINT NOT NULL
);

CREATE TABLE sessions (
    token_hash TEXT PRIMARY KEY,
    user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    created_at BIGINT NOT NULL,
    expires_at BIGINT NOT NULL
);
CREATE INDEX sessions_user ON sessions (user_id);
CREATE INDEX sessions_expiry ON sessions (expires_at);

CREATE TABLE api_keys (
    id TEXT PRIMARY KEY,
    user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    name TEXT NOT NULL,
    prefix TEXT NOT NULL,
    key_hash TEXT NOT NULL UNIQUE,
    expires_at BIGINT,
    last_used_at BIGINT,
    created_at BIGINT NOT NULL
);
CREATE INDEX api_keys_user ON api_keys (user_id);

CREATE TABLE organizations (
    id TEXT PRIMARY KEY,
    tenant_id TEXT NOT NULL REFERENCES tenants (id),
    slug TEXT NOT NULL,
    display_name TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    UNIQUE (tenant_id, slug)
);

CREATE TABLE works (
    id TEXT PRIMARY KEY,
    user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    slug TEXT NOT NULL,
    name TEXT NOT NULL,
    description TEXT NOT NULL,
    owner TEXT,
    tenant_id TEXT,
    organization_id TEXT,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    UNIQUE (user_id, slug)
);

CREATE TABLE agents (
    id TEXT PRIMARY KEY,
    user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    scope TEXT NOT NULL,
    mission_id TEXT,
    idea_id TEXT,
    work_id TEXT REFERENCES works (id),
    -- The scope's parent, or the empty text for tenant agents: makes names unique per scope.
    parent_key TEXT NOT NULL,
    tenant_id TEXT,
    organization_id TEXT,
    name TEXT NOT NULL,
    slug TEXT NOT NULL,
    title TEXT,
    -- Name, slug and title in lower case, for searching.
    search_text TEXT NOT NULL,
    capabilities TEXT,
    ai_provider_id TEXT,
    model_id TEXT,
    max_skill_context_tokens BIGINT NOT NULL,
    memory_recall_enabled BIGINT NOT NULL,
    status TEXT NOT NULL,
    permissions TEXT NOT NULL,
    targets TEXT,
    heartbeat_cadence TEXT,
    idle_behavior TEXT NOT NULL,
    next_heartbeat_at BIGINT,
    last_run_at BIGINT,
    last_run_status TEXT,
    error_count BIGINT NOT NULL,
    pause_after_failures BIGINT NOT NULL,
    avatar_mode TEXT NOT NULL,
    avatar_icon TEXT,
    avatar_image_upload_id TEXT,
    committer_name TEXT,
    committer_email TEXT,
    reports_to_agent_id TEXT REFERENCES agents (id) ON DELETE SET NULL,
    scorecard TEXT,
    merge_policy TEXT,
    init_script TEXT,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    UNIQUE (user_id, scope, parent_key, slug)
);
CREATE INDEX agents_recent ON agents (user_id, updated_at);
CREATE INDEX agents_lead ON agents (reports_to_agent_id);

CREATE TABLE agent_targets (
    agent_id TEXT NOT NULL REFERENCES agents (id) ON DELETE CASCADE,
    target_type TEXT NOT NULL,
    target_id TEXT NOT NULL,
    PRIMARY KEY (agent_id, target_type, target_id)
);

CREATE TABLE tool_grants (
    id TEXT PRIMARY KEY,
    user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    scope_type TEXT NOT NULL,
    scope_id TEXT NOT NULL,
    allow_patterns TEXT,
    deny_patterns TEXT,
    note TEXT,
    tenant_id TEXT,
    organization_id TEXT,
    revision BIGINT NOT NULL,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    UNIQUE (user_id, scope_type, scope_id)
);

CREATE TABLE activities (
    id TEXT PRIMARY KEY,
    user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    -- The change sequence of the write that is recorded; orders entries of one moment.
    sequence BIGINT NOT NULL,
    work_id TEXT,
    -- The agent in whose feed the entry is shown. No reference: entries outlive the agent.
    agent_id TEXT,
    action_type TEXT NOT NULL,
    summary TEXT NOT NULL,
    details TEXT NOT NULL,
    tenant_id TEXT,
    organization_id TEXT,
    created_at BIGINT NOT NULL
);
CREATE INDEX activities_user ON activities (user_id, sequence);
CREATE INDEX activities_agent ON activities (agent_id, sequence);

CREATE TABLE changes (
    user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    sequence BIGINT NOT NULL,
    body TEXT NOT NULL,
    PRIMARY KEY (user_id, sequence)
);
