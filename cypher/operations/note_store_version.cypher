// name: note_store_version
// mode: write
// returns: none
// unscoped: the whole store has one version
// param: number integer
// why: keeps the later version if two processes record one at the same time
CYPHER 25
MERGE (version:SchemaVersion {name: 'store'})
// include: lock of version
WITH version
WHERE coalesce(version.number, 0) < $number
SET version.number = $number
