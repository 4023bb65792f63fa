// name: 0080_deletion_suggestions
// mode: schema
// why: memories that a language model proposes to delete, the latest proposals first; a person decides
CYPHER 25
CREATE INDEX memory_deletion_suggested IF NOT EXISTS FOR (n:Memory) ON (n.workspace_id, n.deletion_suggested_at)
