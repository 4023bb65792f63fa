// what is gone takes no place in the lists of the full-text indexes, which are cut before anything is read of a node
SET memory.search_text = null, memory.search_window = null, memory.search_keys = null, memory.search_text_cjk = null
