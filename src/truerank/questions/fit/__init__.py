"""What do people say a measure's parameters are: preferences between lists, clicks, and how far they read."""
