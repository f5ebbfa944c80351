"""Controlled English: sentences of people to typed meanings, and meanings to sentences."""
