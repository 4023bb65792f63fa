// name: note_marks
// mode: write
// returns: none
// param: workspace_id string
// param: marks list<string> — see graph.memories.deletion.marks
// param: now datetime
// why: what somebody deleted is not extracted again; a mark is a tombstone without a word of what it stands for
CYPHER 25
UNWIND $marks AS mark
MERGE (tombstone:Tombstone {workspace_id: $workspace_id, id: mark})
  ON CREATE SET tombstone.deleted_at = $now
