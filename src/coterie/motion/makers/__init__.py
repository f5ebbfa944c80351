"""Arms as their makers describe them (MJCF, URDF), made into cards."""
