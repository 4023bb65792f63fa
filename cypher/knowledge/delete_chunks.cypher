// name: delete_chunks
// mode: write
// returns: none
// param: workspace_id string
// param: ids list<string>
CYPHER 25
UNWIND $ids AS id
MATCH (chunk:Chunk {workspace_id: $workspace_id, id: id})
USING INDEX chunk:Chunk(workspace_id, id)
OPTIONAL MATCH (job:Job {workspace_id: $workspace_id, subject_id: id})
DETACH DELETE job, chunk
