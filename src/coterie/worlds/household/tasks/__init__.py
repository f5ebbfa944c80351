"""Tidying up and searching: drawing tasks, goals, newcomers, which tasks can be done, and why one was not."""
