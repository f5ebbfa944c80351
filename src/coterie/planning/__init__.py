"""Planning problems from skills and facts."""
