"""What is given up for what: precision for recall, false alarms for hits."""
