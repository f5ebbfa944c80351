"""Talk between people and a mission: one thread a person, from words to meanings to what is done, and back."""
