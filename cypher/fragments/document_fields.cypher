.id, .workspace_id, .title, .uri, .key, .media_type, .content_hash, .metadata, .connection_id, .chunk_count,
.stores_text, .active, .created_at, .updated_at
