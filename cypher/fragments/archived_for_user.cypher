AND ($user_id IS NULL OR memory.user_id = $user_id OR memory.author_id = $user_id
     OR EXISTS {
          MATCH (owner:Memory {workspace_id: $workspace_id, id: memory.memory_id})
          USING INDEX owner:Memory(workspace_id, id)
          WHERE owner.user_id = $user_id
        }
     OR EXISTS {
          MATCH (conversation:Conversation {workspace_id: $workspace_id, id: memory.conversation_id})
          USING INDEX conversation:Conversation(workspace_id, id)
          WHERE conversation.user_id = $user_id
        })
