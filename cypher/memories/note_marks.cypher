// name: note_marks
// mode: write
// returns: none
// param: workspace_id string
// param: marks list<string> — see graph.memories.deletion_marks
// param: now datetime
// why: keeps extraction and imports from restoring a deleted memory; a mark is a tombstone with hashes, not the text
CYPHER 25
UNWIND $marks AS mark
MERGE (tombstone:Tombstone {workspace_id: $workspace_id, id: mark})
  ON CREATE SET tombstone.deleted_at = $now
