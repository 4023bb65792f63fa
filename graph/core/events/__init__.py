"""What happened in a workspace, told to whoever subscribed to it in any process."""
