"""How the score of one list comes about, rank by rank, and what would change it."""
