"""What measures are judged by: how alike they are, how sure their findings, and what aspects of quality they cover."""
