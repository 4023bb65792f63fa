"""What callers reach: GraphQL, REST, MCP and the chat proxy, and what they share."""
