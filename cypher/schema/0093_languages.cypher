// name: 0093_languages
// mode: schema
// why: words of a text are searched as Lucene's analyser for its language reads them; a label says which index a memory is in, so that those in English and Chinese are in none of these and cost nothing more to save
CYPHER 25
CREATE FULLTEXT INDEX memory_text_german IF NOT EXISTS FOR (n:InGerman) ON EACH [n.search_text, n.search_window, n.search_keys, n.workspace_id, n.search_user] OPTIONS {indexConfig: {`fulltext.analyzer`: 'german', `fulltext.eventually_consistent`: false}}
;
CYPHER 25
CREATE FULLTEXT INDEX memory_text_french IF NOT EXISTS FOR (n:InFrench) ON EACH [n.search_text, n.search_window, n.search_keys, n.workspace_id, n.search_user] OPTIONS {indexConfig: {`fulltext.analyzer`: 'french', `fulltext.eventually_consistent`: false}}
;
CYPHER 25
CREATE FULLTEXT INDEX memory_text_spanish IF NOT EXISTS FOR (n:InSpanish) ON EACH [n.search_text, n.search_window, n.search_keys, n.workspace_id, n.search_user] OPTIONS {indexConfig: {`fulltext.analyzer`: 'spanish', `fulltext.eventually_consistent`: false}}
;
CYPHER 25
CREATE FULLTEXT INDEX memory_text_portuguese IF NOT EXISTS FOR (n:InPortuguese) ON EACH [n.search_text, n.search_window, n.search_keys, n.workspace_id, n.search_user] OPTIONS {indexConfig: {`fulltext.analyzer`: 'portuguese', `fulltext.eventually_consistent`: false}}
