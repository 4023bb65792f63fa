// name: drop_chunk_jobs
// mode: write
// returns: none
// param: workspace_id string
// param: ids list<string>
// why: a job must not replace the vector of a whole chunk by one of its excerpt
CYPHER 25
UNWIND $ids AS id
MATCH (job:Job {workspace_id: $workspace_id, kind: 'EMBED', subject_id: id})
DETACH DELETE job
