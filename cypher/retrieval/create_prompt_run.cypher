// name: create_prompt_run
// mode: write
// returns: none
// param: workspace_id string
// param: id string
// param: properties map — see graph.retrieval.answering.models.PromptRun
// why: creates no edges to cited nodes: an often cited node would become a hub, and the record must outlast its nodes
CYPHER 25
CREATE (run:PromptRun {workspace_id: $workspace_id, id: $id})
SET run += $properties
