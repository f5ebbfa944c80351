"""Reads the prompts of the planners at the table, and nothing else."""
