"""Systems compared: means and differences with what is known of them, verdicts, and gates."""
