"""A page: sections that questions give, laid out as one HTML file that needs nothing else, or as Markdown."""
