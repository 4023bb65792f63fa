// name: delete_rest_of_user
// mode: write
// returns: one
// param: workspace_id string
// param: user_id string
// param: limit integer — how many nodes one transaction removes
// column: deleted integer — below the limit when nothing is left
// why: whatever names the user outside of a conversation of theirs; memories and runs go by a way of their own before
CYPHER 25
MATCH (node:Message|Searchable|ConversationSummary|Distillation|PromptRun {workspace_id: $workspace_id})
WHERE (node.user_id = $user_id OR node.author_id = $user_id) AND NOT node:Memory AND NOT node:AgentSequence
WITH DISTINCT node
LIMIT $limit
CALL (node) {
  MATCH (job:Job {workspace_id: $workspace_id, subject_id: node.id})
  USING INDEX job:Job(workspace_id, subject_id)
  DETACH DELETE job
}
CALL (node) {
  MATCH (node)<-[:PART_OF]-(passage:Passage {workspace_id: $workspace_id})
  DETACH DELETE passage
}
DETACH DELETE node
RETURN count(*) AS deleted
