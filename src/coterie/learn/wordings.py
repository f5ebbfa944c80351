"""Other wordings for what teammates said: they are free to say it as they like, and larger models do.

Only words of others in quotes are told otherwise, in ways of `protocols/shared/dialects.toml` that are for training.
What the system says of its own stays as it is rendered, for that is what a pupil will be asked with.
"""

from __future__ import annotations

import random

from coterie.core.protocol import Prompt
from coterie.protocols.shared.dialects import retold

TOLD = 0.5  # of samples: words of others are told otherwise in them


def reworded(prompt: Prompt, rng: random.Random) -> Prompt:
    """The same told otherwise, or as it is; every saying in its own way each time."""
    return prompt if rng.random() >= TOLD else retold(prompt, "train", lambda words: rng)
