"""The hospital: kits are packed in its pharmacy and brought to its rooms, by robots and people together."""
