// name: list_profile_facts
// mode: read
// returns: many
// param: workspace_id string
// param: scope map — in the form that the fragment in_scope reads
// param: user_id string — empty: data that belongs to no user
// param: doubtful_below float — minimum confidence of an extracted fact
// param: other_parts list<string> — speakers, in lower case, that do not speak for the user
// param: pinned_query string — over the index memory_tags, with the workspace as a clause
// param: kinds list<string> — entity types to list
// param: newest integer — number of newest memories that are searched for people and projects
// param: now datetime
// param: limit integer
// column: fact map — see graph.retrieval.profile.models.ProfileFact; facts about slots and standing facts first, then the
//   newest
// why: one statement reads all that a profile is made of, and nothing that recalls or counters change; indexes find what
//   may belong to it, since reading all memories of a user takes a second for 20,000
CYPHER 25
CALL () {
  MATCH (memory:Memory {workspace_id: $workspace_id, user_id: $user_id})
  USING INDEX memory:Memory(workspace_id, user_id, slot_keys)
  WHERE memory.slot_keys IS NOT NULL AND memory.slot_keys <> []
  RETURN memory, 3 AS rank
UNION ALL
  CALL db.index.fulltext.queryNodes('memory_tags', $pinned_query) YIELD node AS memory
  WHERE memory.workspace_id = $workspace_id AND memory.user_id = $user_id
  RETURN memory, 2 AS rank
UNION ALL
  MATCH (memory:Memory {workspace_id: $workspace_id, user_id: $user_id})
  USING INDEX memory:Memory(workspace_id, user_id, facet, type)
  WHERE memory.facet = 'preference' AND memory.type IS NOT NULL
  RETURN memory, 1 AS rank
UNION ALL
  MATCH (memory:Memory {workspace_id: $workspace_id, user_id: $user_id})
  USING INDEX memory:Memory(workspace_id, user_id, facet, type)
  WHERE memory.facet IN ['skill', 'objective', 'context'] AND memory.type IN ['Preference', 'Style']
  RETURN memory, 1 AS rank
UNION ALL
  MATCH (memory:Memory {workspace_id: $workspace_id, user_id: $user_id})
  USING INDEX memory:Memory(workspace_id, user_id, timestamp)
  WHERE memory.timestamp IS NOT NULL
  WITH memory
  ORDER BY memory.workspace_id DESC, memory.user_id DESC, memory.timestamp DESC
  LIMIT $newest
  WHERE EXISTS {
    MATCH (memory)-[:MENTIONS]->(entity:Entity {workspace_id: $workspace_id})
    WHERE entity.active AND entity.type IN $kinds
  }
  RETURN memory, 0 AS rank
}
WITH memory, collect(rank) AS ranks
WITH memory, 3 IN ranks AS is_stated, 2 IN ranks AS is_standing,
     2 IN ranks OR 1 IN ranks AS is_preference, 0 IN ranks AS is_mention
ORDER BY is_stated DESC, is_standing DESC, coalesce(memory.t_valid, memory.timestamp) DESC, memory.id
WITH memory, is_stated, is_standing, is_preference, is_mention
WHERE memory.active AND memory.turn_scope IS NULL
  AND coalesce(memory.expires_at > $now, true)
  AND coalesce(memory.t_valid <= $now, true)
  AND NOT (memory.source_type = 'extracted' AND memory.confidence < $doubtful_below)
  AND NOT coalesce(toLower(memory.speaker), '') IN $other_parts
  AND (is_stated OR ((is_preference OR is_mention) AND coalesce(memory.t_invalid > $now, true)))
  // include: in_scope
WITH memory, is_standing, is_preference
LIMIT $limit
CALL (memory) {
  OPTIONAL MATCH (memory)-[:MENTIONS]->(entity:Entity {workspace_id: $workspace_id})
  WHERE entity.active AND entity.type IN $kinds
  RETURN collect(CASE WHEN entity IS NOT NULL THEN {id: entity.id, name: entity.name, type: entity.type} END) AS mentions
}
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
