"""The formal properties of measures, one file each, and the search for rankings that break them."""
