// Whether the text itself has Chinese, Japanese or Korean characters; search_text_cjk may have them from keywords alone.
(memory.search_text_cjk IS NOT NULL
 AND left(memory.content, 500) =~ '(?s).*[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff].*')
