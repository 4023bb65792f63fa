// name: expand_nodes
// mode: read
// returns: many
// param: workspace_id string
// param: scope map — in the form that the fragment in_scope reads
// param: nodes list<map> — nodes to expand: {asked, id, conversation_id (of a message; null: not a message)}
// param: kinds list<string> — labels of the nodes that may be reached
// param: types list<string> — of the edges to follow; empty: any
// param: direction string — OUT, IN or BOTH, as the node expanded sees it
// param: passed_over list<string> — edge types that are followed only from memories
// param: examined integer — maximum edges examined per node
// param: fan_out integer — maximum of them that are followed, the strongest first
// param: now datetime
// param: as_of datetime? — only edges and nodes that existed then, and memories that were true; null: now
// column: from_id string — the node expanded, as it was asked for
// column: edge map? — null if nothing may be followed from the node: {type, is_outgoing, strength, id (or null)}
// column: node map? — see graph.knowledge.queries.NodeRow
// column: is_cut boolean — whether the node expanded may have more than is returned
// why: one step of a traversal; edges excluded by type or direction do not count as examined, so that they hide no
//   others; agents' actions on a node come after its relations
CYPHER 25
UNWIND $nodes AS named
WITH named, CASE WHEN named.conversation_id IS NULL THEN named.id END AS id
CALL (named, id) {
  MATCH (start:Searchable {workspace_id: $workspace_id, id: id})
  USING INDEX start:Searchable(workspace_id, id)
  RETURN start
UNION
  MATCH (start:Conversation {workspace_id: $workspace_id, id: id})
  USING INDEX start:Conversation(workspace_id, id)
  RETURN start
UNION
  MATCH (start:Document {workspace_id: $workspace_id, id: id})
  USING INDEX start:Document(workspace_id, id)
  RETURN start
UNION
  MATCH (start:Message {workspace_id: $workspace_id, conversation_id: named.conversation_id, id: named.id})
  USING INDEX start:Message(workspace_id, conversation_id, id)
  RETURN start
UNION
  MATCH (start:ConversationSummary {workspace_id: $workspace_id, id: id})
  USING INDEX start:ConversationSummary(workspace_id, id)
  RETURN start
UNION
  MATCH (start:AgentAction {workspace_id: $workspace_id, id: id})
  USING INDEX start:AgentAction(workspace_id, id)
  RETURN start
UNION
  MATCH (start:AgentFailure {workspace_id: $workspace_id, id: id})
  USING INDEX start:AgentFailure(workspace_id, id)
  RETURN start
}
WITH named, start
WHERE true
  // include: in_scope of start
CALL (start) {
  MATCH (start)-[edge]-(node)
  WHERE node.workspace_id = $workspace_id
    AND ($types = [] OR type(edge) IN $types)
    AND (NOT type(edge) IN $passed_over OR start:Memory)
    AND ($direction = 'BOTH' OR ($direction = 'OUT') = (startNode(edge) = start))
  WITH edge, node LIMIT $examined
  WITH collect({edge: edge, node: node}) AS examined
  CALL (examined) {
    UNWIND examined AS beside
    WITH beside.edge AS edge, beside.node AS node
    WITH edge, node, head([label IN labels(node) WHERE label IN $kinds]) AS kind
    WHERE kind IS NOT NULL AND coalesce(node.active, true) AND node.deleted_at IS NULL
      AND coalesce(node.expires_at > $now, true)
      AND ($as_of IS NULL OR coalesce(edge.created_at <= $as_of, true))
      // include: there_as_of of node
      // include: in_scope of node
    WITH edge, node, kind
    ORDER BY type(edge) = 'TARGETED', coalesce(edge.strength, 1.0) DESC, node.id, type(edge)
    RETURN collect({edge: edge, node: node, kind: kind}) AS admitted
  }
  WITH admitted[..$fan_out] AS followed,
    size(examined) = $examined OR size(admitted) > $fan_out AS is_cut
  UNWIND CASE followed WHEN [] THEN [null] ELSE followed END AS beside
  RETURN beside.edge AS edge, beside.node AS node, beside.kind AS kind, is_cut
}
RETURN named.asked AS from_id,
  CASE WHEN edge IS NOT NULL THEN {
    type: type(edge), is_outgoing: startNode(edge) = start, strength: edge.strength, id: edge.id
  } END AS edge,
  CASE WHEN node IS NOT NULL THEN {
    id: node.id, conversation_id: CASE kind WHEN 'Message' THEN node.conversation_id END, kind: kind, type: node.type,
    caption: coalesce(node.name, node.title, left(node.content, 80), left(node.summary, 80), left(node.search_text, 80),
                      node.action_type)
  } END AS node,
  is_cut
