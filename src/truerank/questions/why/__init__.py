"""Which conventions give a number that somebody else reported."""
