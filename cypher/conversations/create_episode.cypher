// name: create_episode
// mode: write
// returns: one
// param: workspace_id string
// param: conversation_id string
// param: id string
// param: message_ids list<string>
// param: keeps_messages boolean
// param: properties map — see graph.conversations.episodes.service
// param: now datetime
// column: episode map
// why: one statement writes the summary and deletes or marks its messages, so that readers never see both or neither
CYPHER 25
MATCH (conversation:Conversation {workspace_id: $workspace_id, id: $conversation_id})
USING INDEX conversation:Conversation(workspace_id, id)
CALL (conversation) {
  CREATE (episode:Episode:Searchable {
    workspace_id: $workspace_id, id: $id, conversation_id: $conversation_id, active: true, is_deleted: false,
    search_kind: 'episode', revision: 1, state: 'STORED', created_at: $now
  })
  SET episode += $properties,
      episode.user_id = coalesce(conversation.user_id, ''), episode.agent_id = coalesce(conversation.agent_id, '')
  CREATE (episode)-[:SUMMARISES]->(conversation)
  RETURN episode
}
CALL () {
  UNWIND $message_ids AS message_id
  MATCH (message:Message {workspace_id: $workspace_id, conversation_id: $conversation_id, id: message_id})
  FOREACH (kept IN CASE WHEN $keeps_messages THEN [message] ELSE [] END | SET kept.episode_id = $id)
  FOREACH (gone IN CASE WHEN $keeps_messages THEN [] ELSE [message] END | DETACH DELETE gone)
}
RETURN episode {
  // include: episode_fields
} AS episode
