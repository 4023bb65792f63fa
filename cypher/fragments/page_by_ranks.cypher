// A page of the memories in two lists, by the sum of 1/(k + rank), and the number of all.
CALL (by_words, by_meaning) {
  CALL (by_words, by_meaning) {
    UNWIND range(0, size(by_words) - 1) AS place
    RETURN by_words[place].memory AS memory, place + 1 AS text_rank, by_words[place].score AS text_score,
           null AS vector_rank, null AS cosine
  UNION ALL
    UNWIND range(0, size(by_meaning) - 1) AS place
    RETURN by_meaning[place].memory AS memory, null AS text_rank, null AS text_score,
           place + 1 AS vector_rank, by_meaning[place].score AS cosine
  }
  WITH memory, max(text_rank) AS text_rank, max(text_score) AS text_score, max(vector_rank) AS vector_rank,
       max(cosine) AS cosine
  WHERE $min_score IS NULL OR coalesce(cosine >= $min_score, false)
  WITH memory, text_rank, text_score, vector_rank, cosine,
       coalesce(1.0 / ($rrf_k + text_rank), 0.0) + coalesce(1.0 / ($rrf_k + vector_rank), 0.0) AS score
  ORDER BY score DESC, memory.id
  WITH collect({
    memory: memory, text_rank: text_rank, text_score: text_score, vector_rank: vector_rank, cosine: cosine, score: score
  }) AS ranked
  CALL (ranked) {
    UNWIND ranked[$offset..$offset + $limit] AS hit
    WITH hit, hit.memory AS memory
    // include: hit_relations
    WITH hit, memory, relations
    ORDER BY hit.score DESC, memory.id
    RETURN collect({
      memory:
        // include: hit_memory
        ,
      relations: relations,
      superseded_by:
        // include: successors
        ,
      text_rank: hit.text_rank, text_score: hit.text_score, vector_rank: hit.vector_rank, cosine: hit.cosine,
      score: hit.score
    }) AS hits
  }
  RETURN hits, size(ranked) AS total
}
