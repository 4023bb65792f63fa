// name: list_known_facts
// mode: read
// returns: many
// param: workspace_id string
// param: user_id string — whose keys; empty: what is shared
// param: keys list<string>
// param: hashes list<string> — content hashes of what is about to be saved
// param: now datetime
// column: fact map — see graph.conversations.extraction.models.KnownFact
CYPHER 25
CALL () {
  UNWIND $keys AS key
  MATCH (memory:Memory {workspace_id: $workspace_id, user_id: $user_id, key: key})
  USING INDEX memory:Memory(workspace_id, user_id, key)
  RETURN memory
UNION
  UNWIND $hashes AS hash
  MATCH (memory:Memory {workspace_id: $workspace_id, content_hash: hash})
  USING INDEX memory:Memory(workspace_id, content_hash)
  WHERE memory.turn_scope IS NULL AND memory.user_id = $user_id
  RETURN memory
}
WITH memory
WHERE memory.deleted_at IS NULL AND (memory.expires_at IS NULL OR memory.expires_at > $now)
RETURN memory {.key, .content_hash, .source_type, .metadata} AS fact
