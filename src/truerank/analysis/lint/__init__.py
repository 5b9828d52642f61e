"""What is suspicious in runs and judgments: one file a check."""
