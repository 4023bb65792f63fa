"""The surfaces that callers reach, GraphQL, REST, MCP and the chat proxy, and their shared parts."""
