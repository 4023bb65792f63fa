// Properties of a candidate for the ranking; see graph.retrieval.recall.candidates.Candidate.
type: memory.type, words: memory.words, is_question: memory.is_question, first_person: memory.first_person,
has_time: memory.has_time, has_number: memory.has_number, names: memory.names,
speaker: memory.speaker, at: memory.timestamp.epochSeconds,
statement: CASE WHEN memory.turn_scope IS NULL AND memory.words <= $query.statement_words THEN memory.content END,
slots: CASE WHEN $query.asks_for_slot AND memory.state_keys IS NOT NULL
            THEN memory {.speaker, .user_id, .agent_id, .state_keys} END,
importance: memory.importance, usage_count: memory.usage_count,
age_days: duration.inDays(memory.created_at, $now).days,
mentions: [(memory)-[:MENTIONS]->(entity:Entity {workspace_id: $workspace_id}) WHERE entity IN named | entity.id],
closed_by: [(memory)-[link:INVALIDATED_BY]->(successor:Memory {workspace_id: $workspace_id})
            WHERE link.by = 'slot'
              AND (memory.t_invalid = memory.slot_closed_at OR any(term IN $query.terms WHERE link.ended_terms CONTAINS term))
              AND successor.active
              // include: in_scope of successor
            | successor.id],
superseded_by:
  // include: successors
