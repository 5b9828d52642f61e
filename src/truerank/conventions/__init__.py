"""The choices a score hides, made explicit."""
