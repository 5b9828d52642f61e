"""Two sets of judgments of the same runs: what changed, and which scores, orders and findings moved."""
