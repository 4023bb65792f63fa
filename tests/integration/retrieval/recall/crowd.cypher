// Copies one memory often, each copy with an id and a vector of its own: the 10,000 of an isolation test in seconds.
// A copy becomes a Memory last, when nothing of it that must be unique is the template's any more.
CYPHER 25
MATCH (template:Memory {workspace_id: $workspace_id, id: $id})
UNWIND range(0, size($vectors) - 1) AS number
CREATE (copy)
SET copy = properties(template), copy.id = $id + '_' + $batch + '_' + number, copy.dedup_key = null
SET copy:Memory:Searchable
WITH copy, $vectors[number] AS vector
CALL db.create.setNodeVectorProperty(copy, $vector_property, vector)
