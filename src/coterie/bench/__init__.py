"""Suites of episodes, how they are played and scored, and the tables and plots made of the scores."""
