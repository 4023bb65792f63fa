// An edge that the timeline of a slot drew counts once all the memory says is over, and until somebody opens it again.
AND (link.by IS NULL OR memory.t_invalid = memory.slot_closed_at)
