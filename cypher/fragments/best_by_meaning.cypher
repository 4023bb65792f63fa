// The found memories with the highest similarity.
UNWIND found AS row
WITH row
WHERE row.similarity IS NOT NULL
ORDER BY row.similarity DESC, row.id
LIMIT $pool_limit
RETURN row.memory AS memory
