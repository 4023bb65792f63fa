// Of the edges at an entity; whatever the type rules out, its other end is not read.
AND NOT type(edge) IN ['FROM', 'MENTIONS', 'MERGED_INTO', 'TARGETED']
