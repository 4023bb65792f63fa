// Only edges between entities; the condition on the type comes first, so that the other ends are not read.
AND NOT type(edge) IN ['FROM', 'MENTIONS', 'MERGED_INTO', 'TARGETED']
