// name: list_tagged
// mode: read
// returns: many
// param: workspace_id string
// param: scope map — in the form that the fragment in_scope reads
// param: tag_query string — Lucene query of the index memory_tags, with the workspace as a clause
// param: filter map — in the form that the fragment memory_filter reads
// param: only_current boolean — exclude superseded memories
// param: now datetime
// param: offset integer
// param: limit integer
// column: id string
// why: tags give no score, so importance and then the event time order the rows
CYPHER 25
CALL db.index.fulltext.queryNodes('memory_tags', $tag_query) YIELD node AS memory
WHERE memory.workspace_id = $workspace_id
WITH memory
// include: by_importance
