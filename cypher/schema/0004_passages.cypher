// name: 0004_passages
// mode: schema
// why: a long memory's passages are found by their memory when it changes, and by their slot when that is dropped
CYPHER 25
CREATE INDEX passage_slot IF NOT EXISTS FOR (n:Passage) ON (n.slot)
