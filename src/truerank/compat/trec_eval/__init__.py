"""trec_eval's command: its arguments, its measures and its output, to the byte."""
