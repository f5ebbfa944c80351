"""A mission: people's goals served through any robots' skills.

`journal` keeps all that happens to a mission in one file; `knowledge` is what robots and people reported, `goals` what
people want, `assess` how likely a plan is to work and how long it takes. Each is a part of the journal: it writes what
happens there before it takes it in, so that a mission that is killed goes on where it was.
"""
