"""Distillation: memories from the results of tools, research, deep thinking and compaction, in the background."""
