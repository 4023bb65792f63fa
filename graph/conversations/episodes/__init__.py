"""Episodes: the summaries that rolled-up turns leave behind."""
