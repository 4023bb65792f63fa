// name: own_earlier_answers
// mode: write
// returns: one
// param: workspace_id string
// param: limit integer
// column: count integer — 0 when none is left
// why: what was asked with a key that is bound to a user was asked for them
CYPHER 25
MATCH (run:PromptRun {workspace_id: $workspace_id})
WHERE run.user_id IS NULL
WITH run
LIMIT $limit
OPTIONAL MATCH (key:ApiKey {workspace_id: $workspace_id, id: run.api_key_id})
SET run.user_id = coalesce(key.user_id, ''), run.agent_id = coalesce(key.agent_id, '')
RETURN count(*) AS count
