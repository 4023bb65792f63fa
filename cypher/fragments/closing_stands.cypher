// A slot's edge counts only once it and the other slots of the memory are closed, and until somebody reopens the memory.
AND (link.by IS NULL OR memory.t_invalid = memory.slot_closed_at)
