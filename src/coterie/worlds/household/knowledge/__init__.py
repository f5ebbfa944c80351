"""What a robot knows of a house and of the ground it can step on, as views of its belief."""
