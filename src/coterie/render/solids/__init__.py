"""Scenes of MuJoCo as pixels, in software: solids, light and shadow, and words on the picture."""
