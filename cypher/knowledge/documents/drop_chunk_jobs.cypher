// name: drop_chunk_jobs
// mode: write
// returns: none
// param: workspace_id string
// param: ids list<string>
// why: a chunk that has a vector of its whole text must not get one of its excerpt
CYPHER 25
UNWIND $ids AS id
MATCH (job:Job {workspace_id: $workspace_id, kind: 'EMBED', subject_id: id})
DETACH DELETE job
