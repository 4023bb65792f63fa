// name: drop_vector_index_b
// mode: schema
// why: an index has one dimension and one quantisation for life
CYPHER 25
DROP INDEX vectors_b IF EXISTS
