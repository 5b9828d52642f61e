"""Tables of columns: Arrow, data frames, parquet."""
