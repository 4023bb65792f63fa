// Nodes with a word in a text, a list of texts or a name, of their own or of an edge that goes out from them.
CYPHER 25
MATCH (n)
WITH n, [label IN labels(n) WHERE label CONTAINS $word] + COLLECT {
  UNWIND [properties(n)] + [(n)-[r]->() | properties(r)] AS each
  UNWIND keys(each) AS key
  WITH key, each[key] AS value
  UNWIND [key] + CASE
    WHEN valueType(value) STARTS WITH 'STRING' THEN [value]
    WHEN valueType(value) STARTS WITH 'LIST<STRING' THEN value
    ELSE []
  END AS text
  WITH text
  WHERE text CONTAINS $word
  RETURN text
} AS found
WHERE size(found) > 0
RETURN n.workspace_id AS workspace_id, labels(n) AS labels, found
