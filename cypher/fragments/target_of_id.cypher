// The target of an action, found by id, if it is within the caller's scope.
CALL (id) {
  MATCH (node:Searchable {workspace_id: $workspace_id, id: id})
  USING INDEX node:Searchable(workspace_id, id)
  RETURN node
UNION
  MATCH (node:Conversation {workspace_id: $workspace_id, id: id})
  USING INDEX node:Conversation(workspace_id, id)
  RETURN node
UNION
  MATCH (node:Document {workspace_id: $workspace_id, id: id})
  USING INDEX node:Document(workspace_id, id)
  RETURN node
}
WITH *
WHERE NOT node:AgentSequence
  // include: in_scope of node
