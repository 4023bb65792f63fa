// name: claim_contents
// mode: write
// returns: many
// param: workspace_id string
// param: hashes list<string> — content hashes of what is about to be saved
// param: dedup_keys list<string>
// param: ids list<string> — memories whose vectors are near
// param: now datetime
// column: memory map
// column: content_hash string
// column: dedup_key string?
// why: read in the transaction that saves; a memory that is gone or no longer believed gives its dedup_key back
CYPHER 25
CALL () {
  UNWIND $hashes AS hash
  MATCH (memory:Memory {workspace_id: $workspace_id, content_hash: hash})
  USING INDEX memory:Memory(workspace_id, content_hash)
  RETURN memory
UNION
  UNWIND $dedup_keys AS dedup_key
  MATCH (memory:Memory {workspace_id: $workspace_id, dedup_key: dedup_key})
  USING INDEX memory:Memory(workspace_id, dedup_key)
  RETURN memory
UNION
  UNWIND $ids AS id
  MATCH (memory:Memory {workspace_id: $workspace_id, id: id})
  USING INDEX memory:Memory(workspace_id, id)
  RETURN memory
}
WITH memory,
     memory.active AND memory.turn_scope IS NULL
     AND coalesce(memory.expires_at > $now, true)
     AND
       // include: compared
     AND NOT
       // include: has_successor
     AS is_live
FOREACH (_ IN CASE WHEN is_live OR memory.dedup_key IS NULL THEN [] ELSE [1] END | SET memory.dedup_key = null)
WITH memory, is_live
WHERE is_live
RETURN
  memory {
    // include: memory_fields
  } AS memory,
  memory.content_hash AS content_hash,
  memory.dedup_key AS dedup_key
