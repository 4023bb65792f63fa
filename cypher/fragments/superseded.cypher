// Whether live memories within the scope supersede the memory.
EXISTS {
  MATCH (memory)-[link:INVALIDATED_BY|EVOLVED_INTO]->(successor:Memory {workspace_id: $workspace_id})
  WHERE
    // include: live_successor
    // include: closing_stands
}
