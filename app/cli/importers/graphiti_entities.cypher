// Entities of a Graphiti graph; this runs on Graphiti's own database, which knows no workspaces.
MATCH (n:Entity)
WHERE n.uuid IS NOT NULL
RETURN n.uuid AS uuid, n.name AS name, n.group_id AS group_id, n.created_at AS created_at, n.summary AS summary,
       labels(n) AS labels, properties(n) AS attributes
ORDER BY uuid
