// name: list_gone_messages
// mode: read
// returns: many
// param: workspace_id string
// param: conversation_id string
// column: ids list<string>
// column: positions list<integer>
// column: texts list<string> — hash, space and role of each message
// why: what was rolled up into an episode or lost its text is known for ever, so that a page that sends all of it does
//      not bring it back
CYPHER 25
CALL () {
  MATCH (episode:Episode {workspace_id: $workspace_id, conversation_id: $conversation_id})
  RETURN episode.source_message_ids AS ids, episode.source_positions AS positions, episode.source_texts AS texts
UNION ALL
  MATCH (conversation:Conversation {workspace_id: $workspace_id, id: $conversation_id})
  WHERE conversation.texts_removed_up_to IS NOT NULL
  MATCH (message:Message {workspace_id: $workspace_id, conversation_id: $conversation_id})
  WHERE 0 <= message.position <= conversation.texts_removed_up_to
    AND message.content IS NULL AND message.content_hash IS NOT NULL
  RETURN
    collect(message.id) AS ids, collect(message.position) AS positions,
    collect(message.content_hash + ' ' + coalesce(message.role, '')) AS texts
}
RETURN ids, positions, texts
