"""A leaderboard of simulated systems, and what moves them."""
