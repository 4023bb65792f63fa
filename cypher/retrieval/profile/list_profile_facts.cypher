// name: list_profile_facts
// mode: read
// returns: many
// param: workspace_id string
// param: scope map — as the fragment in_scope reads it
// param: user_id string — empty: what belongs to no user
// param: doubtful_below float — confidence that an extracted fact needs
// param: other_parts list<string> — speakers, in small letters, that do not speak for the user
// param: kinds list<string> — types of entities that are listed
// param: now datetime
// param: limit integer
// column: fact map — see graph.retrieval.profile.models.ProfileFact; those about slots and standing ones first, then the
//   newest
// why: one statement reads all that a profile is made of, and nothing that recalls or counters change
CYPHER 25
MATCH (memory:Memory {workspace_id: $workspace_id, user_id: $user_id})
USING INDEX memory:Memory(workspace_id, user_id)
WHERE memory.active AND memory.turn_scope IS NULL
  AND coalesce(memory.expires_at > $now, true)
  AND coalesce(memory.t_valid <= $now, true)
  AND NOT (memory.source_type = 'extracted' AND memory.confidence < $doubtful_below)
  AND NOT coalesce(toLower(memory.speaker), '') IN $other_parts
  // include: in_scope
OPTIONAL MATCH (memory)-[:MENTIONS]->(entity:Entity {workspace_id: $workspace_id})
WHERE entity.active AND entity.type IN $kinds
WITH memory,
     collect(CASE WHEN entity IS NOT NULL THEN {id: entity.id, name: entity.name, type: entity.type} END) AS mentions,
     coalesce(memory.slot_keys, []) <> [] AS is_stated,
     coalesce('pinned' IN memory.tag_prefixes, false) AS is_standing
WITH memory, mentions, is_stated, is_standing,
     is_standing OR memory.facet = 'preference' OR memory.type IN ['Preference', 'Style'] AS is_preference
WHERE is_stated OR ((is_preference OR mentions <> []) AND coalesce(memory.t_invalid > $now, true))
WITH memory, mentions, is_stated, is_standing, is_preference
ORDER BY is_stated DESC, is_standing DESC, coalesce(memory.t_valid, memory.timestamp) DESC, memory.id
LIMIT $limit
OPTIONAL MATCH (memory)-[link:INVALIDATED_BY|EVOLVED_INTO]->(successor:Memory {workspace_id: $workspace_id})
WHERE
  // include: live_successor
WITH memory, mentions, is_standing, is_preference,
     collect(CASE WHEN link IS NOT NULL THEN {by: link.by, key: link.key} END) AS closings
RETURN memory {
    .id, .content, .speaker, .user_id, .agent_id, .timestamp, .t_valid, .version, .source_type, .source_conversation_id,
    .source_message_id, .slot_keys, .importance, is_standing: is_standing, is_preference: is_preference,
    mentions: mentions, closings: closings, has_ended: coalesce(memory.t_invalid <= $now, false),
    is_closed: coalesce(memory.t_invalid = memory.slot_closed_at, false),
    is_opened: memory.slot_closed_at IS NOT NULL AND memory.t_invalid IS NULL
  } AS fact
