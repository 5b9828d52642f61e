"""What people do with measures: evaluate, simulate."""
