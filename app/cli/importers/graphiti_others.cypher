// What else a Graphiti graph holds, such as communities, which are not imported.
MATCH (n)
WHERE n.uuid IS NOT NULL AND n.group_id IS NOT NULL AND NOT n:Entity AND NOT n:Episodic
RETURN labels(n)[0] AS kind, count(n) AS nodes
ORDER BY kind
