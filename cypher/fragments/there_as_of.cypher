AND ($as_of IS NULL OR (coalesce(memory.created_at, memory.recorded_at, memory.first_seen_at, $as_of) <= $as_of
                        AND coalesce(memory.t_valid <= $as_of, true) AND coalesce(memory.t_invalid > $as_of, true)))
