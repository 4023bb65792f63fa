// name: delete_workspace_checkpoints
// mode: write
// returns: one
// param: workspace_id string
// param: limit integer — how many nodes one transaction removes
// param: most_bytes integer — after so many bytes of states it removes no more
// column: deleted integer — 0 when nothing is left
// why: a checkpoint may be a thousand times as large as any other node, so a transaction is bounded by bytes as well
CYPHER 25
MATCH (part:AgentCheckpoint|AgentCheckpointWrite {workspace_id: $workspace_id})
// include: within_bytes
DETACH DELETE part
RETURN count(*) AS deleted
