// Cosines of a memory's text, and of its passages, with the query, with the query's focus and with the query's parts.
WITH memory, named, asked, focused, asked_parts, memory.words > $long_words AS is_long,
     vector(memory[$vector_property], size($vector), FLOAT32) AS own
WITH memory, named, focused, asked_parts, is_long, own, 1 - vector_distance(own, asked, COSINE) AS whole,
     [(memory)<-[:PART_OF]-(part:Passage {workspace_id: $workspace_id})
      | 1 - vector_distance(vector(part[$vector_property], size($vector), FLOAT32), asked, COSINE)] AS parts
WITH memory, named, is_long, whole, parts,
     [part IN asked_parts
      | reduce(best = 1 - vector_distance(own, part, COSINE), passage IN [
            (memory)<-[:PART_OF]-(one:Passage {workspace_id: $workspace_id})
            | 1 - vector_distance(vector(one[$vector_property], size($vector), FLOAT32), part, COSINE)]
          | CASE WHEN passage > best THEN passage ELSE best END)] AS asked_cosines,
     CASE WHEN $query.focus_vector IS NULL THEN whole ELSE 1 - vector_distance(own, focused, COSINE) END AS focus,
     CASE WHEN NOT is_long THEN []
          WHEN $query.focus_vector IS NULL THEN parts
          ELSE [(memory)<-[:PART_OF]-(part:Passage {workspace_id: $workspace_id})
                | 1 - vector_distance(vector(part[$vector_property], size($vector), FLOAT32), focused, COSINE)]
     END AS focus_parts,
