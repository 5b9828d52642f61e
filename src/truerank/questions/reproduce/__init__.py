"""The tables, figures and claims of five documents, made again of one's own data."""
