"""What is fuzzed: readers, texts, Python data, rules and commands."""
