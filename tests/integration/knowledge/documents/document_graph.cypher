CYPHER 25
MATCH (document:Document {workspace_id: $ws})
OPTIONAL MATCH (document)<-[:PART_OF]-(chunk:Chunk)
OPTIONAL MATCH (chunk)-[:NEXT]->(following:Chunk)
OPTIONAL MATCH (job:Job {workspace_id: $ws, subject_id: chunk.id})
RETURN properties(document) AS document, properties(chunk) AS chunk, labels(chunk) AS labels,
       following.ordinal AS following, job.state AS job
ORDER BY document.key, chunk.ordinal
