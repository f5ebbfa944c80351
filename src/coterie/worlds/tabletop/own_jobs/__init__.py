"""Jobs at the table that are files of a user: `job` plays one, `file` reads it."""
