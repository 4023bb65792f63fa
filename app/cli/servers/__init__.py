"""Commands that start something and stay."""
