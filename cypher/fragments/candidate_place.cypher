// Position of a candidate in its conversation; see graph.retrieval.recall.candidates.Candidate.
id: memory.id, turn_scope: memory.turn_scope, position: memory.position,
previous_id: head([turn IN beside WHERE NOT turn.is_next | turn.id]),
next_id: head([turn IN beside WHERE turn.is_next | turn.id]),
