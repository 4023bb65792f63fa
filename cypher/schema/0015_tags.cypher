// name: 0015_tags
// mode: schema
// why: a range index holds a list as a whole, so whole tag prefixes are terms of a full-text index
CYPHER 25
CREATE FULLTEXT INDEX memory_tags IF NOT EXISTS FOR (n:Memory) ON EACH [n.tag_prefixes, n.workspace_id] OPTIONS {indexConfig: {`fulltext.analyzer`: 'keyword', `fulltext.eventually_consistent`: false}}
