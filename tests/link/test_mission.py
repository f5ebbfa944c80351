"""A mission whose robots are driven elsewhere: it waits for their ends, and stands still when somebody stops them."""

NAMES = ("Fetch", "Temi", "Spot")
