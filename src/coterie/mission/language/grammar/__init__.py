"""The grammar of what can be said, in one file for each topic, and in `meanings.toml` what its alternatives mean."""
