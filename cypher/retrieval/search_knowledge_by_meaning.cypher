// name: search_knowledge_by_meaning
// mode: read
// returns: many
// index: vectors_a
// param: workspace_id string
// param: scope map — in the form that the fragment in_scope reads
// param: kinds list<string>
// param: owned_kinds list<string> — kinds that belong to users; other kinds are shared
// param: vector list<float>
// param: vector_property string
// param: vector_limit integer — rows of the vector search per kind, including spare ones for the loss by compression
// param: limit integer — maximum rows per kind
// column: id string
// column: kind string
// column: text string
// column: keys string? — names and aliases
// column: cosine float
// why: searches each kind separately inside the index, so that a frequent kind cannot crowd out a rare one
CYPHER 25
UNWIND $kinds AS kind
CALL (kind) {
  CALL (kind) {
    WITH kind
    WHERE NOT kind IN $owned_kinds
    MATCH (found:Searchable)
    SEARCH found IN (
      VECTOR INDEX vectors_a FOR $vector
      WHERE found.workspace_id = $workspace_id AND found.active = true AND found.search_kind = kind
      LIMIT $vector_limit
    )
    RETURN found
  UNION ALL
    WITH kind
    WHERE kind IN $owned_kinds
    MATCH (found:Searchable)
    SEARCH found IN (
      VECTOR INDEX vectors_a FOR $vector
      WHERE found.workspace_id = $workspace_id AND found.active = true AND found.search_kind = kind
        AND found.user_id IN $scope.users
      LIMIT $vector_limit
    )
    RETURN found
  }
  WITH found, 2 * vector.similarity.cosine(found[$vector_property], $vector) - 1 AS cosine
  WHERE true
    // include: in_scope of found
  ORDER BY cosine DESC, found.id
  LIMIT $limit
  RETURN found, cosine
}
RETURN found.id AS id, kind, found.search_text AS text, found.search_keys AS keys, cosine
ORDER BY cosine DESC, id
