// name: move_conversation
// mode: write
// returns: optional
// unscoped: moves a conversation between two workspaces that the caller may write; each node is matched in its current workspace
// param: workspace_id string — current workspace of the conversation
// param: scope map — in the form that the fragment in_scope reads
// param: id string
// param: target_id string — target workspace
// param: api_key_id string — key of the target workspace that becomes the owner of nodes owned by an API key
// param: now datetime
// column: user_id string — owner of the conversation; empty: the whole workspace
// column: memory_ids list<string> — ids of the moved memories
// column: live_ids list<string> — ids of the moved memories that are not deleted
// column: slot_keys list<string> — slot keys of the moved memories
// why: one statement moves everything that belongs to a conversation; it creates the jobs again in the target, so that a
//   worker that still runs the old job has no effect; it deletes edges to nodes that stay; a moved memory loses its key if
//   a memory of the target has that key
CYPHER 25
MATCH (conversation:Conversation {workspace_id: $workspace_id, id: $id})
WHERE true
  // include: in_scope of conversation
// include: lock of conversation
WITH conversation
WHERE conversation['workspace_id'] = $workspace_id
CALL () {
  MATCH (memory:Memory {workspace_id: $workspace_id, source_conversation_id: $id})
  USING INDEX memory:Memory(workspace_id, source_conversation_id)
  // include: lock of memory
  RETURN collect(memory) AS memories
}
CALL (memories) {
  UNWIND memories AS memory
  CALL (memory) {
    MATCH (part:MemoryVersion {workspace_id: $workspace_id, memory_id: memory.id})
    USING INDEX part:MemoryVersion(workspace_id, memory_id)
    RETURN part
  UNION ALL
    MATCH (memory)<-[:PART_OF]-(part:Passage {workspace_id: $workspace_id})
    RETURN part
  }
  RETURN collect(part) AS memory_parts
}
CALL () {
  CALL () {
    MATCH (part:Message {workspace_id: $workspace_id, conversation_id: $id})
    USING INDEX SEEK part:Message(workspace_id, conversation_id, id)
    WHERE part.id IS NOT NULL
    RETURN part
  UNION ALL
    MATCH (part:Episode {workspace_id: $workspace_id, conversation_id: $id})
    RETURN part
  UNION ALL
    MATCH (part:ConversationSummary {workspace_id: $workspace_id, conversation_id: $id})
    RETURN part
  UNION ALL
    MATCH (part:Distillation {workspace_id: $workspace_id, conversation_id: $id})
    RETURN part
  }
  RETURN collect(part) AS conversation_parts
}
CALL (memories) {
  UNWIND memories AS memory
  MATCH (owner:Memory {
    workspace_id: $target_id, user_id: memory.user_id, agent_id: memory.agent_id, key: memory.key
  })
  USING INDEX owner:Memory(workspace_id, user_id, agent_id, key)
  SET memory.key = null, memory.folded_key = null, memory.key_is_derived = false
}
CALL (memories) {
  UNWIND memories AS memory
  MATCH (same:Memory {workspace_id: $target_id, dedup_key: memory.dedup_key})
  USING INDEX same:Memory(workspace_id, dedup_key)
  SET memory.dedup_key = null
}
CALL (conversation, memories) {
  UNWIND [conversation] + memories AS subject
  MATCH (change:AutomaticChange {workspace_id: $workspace_id, subject_id: subject.id})
  USING INDEX change:AutomaticChange(workspace_id, subject_id)
  FOREACH (_ IN CASE WHEN change.cause_id IS NULL THEN [] ELSE [1] END | SET change.words = null, change.is_final = true)
  RETURN collect(change) AS changes
}
WITH conversation, memories, [conversation] + memories + memory_parts + conversation_parts + changes AS moved
CALL (moved) {
  UNWIND moved AS node
  MATCH (waiting:Job {workspace_id: $workspace_id, subject_id: node.id})
  USING INDEX waiting:Job(workspace_id, subject_id)
  WHERE waiting.kind IN ['EMBED', 'DISTILL', 'RESTATE', 'SYNTHESIZE'] OR waiting.kind STARTS WITH 'EXTRACT'
  WITH waiting.kind AS kind, node.id AS subject_id,
       CASE waiting.state WHEN 'PENDING' THEN waiting.due_at ELSE $now END AS due_at, waiting
  DETACH DELETE waiting
  CREATE (job:Job {workspace_id: $target_id, kind: kind, subject_id: subject_id})
  SET job.due_at = due_at,
      // include: new_job
}
CALL (memories) {
  UNWIND memories AS memory
  OPTIONAL MATCH (waiting:Job {workspace_id: $workspace_id, kind: 'LINK', subject_id: memory.id})
  DETACH DELETE waiting
  CREATE (job:Job {workspace_id: $target_id, kind: 'LINK', subject_id: memory.id})
  SET job.due_at = $now,
      // include: new_job
}
FOREACH (memory IN memories |
  SET memory.enriched = false, memory.linked_version = null,
      memory.state = CASE memory.state WHEN 'LINKED' THEN 'EMBEDDED' ELSE memory.state END)
FOREACH (node IN moved |
  SET node.workspace_id = $target_id,
      node.api_key_id = CASE WHEN node.api_key_id IS NULL THEN null ELSE $api_key_id END)
WITH conversation, memories, moved
CALL (moved) {
  UNWIND moved AS node
  MATCH (node)-[edge]-(other WHERE other.workspace_id = $workspace_id)
  DELETE edge
}
RETURN coalesce(conversation.user_id, '') AS user_id, [memory IN memories | memory.id] AS memory_ids,
       [memory IN memories WHERE memory.deleted_at IS NULL | memory.id] AS live_ids,
       reduce(keys = [], memory IN memories | keys + coalesce(memory.slot_keys, [])) AS slot_keys
