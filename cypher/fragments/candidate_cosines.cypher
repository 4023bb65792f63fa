// See graph.retrieval.recall.candidates.Candidate.
cosine: whole,
part_cosine: CASE WHEN parts = [] THEN whole
                  ELSE reduce(best = CASE WHEN is_long THEN whole ELSE -1.0 END, part IN parts
                              | CASE WHEN part > best THEN part ELSE best END)
             END,
focus_cosine: reduce(best = focus, part IN focus_parts | CASE WHEN part > best THEN part ELSE best END),
asked_cosines: asked_cosines,
