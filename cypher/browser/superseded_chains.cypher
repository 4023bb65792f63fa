// name: superseded_chains
// mode: read
// returns: many
// param: workspace_id string
// column: chain path
// column: steps integer
// why: shows each current memory with the memories that it superseded; the latest changes first
CYPHER 25
MATCH (now:Memory {workspace_id: $workspace_id})
WHERE EXISTS { (now)<-[:INVALIDATED_BY|EVOLVED_INTO]-(:Memory {workspace_id: $workspace_id}) }
  AND NOT EXISTS { (now)-[:INVALIDATED_BY|EVOLVED_INTO]->(:Memory {workspace_id: $workspace_id}) }
WITH now
ORDER BY now.updated_at DESC
LIMIT 25
MATCH chain = (:Memory {workspace_id: $workspace_id})
  (({workspace_id: $workspace_id})-[:INVALIDATED_BY|EVOLVED_INTO]->(:Memory {workspace_id: $workspace_id})){1,20}
  (now)
RETURN chain, length(chain) AS steps
LIMIT 200
