"""Two runs topic by topic: who wins where, by how much, and which documents moved."""
