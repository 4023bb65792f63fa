// Whether deduplication compares a memory: it is valid, or only a newer statement of its slot ended it.
(coalesce(memory.t_invalid > $now, true) OR memory.t_invalid = memory.slot_closed_at)
