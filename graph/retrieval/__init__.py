"""How what is stored is found again and told to whoever asks."""
