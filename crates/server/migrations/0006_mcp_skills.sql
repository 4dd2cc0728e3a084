-- Skills that MCP servers publish: what was approved and what checks found. A skill is the pair of
-- connection and address of its SKILL.md. Contents of files are kept nowhere.

CREATE TABLE mcp_skill_approvals (
    connection_id TEXT NOT NULL REFERENCES mcp_connections (id) ON DELETE CASCADE,
    uri TEXT NOT NULL,
    -- The approved files (JSON list of uri, digest, size): the approval is bound to this set.
    files TEXT NOT NULL,
    approved_at BIGINT NOT NULL,
    approved_by TEXT NOT NULL,
    -- When another set was seen, and how it differed (JSON); an approval that ended stays ended.
    revoked_at BIGINT,
    changes TEXT,
    PRIMARY KEY (connection_id, uri)
);

CREATE TABLE mcp_skill_checks (
    connection_id TEXT NOT NULL REFERENCES mcp_connections (id) ON DELETE CASCADE,
    uri TEXT NOT NULL,
    -- JSON object: address of a file to what a fetch found.
    files TEXT NOT NULL,
    PRIMARY KEY (connection_id, uri)
);
