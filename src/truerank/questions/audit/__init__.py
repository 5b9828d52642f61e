"""What would people say, where a machine judged: sums and means corrected by a sample."""
