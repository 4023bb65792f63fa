// name: list_embedding_sources
// mode: read
// returns: many
// unscoped: one batch holds memories of several workspaces; each row is matched with its own
// param: subjects list<map> — {workspace_id, id}
// column: workspace_id string
// column: id string
// column: revision integer
// column: content string
// column: speaker string?
// column: words integer
// column: previous map? — {content, speaker} of the turn before
// column: following map? — {content, speaker} of the turn after
CYPHER 25
UNWIND $subjects AS subject
MATCH (memory:Memory {workspace_id: subject.workspace_id, id: subject.id})
OPTIONAL MATCH (previous:Memory {workspace_id: subject.workspace_id})-[:NEXT]->(memory)
OPTIONAL MATCH (memory)-[:NEXT]->(following:Memory {workspace_id: subject.workspace_id})
RETURN memory.workspace_id AS workspace_id, memory.id AS id, memory.revision AS revision, memory.content AS content,
       memory.speaker AS speaker, memory.words AS words, previous {.content, .speaker} AS previous,
       following {.content, .speaker} AS following
