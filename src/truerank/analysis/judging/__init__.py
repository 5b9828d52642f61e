"""What unjudged documents leave open, and what to judge next."""
