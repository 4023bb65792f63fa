// What a Graphiti graph was made from, in the order in which it happened.
MATCH (n:Episodic)
WHERE n.uuid IS NOT NULL
RETURN n.uuid AS uuid, n.name AS name, n.group_id AS group_id, n.created_at AS created_at, n.source AS source,
       n.source_description AS source_description, n.content AS content, n.valid_at AS valid_at
ORDER BY valid_at, created_at, uuid
