"""How the score of one list comes about, and what would change it."""
