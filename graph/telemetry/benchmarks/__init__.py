"""Benchmarks: what a day's actions come to, metric by metric, and the trend over days."""
