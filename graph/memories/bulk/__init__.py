"""Changes and deletes of many selected memories."""
