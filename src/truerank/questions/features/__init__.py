"""How good features are as rankings of their own."""
