"""One page of what all questions about runs say: a report to send round."""
