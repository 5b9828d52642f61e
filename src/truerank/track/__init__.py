"""A track: judgments, runs, measures and conventions, and the loop that looks at each run through them."""
