// Whether nobody has said that a memory ended; what a newer statement closed is history, and compared with what is saved.
(coalesce(memory.t_invalid > $now, true) OR memory.t_invalid = memory.slot_closed_at)
