"""When systems fall silent, and what that does to scores and to the order of systems."""
