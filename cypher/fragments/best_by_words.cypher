// The best of what was found by words, and by the words of the turns around.
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
