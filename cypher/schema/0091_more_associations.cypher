// name: 0091_more_associations
// mode: schema
// why: an association is found by its id, whatever its type
CYPHER 25
CREATE INDEX leads_to_id IF NOT EXISTS FOR ()-[r:LEADS_TO]-() ON (r.id)
;
CYPHER 25
CREATE INDEX occurred_before_id IF NOT EXISTS FOR ()-[r:OCCURRED_BEFORE]-() ON (r.id)
;
CYPHER 25
CREATE INDEX exemplifies_id IF NOT EXISTS FOR ()-[r:EXEMPLIFIES]-() ON (r.id)
;
CYPHER 25
CREATE INDEX contradicts_id IF NOT EXISTS FOR ()-[r:CONTRADICTS]-() ON (r.id)
;
CYPHER 25
CREATE INDEX reinforces_id IF NOT EXISTS FOR ()-[r:REINFORCES]-() ON (r.id)
;
CYPHER 25
CREATE INDEX part_of_id IF NOT EXISTS FOR ()-[r:PART_OF]-() ON (r.id)
