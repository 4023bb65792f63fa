// The best of the found memories that mention entities named by the query.
UNWIND found AS row
WITH row
WHERE row.mention_score > 0
ORDER BY row.mention_score DESC, row.memory.timestamp DESC, row.id
LIMIT $pool_limit
RETURN row.memory AS memory
