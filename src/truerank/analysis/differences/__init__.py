"""How two runs differ, topic by topic and document by document."""
