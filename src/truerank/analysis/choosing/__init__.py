"""Parts of the guide to choosing a measure."""
