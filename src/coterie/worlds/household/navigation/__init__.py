"""Steps on a lattice: one robot along its way, several robots past each other."""
