"""What the parameters mean that charge for documents: prices, how far a hit goes, and scores by length."""
