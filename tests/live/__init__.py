"""The page of an episode that goes on."""
