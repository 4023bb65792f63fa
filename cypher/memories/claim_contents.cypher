// name: claim_contents
// mode: write
// returns: many
// param: workspace_id string
// param: hashes list<string> — content hashes of the drafts
// param: dedup_keys list<string>
// param: ids list<string> — memories with near vectors
// param: now datetime
// column: memory map
// column: content_hash string
// column: dedup_key string?
// why: runs in the transaction that saves; removes the dedup_key of deleted and of superseded memories, so that the draft
//   can have it
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
