// name: delete_rest_of_user
// mode: write
// returns: one
// param: workspace_id string
// param: user_id string
// param: limit integer — maximum nodes removed in one transaction
// param: now datetime
// column: deleted integer — below the limit if nothing is left
// why: deletes all remaining nodes that name the user, after other queries have deleted memories, runs and most
//   passages; links the neighbours of a deleted message in another user's conversation; a worker that has just read
//   such a conversation saves nothing and reads it again
CYPHER 25
CALL () {
  MATCH (node:Message {workspace_id: $workspace_id, user_id: $user_id})
  USING INDEX SEEK node:Message(workspace_id, user_id)
  RETURN node LIMIT $limit
  UNION
  MATCH (node:Message {workspace_id: $workspace_id, author_id: $user_id})
  USING INDEX SEEK node:Message(workspace_id, author_id)
  RETURN node LIMIT $limit
  UNION
  MATCH (node:Episode {workspace_id: $workspace_id, user_id: $user_id})
  USING INDEX SEEK node:Episode(workspace_id, user_id)
  RETURN node LIMIT $limit
  UNION
  MATCH (node:ConversationSummary {workspace_id: $workspace_id, user_id: $user_id})
  USING INDEX SEEK node:ConversationSummary(workspace_id, user_id)
  RETURN node LIMIT $limit
  UNION
  MATCH (node:Distillation {workspace_id: $workspace_id, user_id: $user_id})
  USING INDEX SEEK node:Distillation(workspace_id, user_id)
  RETURN node LIMIT $limit
  UNION
  MATCH (node:PromptRun {workspace_id: $workspace_id, user_id: $user_id})
  USING INDEX SEEK node:PromptRun(workspace_id, user_id)
  RETURN node LIMIT $limit
  UNION
  MATCH (node:AutomaticChange {workspace_id: $workspace_id, user_id: $user_id})
  USING INDEX SEEK node:AutomaticChange(workspace_id, user_id)
  RETURN node LIMIT $limit
  UNION
  MATCH (node:Passage {workspace_id: $workspace_id, user_id: $user_id})
  USING INDEX SEEK node:Passage(workspace_id, user_id)
  WHERE NOT EXISTS { (node)-[:PART_OF]->(:Searchable {workspace_id: $workspace_id}) }
  RETURN node LIMIT $limit
}
WITH node
LIMIT $limit
CALL (node) {
  MATCH (job:Job {workspace_id: $workspace_id, subject_id: node.id})
  USING INDEX job:Job(workspace_id, subject_id)
  DETACH DELETE job
}
CALL (node) {
  MATCH (node)-[:PART_OF]->(conversation:Conversation {workspace_id: $workspace_id})
  SET conversation.rereads = coalesce(conversation.rereads, 0) + 1
  WITH conversation
  MATCH (job:Job {workspace_id: $workspace_id, subject_id: conversation.id})
  USING INDEX job:Job(workspace_id, subject_id)
  WHERE job.kind STARTS WITH 'EXTRACT' AND job.state = 'RUNNING'
  SET
    // include: job_again
}
CALL (node) {
  MATCH (node)<-[:PART_OF]-(passage:Passage {workspace_id: $workspace_id})
  DETACH DELETE passage
}
CALL (node) {
  OPTIONAL MATCH (earlier:Message {workspace_id: $workspace_id})-[:NEXT]->(node)
  OPTIONAL MATCH (node)-[:NEXT]->(later:Message {workspace_id: $workspace_id})
  FOREACH (_ IN CASE WHEN earlier IS NULL OR later IS NULL THEN [] ELSE [1] END | CREATE (earlier)-[:NEXT]->(later))
  DETACH DELETE node
}
RETURN count(*) AS deleted
