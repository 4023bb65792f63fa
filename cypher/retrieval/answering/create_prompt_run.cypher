// name: create_prompt_run
// mode: write
// returns: none
// param: workspace_id string
// param: id string
// param: properties map — see graph.retrieval.answering.models.PromptRun
// why: draws no edges to citations: a node that every answer cites would become a hub, and the record must outlast it
CYPHER 25
CREATE (run:PromptRun {workspace_id: $workspace_id, id: $id})
SET run += $properties
