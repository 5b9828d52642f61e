"""What preference judgments say, together and against rankings and grades."""
