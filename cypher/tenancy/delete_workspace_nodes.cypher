// name: delete_workspace_nodes
// mode: write
// returns: one
// param: workspace_id string
// param: limit integer — maximum nodes removed in one transaction
// column: deleted integer — below the limit if nothing is left
// why: deletes a large workspace in bounded transactions, the workspace's node last
CYPHER 25
MATCH (node:Memory|Passage|MemoryVersion|Conversation|ConversationSummary|Message|Job|ApiKey|Tombstone|AgentAction|AgentSequence|AgentTally
            |AgentFailure|AgentBenchmark|Metric|Searchable|EntityType|RelationType|Connection|EntityMerge|Document|PromptRun|Distillation|Setting
            |EventWebhook|EventWebhookDelivery|AutomaticChange {workspace_id: $workspace_id})
WITH node LIMIT $limit
DETACH DELETE node
RETURN count(*) AS deleted
