"""A workspace, or what one user owns of it, as a file: written from the graph, checked, and written into a graph."""
