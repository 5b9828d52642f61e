"""What it is to be a measure: the machinery that the files of the catalogue stand on."""
