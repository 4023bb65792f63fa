// name: remove_earlier_locks
// mode: write
// returns: one
// unscoped: what every workspace stored before
// param: limit integer
// column: count integer — below the limit when none is left
// allow: UnionNodeByLabelsScan — once in the life of a store, until it is noted as done
// why: whoever locked a node left the time on it, where people saw it in Neo4j Browser; threads knew by it when they were
//   last saved
CYPHER 25
MATCH (node:Memory|Conversation|AgentCheckpointThread|Entity|EntityType|RelationType|AgentSequence|AgentTally|AgentFailure
            |VectorIndexMeta|VectorTierMeta)
WHERE node['locked_at'] IS NOT NULL
WITH node
LIMIT $limit
FOREACH (thread IN CASE WHEN node:AgentCheckpointThread THEN [node] ELSE [] END |
  SET thread.updated_at = coalesce(thread.updated_at, thread['locked_at']))
REMOVE node.locked_at
RETURN count(*) AS count
