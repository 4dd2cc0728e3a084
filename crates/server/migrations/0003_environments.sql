-- Runtime recipes, and which of them an agent is given (contract section 9). Lists are JSON.
CREATE TABLE environments (
    id TEXT PRIMARY KEY,
    user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    name TEXT NOT NULL,
    slug TEXT NOT NULL,
    description TEXT,
    pip_packages TEXT NOT NULL,
    npm_packages TEXT NOT NULL,
    networking_mode TEXT NOT NULL,
    -- NULL unless the mode is `limited`.
    allowed_hosts TEXT,
    allow_package_managers BIGINT NOT NULL,
    status TEXT NOT NULL,
    available_in_all_projects BIGINT NOT NULL,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    UNIQUE (user_id, slug)
);

-- Without ON DELETE: an environment in use cannot go, so an assignment never dangles.
ALTER TABLE agents ADD COLUMN environment_id TEXT REFERENCES environments (id);
CREATE INDEX agents_environment ON agents (environment_id);
