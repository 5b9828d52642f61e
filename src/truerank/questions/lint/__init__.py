"""What is suspicious in judgments and runs."""
