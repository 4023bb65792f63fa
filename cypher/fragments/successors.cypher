// Ids of the live memories within the scope that took the place of one.
[(memory)-[:INVALIDATED_BY|EVOLVED_INTO]->(successor:Memory {workspace_id: $workspace_id})
 WHERE
   // include: live_successor
 | successor.id]
