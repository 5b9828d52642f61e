"""What is trec_eval's alone: its measures that have no counterpart among ours, or round differently."""
