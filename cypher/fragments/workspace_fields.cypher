.id, .name, .settings, .memory_enabled, .is_default, .created_at, .updated_at
