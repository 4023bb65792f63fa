"""Checkpoints: the states in which frameworks for agents leave their threads, kept so that these can go on."""
