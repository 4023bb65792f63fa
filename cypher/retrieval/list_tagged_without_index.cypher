// name: list_tagged_without_index
// mode: read
// returns: many
// param: workspace_id string
// param: scope map — in the form that the fragment in_scope reads
// param: filter map — in the form that the fragment memory_filter reads; names the tags
// param: only_current boolean — exclude superseded memories
// param: now datetime
// param: offset integer
// param: limit integer
// column: id string
// why: reads every memory of the workspace, for stores whose full-text index of tags is missing
CYPHER 25
MATCH (memory:Memory {workspace_id: $workspace_id})
// include: by_importance
