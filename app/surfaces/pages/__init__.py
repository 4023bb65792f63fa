"""Pages for people who write programs: the viewer of the REST routes, and what GraphiQL's page is made of."""
