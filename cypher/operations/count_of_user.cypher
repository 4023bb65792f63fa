// name: count_of_user
// mode: read
// returns: one
// param: workspace_id string
// param: user_id string
// column: memories integer — including soft-deleted ones
// column: versions integer — earlier texts of them
// column: passages integer — vectors of parts of them
// column: conversations integer
// column: messages integer
// column: episodes integer
// column: summaries integer
// column: distillations integer — texts that wait to be distilled, or were distilled
// column: sequences integer — runs
// column: actions integer — of these runs
// column: prompt_runs integer — records of answers
// column: api_keys integer — bound to the user
CYPHER 25
CALL () {
  MATCH (memory:Memory {workspace_id: $workspace_id, user_id: $user_id})
  RETURN count(memory) AS memories,
         sum(COUNT { MATCH (version:MemoryVersion {workspace_id: $workspace_id, memory_id: memory.id}) }) AS versions,
         sum(COUNT { (memory)<-[:PART_OF]-(:Passage {workspace_id: $workspace_id}) }) AS passages
}
CALL () {
  MATCH (conversation:Conversation {workspace_id: $workspace_id, user_id: $user_id})
  RETURN count(conversation) AS conversations
}
CALL () {
  CALL () {
    MATCH (message:Message {workspace_id: $workspace_id, user_id: $user_id})
    USING INDEX SEEK message:Message(workspace_id, user_id)
    RETURN message
    UNION
    MATCH (message:Message {workspace_id: $workspace_id, author_id: $user_id})
    USING INDEX SEEK message:Message(workspace_id, author_id)
    RETURN message
  }
  RETURN count(message) AS messages
}
CALL () {
  MATCH (episode:Episode {workspace_id: $workspace_id, user_id: $user_id})
  USING INDEX SEEK episode:Episode(workspace_id, user_id)
  RETURN count(episode) AS episodes
}
CALL () {
  MATCH (summary:ConversationSummary {workspace_id: $workspace_id, user_id: $user_id})
  USING INDEX SEEK summary:ConversationSummary(workspace_id, user_id)
  RETURN count(summary) AS summaries
}
CALL () {
  MATCH (pending:Distillation {workspace_id: $workspace_id, user_id: $user_id})
  USING INDEX SEEK pending:Distillation(workspace_id, user_id)
  RETURN count(pending) AS distillations
}
CALL () {
  MATCH (sequence:AgentSequence {workspace_id: $workspace_id, user_id: $user_id})
  USING INDEX sequence:AgentSequence(workspace_id, user_id)
  RETURN count(sequence) AS sequences,
         sum(COUNT {
           MATCH (action:AgentAction {workspace_id: $workspace_id, sequence_id: sequence.id})
           USING INDEX SEEK action:AgentAction(workspace_id, sequence_id, position)
           WHERE action.position >= 0
         }) AS actions
}
CALL () {
  MATCH (run:PromptRun {workspace_id: $workspace_id, user_id: $user_id})
  USING INDEX run:PromptRun(workspace_id, user_id)
  RETURN count(run) AS prompt_runs
}
CALL () {
  MATCH (key:ApiKey {workspace_id: $workspace_id})
  WHERE key.user_id = $user_id
  RETURN count(key) AS api_keys
}
RETURN memories, versions, passages, conversations, messages, episodes, summaries, distillations, sequences, actions,
       prompt_runs, api_keys
