"""Layouts of a table: clutter, whether arms can work there, and streams of tasks for a memo."""
