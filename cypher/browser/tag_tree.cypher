// name: tag_tree
// mode: read
// returns: many
// param: workspace_id string
// param: tag string — root of the tree, such as 'project'; '' for the whole tree
// column: tag string
// column: depth integer
// column: memories integer — live ones with the tag or one below it
// column: examples list<node>
// why: the tree of tags, each with how many memories it has and some of them; the table shows the tree
CYPHER 25
MATCH (memory:Memory {workspace_id: $workspace_id})
WHERE memory.active
UNWIND memory.tag_prefixes AS tag
WITH tag, memory
WHERE tag STARTS WITH toLower($tag)
WITH tag, count(*) AS memories, collect(memory)[..3] AS examples
RETURN tag, size(split(replace(tag, '/', ':'), ':')) AS depth, memories, examples
ORDER BY tag
LIMIT 500
