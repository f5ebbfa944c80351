"""The log of an episode, and everything that reads it: the file, what was true at each step, and words for people."""
