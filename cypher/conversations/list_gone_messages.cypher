// name: list_gone_messages
// mode: read
// returns: many
// param: workspace_id string
// param: conversation_id string
// param: ids list<string>
// param: positions list<integer>
// param: texts list<string> — hash, space and role of each message
// column: id string
// column: position integer
// column: text string — hash, space and role
// why: messages that an episode replaced or that lost their text stay known permanently, so a client that sends the whole
//   conversation again does not restore them; find_same_texts covers the texts of existing messages
CYPHER 25
CALL () {
  MATCH (episode:Episode {workspace_id: $workspace_id, conversation_id: $conversation_id})
  USING INDEX episode:Episode(workspace_id, conversation_id)
  WITH episode.source_message_ids AS ids, episode.source_positions AS positions, episode.source_texts AS texts
  UNWIND [place IN range(0, size(positions) - 1)
          WHERE ids[place] IN $ids OR positions[place] IN $positions OR texts[place] IN $texts] AS place
  RETURN ids[place] AS id, positions[place] AS position, texts[place] AS text
UNION ALL
  MATCH (conversation:Conversation {workspace_id: $workspace_id, id: $conversation_id})
  USING INDEX conversation:Conversation(workspace_id, id)
  WHERE conversation.texts_removed_up_to IS NOT NULL
  CALL () {
    UNWIND $ids AS id
    MATCH (message:Message {workspace_id: $workspace_id, conversation_id: $conversation_id, id: id})
    RETURN message
  UNION
    UNWIND $positions AS position
    MATCH (message:Message {workspace_id: $workspace_id, conversation_id: $conversation_id, position: position})
    RETURN message
  }
  WITH conversation, message
  WHERE 0 <= message.position <= conversation.texts_removed_up_to
    AND message.content IS NULL AND message.content_hash IS NOT NULL
  RETURN message.id AS id, message.position AS position, message.content_hash + ' ' + coalesce(message.role, '') AS text
}
RETURN id, position, text
