"""Arms that plan: whether a posture and a path lead to a thing, among what stands around it."""
