"""Log lines, metrics, traces and recorded actions of a process, for operators."""
