"""Views of a belief: the house, and the ground that the robot can step on."""
