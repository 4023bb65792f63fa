// name: list_workspaces_of_earlier_runs
// mode: read
// returns: many
// unscoped: which workspaces have runs that do not say whose they are
// column: id string
// allow: UnionNodeByLabelsScan — once in the life of a store, until it is noted as done
CYPHER 25
MATCH (run:AgentSequence|PromptRun)
WHERE run.user_id IS NULL
RETURN DISTINCT run.workspace_id AS id
