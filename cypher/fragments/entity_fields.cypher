.id, .workspace_id, .key, .type, .name, .aliases, .description, .summary, .properties, .uri, .state,
.created_at, .updated_at, .deleted_at, .revision, by_hand: coalesce(memory.by_hand, true),
connection_ids: [(memory)-[:FROM]->(connection:Connection {workspace_id: $workspace_id}) | connection.id]
