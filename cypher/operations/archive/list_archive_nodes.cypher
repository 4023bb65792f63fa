// name: list_archive_nodes
// mode: read
// returns: many
// param: workspace_id string
// param: user_id string? — whose alone; null: all of the workspace
// param: labels list<string> — that say what a node is
// column: label string
// column: refs list<string> — element ids, which hold for as long as the nodes are there
// why: element ids first, so that what follows is read in pages and no transaction stays open while a caller reads slowly
CYPHER 25
MATCH (node:Memory|Passage|MemoryVersion|Conversation|ConversationSummary|Message|Tombstone|AgentAction|AgentSequence|AgentTally
            |AgentFailure|AgentBenchmark|Metric|Searchable|EntityType|RelationType|Connection|EntityMerge|Document|PromptRun
            |Distillation|Setting|AgentCheckpointThread|AgentCheckpoint|AgentCheckpointWrite {workspace_id: $workspace_id})
WHERE $user_id IS NULL OR node.user_id = $user_id
   OR EXISTS {
        MATCH (memory:Memory {workspace_id: $workspace_id, id: node.memory_id})
        WHERE memory.user_id = $user_id
      }
   OR EXISTS {
        MATCH (conversation:Conversation {workspace_id: $workspace_id, id: node.conversation_id})
        WHERE conversation.user_id = $user_id
      }
WITH DISTINCT node
RETURN [label IN $labels WHERE label IN labels(node)][0] AS label, collect(elementId(node)) AS refs
