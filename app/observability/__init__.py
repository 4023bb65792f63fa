"""What operators see of a process: log lines, metrics, traces and noted actions."""
