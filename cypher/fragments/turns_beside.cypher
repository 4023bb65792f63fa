[(memory)-[link:NEXT]-(turn:Memory {workspace_id: $workspace_id})
 | {id: turn.id, is_next: startNode(link) = memory}] AS beside
