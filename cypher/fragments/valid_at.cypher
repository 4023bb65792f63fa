AND ($filter.valid_at IS NULL OR (coalesce(memory.t_valid, $filter.valid_at) <= $filter.valid_at
                                  AND coalesce(memory.t_invalid > $filter.valid_at, true)))
