"""Events of a workspace, for subscribers in any process."""
