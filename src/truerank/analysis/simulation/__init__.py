"""The parts of a simulated track: random streams, topics, systems, and the track they make."""
