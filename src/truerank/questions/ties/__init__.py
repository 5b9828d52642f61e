"""What ties do: to scores, and to the order of systems."""
