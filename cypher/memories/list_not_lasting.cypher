// name: list_not_lasting
// mode: read
// returns: many
// param: workspace_id string
// param: scope map — in the form that the fragment in_scope reads
// param: ids list<string>
// param: now datetime
// column: id string
// why: a summary is valid from its creation without end, so it cannot replace memories that end, begin later or were
//   superseded, nor successors, whose predecessors would become current again
CYPHER 25
UNWIND $ids AS id
MATCH (memory:Memory {workspace_id: $workspace_id, id: id})
USING INDEX memory:Memory(workspace_id, id)
WHERE (memory.expires_at IS NOT NULL
       OR memory.t_invalid IS NOT NULL
       OR memory.t_valid > $now
       OR
         // include: has_successor
       OR EXISTS {
         MATCH (before:Memory {workspace_id: $workspace_id})-[link:INVALIDATED_BY|EVOLVED_INTO]->(memory)
         WHERE before.active
           AND coalesce(before.expires_at > $now, true)
           AND (coalesce(before.t_invalid > $now, true) OR link.by = 'slot')
       })
  // include: in_scope
RETURN memory.id AS id
