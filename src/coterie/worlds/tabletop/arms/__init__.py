"""Arms around the table: checks of joint actions, postures, paths, grips, and rounds in physics."""
