// name: 0011_associations
// mode: schema
// why: an association is found by its id, whatever its type
CYPHER 25
CREATE INDEX invalidated_by_id IF NOT EXISTS FOR ()-[r:INVALIDATED_BY]-() ON (r.id)
;
CYPHER 25
CREATE INDEX derived_from_id IF NOT EXISTS FOR ()-[r:DERIVED_FROM]-() ON (r.id)
;
CYPHER 25
CREATE INDEX prefers_over_id IF NOT EXISTS FOR ()-[r:PREFERS_OVER]-() ON (r.id)
;
CYPHER 25
CREATE INDEX evolved_into_id IF NOT EXISTS FOR ()-[r:EVOLVED_INTO]-() ON (r.id)
;
CYPHER 25
CREATE INDEX relates_to_id IF NOT EXISTS FOR ()-[r:RELATES_TO]-() ON (r.id)
