"""Does the suite notice? Places to change in the sources, tests that see them, and trials of one change each."""
