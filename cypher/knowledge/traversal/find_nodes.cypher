// name: find_nodes
// mode: read
// returns: many
// param: workspace_id string
// param: scope map — as the fragment in_scope reads it
// param: ids list<string>
// param: kinds list<string> — labels of what may be found
// param: now datetime
// param: as_of datetime? — only nodes that were there then, and memories that were true; null: now
// column: node map — see graph.knowledge.traversal.models.FoundNode
// why: where a traversal starts; what is deleted or expired is not found
CYPHER 25
UNWIND $ids AS id
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
UNION
  MATCH (node:Message {workspace_id: $workspace_id, id: id})
  USING INDEX node:Message(workspace_id, id)
  RETURN node
UNION
  MATCH (node:ConversationSummary {workspace_id: $workspace_id, id: id})
  USING INDEX node:ConversationSummary(workspace_id, id)
  RETURN node
UNION
  MATCH (node:AgentAction {workspace_id: $workspace_id, id: id})
  USING INDEX node:AgentAction(workspace_id, id)
  RETURN node
UNION
  MATCH (node:AgentFailure {workspace_id: $workspace_id, id: id})
  USING INDEX node:AgentFailure(workspace_id, id)
  RETURN node
}
WITH node, head([label IN labels(node) WHERE label IN $kinds]) AS kind
WHERE kind IS NOT NULL AND coalesce(node.active, true) AND node.deleted_at IS NULL
  AND coalesce(node.expires_at > $now, true)
  // include: there_as_of of node
  // include: in_scope of node
RETURN DISTINCT {
    id: node.id, kind: kind, type: node.type,
    caption: coalesce(node.name, node.title, left(node.content, 80), left(node.summary, 80), left(node.search_text, 80),
                      node.action_type)
  } AS node
