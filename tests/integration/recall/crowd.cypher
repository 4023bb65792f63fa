// Copies one memory often, each copy with a vector of its own: the 10,000 of an isolation test in seconds.
CYPHER 25
MATCH (template:Memory {workspace_id: $workspace_id, id: $id})
UNWIND range(0, size($vectors) - 1) AS number
CREATE (copy:Memory)
SET copy = properties(template), copy.id = $id + '_' + $batch + '_' + number
WITH copy, $vectors[number] AS vector
CALL db.create.setNodeVectorProperty(copy, $vector_property, vector)
