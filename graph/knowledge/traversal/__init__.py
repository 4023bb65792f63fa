"""Connections between nodes: neighbours, subgraphs and paths, every hop inside one workspace."""
