// name: delete_episode
// mode: write
// returns: optional
// param: workspace_id string
// param: scope map — in the form that the fragment in_scope reads
// param: conversation_id string
// param: id string
// column: id string
// why: keeps the node, because it lists the messages that must not be captured again
CYPHER 25
MATCH (episode:Searchable {id: $id, workspace_id: $workspace_id})
WHERE episode:Episode AND episode.conversation_id = $conversation_id AND NOT episode.is_deleted
  // include: in_scope of episode
SET episode.is_deleted = true, episode.active = false
WITH episode
CALL (episode) {
  MATCH (episode)<-[:PART_OF]-(passage:Passage {workspace_id: $workspace_id})
  SET passage.active = false
}
RETURN episode.id AS id
