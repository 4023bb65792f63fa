"""Pages for programmers: the viewer of the REST routes, and the parts of GraphiQL's page."""
