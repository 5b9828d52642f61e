"""Topics that runs leave unanswered, and what that does to scores and to the order of runs."""
