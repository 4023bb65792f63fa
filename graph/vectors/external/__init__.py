"""The optional external vector tier: memories are mirrored to it by jobs, and recall may search there first."""
