"""Where lists are best cut: lengths, how they are spread, and what cutting does to the order of systems."""
