// Whether live memories within the scope took the place of one; where nothing asks, it is not looked for.
EXISTS {
  MATCH (memory)-[link:INVALIDATED_BY|EVOLVED_INTO]->(successor:Memory {workspace_id: $workspace_id})
  WHERE
    // include: live_successor
    // include: closing_stands
}
