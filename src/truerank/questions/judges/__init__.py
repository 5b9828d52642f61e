"""Who judged: how far judges agree, whom each favours, and what of a leaderboard depends on the judge."""
