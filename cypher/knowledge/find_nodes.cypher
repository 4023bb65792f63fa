// name: find_nodes
// mode: read
// returns: many
// param: workspace_id string
// param: scope map — in the form that the fragment in_scope reads
// param: nodes list<map> — {asked, id, kind (null: any), conversation_id (of a message; null: of whichever)}
// param: kinds list<string> — labels of the nodes that may be found
// param: now datetime
// param: as_of datetime? — only nodes that existed then, and memories that were true; null: now
// column: asked string
// column: node map — see graph.knowledge.queries.NodeRow; at most two of what was asked, messages last
// why: finds the start of a traversal; skips deleted and expired nodes
CYPHER 25
UNWIND $nodes AS named
WITH named, CASE WHEN named.conversation_id IS NULL THEN named.id END AS id
CALL (named, id) {
  CALL (named, id) {
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
    MATCH (node:Message {workspace_id: $workspace_id, conversation_id: named.conversation_id, id: named.id})
    USING INDEX node:Message(workspace_id, conversation_id, id)
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
  WHERE kind IS NOT NULL AND coalesce(kind = named.kind, true) AND coalesce(node.active, true)
    AND node.deleted_at IS NULL AND coalesce(node.expires_at > $now, true)
    // include: there_as_of of node
    // include: in_scope of node
  RETURN node, kind
  ORDER BY kind = 'Message'
  LIMIT 2
}
RETURN named.asked AS asked, {
    id: node.id, conversation_id: CASE kind WHEN 'Message' THEN node.conversation_id END, kind: kind, type: node.type,
    caption: coalesce(node.name, node.title, left(node.content, 80), left(node.summary, 80), left(node.search_text, 80),
                      node.action_type)
  } AS node
