"""Two ways to the same number: brute force, other forms of the data, other engines, other tools."""
