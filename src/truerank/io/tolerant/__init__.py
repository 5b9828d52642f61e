"""Files as they are written, faults and all, for those who look for faults."""
