"""Which runs judgments were pooled from, how deep, and what that does to others."""
