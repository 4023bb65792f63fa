// name: get_archive_identities
// mode: read
// returns: many
// param: workspace_id string
// param: refs list<string> — element ids
// param: label string — label of the nodes
// column: ref string
// column: properties map — properties that distinguish nodes of their label, and chains
// why: reads only identities, because texts and states would be large and do not identify a node
CYPHER 25
UNWIND $refs AS ref
MATCH (node {workspace_id: $workspace_id})
WHERE elementId(node) = ref AND $label IN labels(node)
RETURN ref, node {
    .id, .key, .name, .conversation_id, .position, .user_id, .agent_id,
    .dedup_key, .memory_id, .version, .slot, .ordinal, .session_id, .action_type, .node_type, .error_code, .metric, .day,
    .turn_scope, .source_conversation_id
  } AS properties
