"""Joint plans with full knowledge: who fetches what, who opens which door, who stands where."""
