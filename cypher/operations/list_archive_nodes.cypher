// name: list_archive_nodes
// mode: read
// returns: many
// param: workspace_id string
// param: user_id string? — whose alone, with what they said in conversations of others; null: all of the workspace
// param: labels list<string> — that say what a node is
// param: filler_prefix string — of the ids of tombstones that an erasure writes and deletes again
// column: label string
// column: refs list<string> — element ids, valid as long as the nodes exist
// why: lists element ids first, so that later queries read pages, and no transaction stays open while a caller reads
//   slowly
CYPHER 25
MATCH (node:Memory|Passage|MemoryVersion|Conversation|ConversationSummary|Message|Tombstone|AgentAction|AgentSequence|AgentTally
            |AgentFailure|AgentBenchmark|Metric|Searchable|EntityType|RelationType|Connection|EntityMerge|Document|PromptRun
            |Distillation|Setting|AutomaticChange {workspace_id: $workspace_id})
WHERE NOT (node.id STARTS WITH $filler_prefix AND node:Tombstone)
  // include: archived_for_user of node
WITH DISTINCT node
RETURN [label IN $labels WHERE label IN labels(node)][0] AS label, collect(elementId(node)) AS refs
