"""What there is to measure."""
