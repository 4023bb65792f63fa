// name: list_linking_sources
// mode: read
// returns: many
// unscoped: one batch contains memories of several workspaces; each row is matched within its own
// param: subjects list<map> — {workspace_id, id}
// column: source map — see graph.knowledge.linking.models.LinkingSource
// why: the text of a turn may name speakers of adjacent turns, who are people
CYPHER 25
UNWIND $subjects AS subject
MATCH (memory:Memory {workspace_id: subject.workspace_id, id: subject.id})
USING INDEX memory:Memory(workspace_id, id)
OPTIONAL MATCH (previous WHERE previous.workspace_id = subject.workspace_id AND previous.active)-[:NEXT]->(memory)
OPTIONAL MATCH (memory)-[:NEXT]->(following WHERE following.workspace_id = subject.workspace_id AND following.active)
RETURN memory {
    .workspace_id, .id, .version, .content, is_turn: memory.turn_scope IS NOT NULL,
    speakers: [speaker IN [memory.speaker, previous.speaker, following.speaker] WHERE speaker IS NOT NULL]
  } AS source
