// Ids of the live memories within the scope that supersede the memory.
[(memory)-[link:INVALIDATED_BY|EVOLVED_INTO]->(successor:Memory {workspace_id: $workspace_id})
 WHERE
   // include: live_successor
   // include: closing_stands
 | successor.id]
