"""Which formal properties measures have, and the smallest rankings that show it."""
