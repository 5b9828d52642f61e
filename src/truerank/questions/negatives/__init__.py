"""What scoring against a sample of negatives does to scores, and to the order of runs."""
