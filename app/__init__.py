"""Everything outside the engine: surfaces, adapters, embedded servers, and their composition."""
