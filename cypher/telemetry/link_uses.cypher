// name: link_uses
// mode: write
// returns: many
// param: workspace_id string
// param: uses list<map> — {sequence_id, memory_id, rank, at}, in the order of both ids; the sequences are locked
// column: sequence_id string — of an ended run whose outcome has not been counted with its memories yet
// why: a memory used again keeps its best rank and the latest time; skips a memory that left the workspace while this
//   query waited for its lock
CYPHER 25
UNWIND $uses AS row
MATCH (sequence:AgentSequence {workspace_id: $workspace_id, id: row.sequence_id})
USING INDEX sequence:AgentSequence(workspace_id, id)
MATCH (memory:Memory {workspace_id: $workspace_id, id: row.memory_id})
USING INDEX memory:Memory(workspace_id, id)
// include: lock of memory
WITH row, sequence, memory
WHERE memory['workspace_id'] = $workspace_id
MERGE (sequence)-[used:USED]->(memory)
  ON CREATE SET used.at = row.at, used.rank = row.rank
  ON MATCH SET used.at = CASE WHEN row.at > used.at THEN row.at ELSE used.at END,
               used.rank = CASE WHEN row.rank < used.rank THEN row.rank ELSE used.rank END
WITH DISTINCT sequence
WHERE sequence.outcome IS NOT NULL
SET sequence.untallied = true
RETURN sequence.id AS sequence_id
