"""Houses: one model of rooms, doors, furniture and things, which files and generators fill in and worlds stand on."""
