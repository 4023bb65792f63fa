// name: note_data_version
// mode: write
// returns: none
// unscoped: of the deployment, whose data is one store
// param: name string
// param: now datetime
CYPHER 25
MERGE (version:SchemaVersion {name: $name})
  ON CREATE SET version.applied_at = $now
