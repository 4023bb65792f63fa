// What a Graphiti graph states of its entities, with its validity.
MATCH (n:Entity)-[e:RELATES_TO]->(m:Entity)
WHERE e.uuid IS NOT NULL
RETURN e.uuid AS uuid, n.uuid AS source_node_uuid, m.uuid AS target_node_uuid, e.group_id AS group_id, e.name AS name,
       e.fact AS fact, e.episodes AS episodes, e.created_at AS created_at, e.expired_at AS expired_at,
       e.valid_at AS valid_at, e.invalid_at AS invalid_at, properties(e) AS attributes
ORDER BY uuid
