"""Seeds that depend on names, never on order or on Python's own hashing."""

from __future__ import annotations

import hashlib
import random


def seed_of(*parts: object) -> int:
    """A 63-bit seed from any parts: `seed_of(run_seed, robot, stage, step, attempt)`."""
    text = "\x1f".join(map(str, parts))
    return int.from_bytes(hashlib.blake2b(text.encode(), digest_size=8).digest(), "big") >> 1


def rng_of(*parts: object) -> random.Random:
    return random.Random(seed_of(*parts))
