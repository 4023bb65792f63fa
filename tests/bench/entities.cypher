CYPHER 25
UNWIND range($first, $last) AS number
CREATE (:Entity:Searchable:Service {
  workspace_id: $workspace_id, id: 'ent_bench' + number, key: 'bench' + number, type: 'Service',
  name: 'service ' + number, name_keys: ['service ' + number], active: true, search_kind: 'entity', revision: 1,
  state: 'STORED', created_at: $now, updated_at: $now
})
