// name: list_known_facts
// mode: read
// returns: many
// param: workspace_id string
// param: scope map — in the form that the fragment in_scope reads
// param: user_id string — owner of the keys; empty: the whole workspace
// param: agent_ids list<string> — agents that own the keys; an empty id: all agents of the user
// param: keys list<string>
// param: hashes list<string> — content hashes of the facts to save
// param: now datetime
// column: fact map — see graph.conversations.extraction.models.KnownFact; shared facts come first
// why: checks only the users of the scope, not its agents: each agent knows the facts that all agents of the user share
CYPHER 25
CALL () {
  UNWIND $keys AS key
  UNWIND $agent_ids AS agent_id
  MATCH (memory:Memory {workspace_id: $workspace_id, user_id: $user_id, agent_id: agent_id, key: key})
  USING INDEX memory:Memory(workspace_id, user_id, agent_id, key)
  RETURN memory
UNION
  UNWIND $hashes AS hash
  MATCH (memory:Memory {workspace_id: $workspace_id, content_hash: hash})
  USING INDEX memory:Memory(workspace_id, content_hash)
  WHERE memory.turn_scope IS NULL AND memory.user_id = $user_id AND memory.agent_id IN $agent_ids
  RETURN memory
}
WITH memory
WHERE memory.deleted_at IS NULL AND (memory.expires_at IS NULL OR memory.expires_at > $now)
  AND ($scope.users IS NULL OR memory.user_id IN $scope.users)
RETURN memory {
    .id, .agent_id, .key, .content, .content_hash, .source_type, .metadata, .timestamp, .t_invalid,
    is_superseded:
      // include: superseded
  } AS fact
ORDER BY memory.agent_id
