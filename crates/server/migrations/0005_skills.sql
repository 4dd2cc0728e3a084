-- Installed skills and their bindings to tenants, Works and agents (contract section 10).
CREATE TABLE skills (
    id TEXT PRIMARY KEY,
    user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    owner_type TEXT NOT NULL,
    -- The account's id for tenant ownership. No reference: owners are of several kinds.
    owner_id TEXT NOT NULL,
    slug TEXT NOT NULL,
    invocation_slug TEXT,
    title TEXT NOT NULL,
    description TEXT NOT NULL,
    -- JSON object.
    frontmatter TEXT NOT NULL,
    instructions_md TEXT NOT NULL,
    -- SHA-256 of `instructions_md` in hexadecimal.
    content_hash TEXT NOT NULL,
    source_path TEXT,
    source_catalog_slug TEXT,
    source_catalog_version TEXT,
    version TEXT NOT NULL,
    tenant_id TEXT,
    organization_id TEXT,
    -- Title, slug and description in lower case, for searching.
    search_text TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    UNIQUE (user_id, owner_type, owner_id, slug),
    UNIQUE (user_id, invocation_slug)
);
CREATE INDEX skills_recent ON skills (user_id, updated_at);

CREATE TABLE skill_bindings (
    id TEXT PRIMARY KEY,
    skill_id TEXT NOT NULL REFERENCES skills (id) ON DELETE CASCADE,
    user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    target_type TEXT NOT NULL,
    -- The target, or the empty text for the tenant: makes bindings unique per target.
    target_key TEXT NOT NULL,
    inject_into_agent BIGINT NOT NULL,
    inject_into_generator BIGINT NOT NULL,
    priority BIGINT NOT NULL,
    tenant_id TEXT,
    organization_id TEXT,
    created_at BIGINT NOT NULL,
    UNIQUE (skill_id, target_type, target_key)
);
CREATE INDEX skill_bindings_target ON skill_bindings (user_id, target_type, target_key);
