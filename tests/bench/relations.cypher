CYPHER 25
UNWIND $pairs AS pair
MATCH (source:Entity {id: 'ent_bench' + pair[0]})
MATCH (target:Entity {id: 'ent_bench' + pair[1]})
CREATE (source)-[:DEPENDS_ON {id: 'rel_bench' + pair[0] + '-' + pair[1], strength: pair[2], created_at: $now}]->(target)
