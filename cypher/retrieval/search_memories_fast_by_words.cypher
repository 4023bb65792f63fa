// name: search_memories_fast_by_words
// mode: read
// returns: one
// param: workspace_id string
// param: scope map — in the form that the fragment in_scope reads
// param: text_queries list<map> — {index, query}: Lucene queries with workspace and users as required clauses
// param: search_limit integer — rows of the search, before the filter
// param: list_limit integer — memories of the list
// param: filter map — in the form that the fragment memory_filter reads
// param: now datetime
// param: rrf_k float — constant of reciprocal rank fusion, at least 0
// param: min_score float? — null: without vectors there are no cosines
// param: offset integer
// param: limit integer
// param: relation_limit integer — maximum relations per hit, the strongest first
// column: hits list<map> — see graph.retrieval.queries.FastHit; times as text
// column: total integer — number of ranked memories
// column: is_incomplete boolean — the search reached its limit, and the filter left fewer than the list holds
// why: a statement that names a vector index fails if the index is missing, even without searching it
CYPHER 25
// include: ranked_by_words
WITH by_words, words_incomplete, [] AS by_meaning
// include: page_by_ranks
RETURN hits, total, words_incomplete AS is_incomplete
