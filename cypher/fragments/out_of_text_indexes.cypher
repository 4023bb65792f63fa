// removes the memory from the full-text indexes: they cut their result lists before any filter on the node
SET memory.search_text = null, memory.search_window = null, memory.search_keys = null, memory.search_text_cjk = null
