// name: create_vector_index_b
// mode: schema
// param: options map — {indexConfig: {…}} with dimension and quantisation
// why: the filters on workspace and user work inside the index; search_kind does too, since a label is only checked afterwards
CYPHER 25
CREATE VECTOR INDEX vectors_b IF NOT EXISTS FOR (n:Searchable|Passage) ON n.embedding_b
WITH [n.workspace_id, n.active, n.search_kind, n.user_id]
OPTIONS $options
