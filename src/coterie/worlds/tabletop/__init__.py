"""The tabletop world: arms around one table, in MuJoCo's physics."""
