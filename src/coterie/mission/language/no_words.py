"""The words by which people say that something is not to be done: one table for all that look for them."""

DO_NOT = r"(?:do not|don'?t)"
NOBODY = r"(?:nobody|no[ -]one|none of (?:you|them|the robots)|no robots?)"
