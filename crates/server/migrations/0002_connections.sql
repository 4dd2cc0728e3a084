-- MCP connections: the registry, each agent's own state of them, and what is known of the servers.

CREATE TABLE mcp_connections (
    id TEXT PRIMARY KEY,
    user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    name TEXT NOT NULL,
    -- The address; for stdio the command line as it is shown.
    url TEXT NOT NULL,
    transport TEXT NOT NULL,
    -- The program and its arguments (a JSON list), stdio only.
    command TEXT,
    args TEXT,
    enabled BIGINT NOT NULL,
    source TEXT NOT NULL,
    -- Names only; the values are in `mcp_headers`.
    auth_header_names TEXT NOT NULL,
    -- What the tenant-wide binding says; NULL when there is none.
    tenant_binding BIGINT,
    last_connected_at BIGINT,
    last_error TEXT,
    -- What the server said of itself when it was last reached.
    protocol_version TEXT,
    era TEXT,
    server_name TEXT,
    server_version TEXT,
    skills BIGINT,
    directory_read BIGINT NOT NULL DEFAULT 0,
    -- The last listing of its tools; the tools are in `mcp_tools`.
    tool_count BIGINT,
    tools_truncated BIGINT NOT NULL DEFAULT 0,
    tools_read_at BIGINT,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    UNIQUE (user_id, name)
);

-- Values of auth headers. They are sent to servers and therefore kept as they are, in a file only
-- the owner of the data directory can read; only the connector reads this table.
CREATE TABLE mcp_headers (
    connection_id TEXT PRIMARY KEY REFERENCES mcp_connections (id) ON DELETE CASCADE,
    headers TEXT NOT NULL
);

CREATE TABLE mcp_tools (
    connection_id TEXT PRIMARY KEY REFERENCES mcp_connections (id) ON DELETE CASCADE,
    tools TEXT NOT NULL
);

CREATE TABLE mcp_overrides (
    connection_id TEXT NOT NULL REFERENCES mcp_connections (id) ON DELETE CASCADE,
    agent_id TEXT NOT NULL REFERENCES agents (id) ON DELETE CASCADE,
    enabled BIGINT NOT NULL,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    PRIMARY KEY (connection_id, agent_id)
);
CREATE INDEX mcp_overrides_agent ON mcp_overrides (agent_id);
