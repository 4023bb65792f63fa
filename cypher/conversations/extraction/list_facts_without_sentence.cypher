// name: list_facts_without_sentence
// mode: read
// returns: many
// unscoped: the facts of every workspace are brought up to date at a start; each is changed in its own
// allow: NodeByLabelScan — once in the life of a store, until it is noted as done
// param: limit integer
// column: workspace_id string
// column: id string
// why: release 0.1 kept what a fact is about for its content, and its sentence in its metadata
CYPHER 25
MATCH (memory:Memory)
WHERE memory.source_type = 'extracted' AND memory.metadata CONTAINS '"statement": '
RETURN memory.workspace_id AS workspace_id, memory.id AS id
LIMIT $limit
