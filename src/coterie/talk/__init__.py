"""How people are understood: typed meanings, names, the trained reader of sentences and its data."""
