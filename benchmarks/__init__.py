"""Speed and memory, side by side with what else is installed, as ratios in one run."""
