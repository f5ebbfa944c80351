"""Finds for each kind of thing that lessons leave out the known kind whose name is most like it to the base model.

python -m tools.likened src/coterie/protocols/adhoc/likened.toml
"""

from __future__ import annotations

import re
import sys
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from coterie.houses.placement import homes, kinds
from coterie.learn.splits import held_out

ABOUT = "A {0} is a household object. The {0}"


def words(kind: str) -> str:
    """`SoapBottle` as people write it."""
    return re.sub(r"(?<=[a-z])(?=[A-Z])", " ", kind).lower()


def meanings(names: Sequence[str]) -> np.ndarray:
    """What the base model has in mind at the last word of each name."""
    from coterie.learn.network import dense, packed_mask, torch  # a package of its own
    from coterie.learn.saying import opened

    network, tokens = opened(None, 0, 1.0)
    found = []
    with torch.no_grad():
        for ids in tokens.many([ABOUT.format(words(name)) for name in names]):
            row, places = torch.tensor([ids]), torch.arange(len(ids))[None]
            hidden = network.hidden(row, places, dense(packed_mask(torch.full_like(row, len(ids) - 1))))
            found.append(hidden[0, -1].float().numpy())
    return np.stack(found)


def main(out: Path) -> None:
    things = sorted(kind for kind, row in kinds().items() if row.thing and homes(kind))
    known = np.array([kind not in held_out() for kind in things])
    found = meanings(things)
    found -= found[known].mean(0)
    found /= np.linalg.norm(found, axis=1, keepdims=True)
    alike = found @ found[known].T
    names = [kind for kind, taught in zip(things, known) if taught]
    rows = [f'{k} = "{names[int(row.argmax())]}"' for k, row, taught in zip(things, alike, known) if not taught]
    about = (
        "# Kinds of which lessons do not tell where they belong, and the known kind most like each (tools/likened.py)."
    )
    out.write_text("\n".join([about, "[likened]", *rows]) + "\n", "utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
