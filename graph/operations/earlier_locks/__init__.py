"""What locks of earlier releases left on nodes."""
