"""Which runs made the pool that was judged, and how deep it is: arithmetic on runs and judgments."""
