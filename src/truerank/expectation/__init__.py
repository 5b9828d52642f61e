"""The exact expectation of each kind of sum over ranks, under random order of ties."""
