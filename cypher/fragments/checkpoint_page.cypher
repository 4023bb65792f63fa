AND ($before IS NULL OR checkpoint.id < $before)
AND ($after_id IS NULL OR checkpoint.id < $after_id OR checkpoint.thread_id < $after_thread_id
     OR (checkpoint.thread_id = $after_thread_id AND checkpoint.namespace < $after_namespace))
AND ($namespace IS NULL OR checkpoint.namespace = $namespace)
AND all(pair IN $pairs WHERE pair IN checkpoint.metadata_pairs)
AND none(key IN $absent WHERE any(pair IN checkpoint.metadata_pairs WHERE pair STARTS WITH key))
