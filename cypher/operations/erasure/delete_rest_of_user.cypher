// name: delete_rest_of_user
// mode: write
// returns: one
// param: workspace_id string
// param: user_id string
// param: limit integer — how many nodes one transaction removes
// column: deleted integer — below the limit when nothing is left
// why: whatever names the user outside of a conversation of theirs; memories go by a way of their own before
CYPHER 25
MATCH (node:Message|Searchable|ConversationSummary|Distillation {workspace_id: $workspace_id})
WHERE node.user_id = $user_id AND NOT node:Memory
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
