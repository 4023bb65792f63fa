"""How things are connected: neighbours, subgraphs and paths from any node, every hop inside one workspace."""
