"""What unjudged documents leave open: of scores, of the order of systems, and what to judge next."""
