"""How many topics does it take: topic set size design."""
