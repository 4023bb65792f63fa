// The best of the memories found by their own words, and by their window: their words and those of the turns around them.
  UNWIND found AS row
  WITH row
  WHERE row.text_score > 0
  ORDER BY row.text_score DESC, row.id
  LIMIT $pool_limit
  RETURN row.memory AS memory
UNION
  UNWIND found AS row
  WITH row
  WHERE row.window_score > 0
  ORDER BY row.window_score DESC, row.id
  LIMIT $pool_limit
  RETURN row.memory AS memory
