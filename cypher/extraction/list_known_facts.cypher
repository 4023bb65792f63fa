// name: list_known_facts
// mode: read
// returns: many
// param: workspace_id string
// param: keys list<string>
// param: now datetime
// column: fact map — see graph.extraction.models.KnownFact
CYPHER 25
UNWIND $keys AS key
MATCH (memory:Memory {workspace_id: $workspace_id, key: key})
WHERE memory.deleted_at IS NULL AND (memory.expires_at IS NULL OR memory.expires_at > $now)
RETURN memory {.key, .source_type, .metadata} AS fact
