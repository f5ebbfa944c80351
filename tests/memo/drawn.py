"""Cases and plans that hypothesis draws."""

import numpy as np
from hypothesis import strategies as st

from coterie.memo import Act, Motion, Plan

from .made import pack

spot = st.tuples(st.floats(-0.8, -0.05), st.floats(0.35, 0.65), st.floats(0.2, 0.4))
packs = st.builds(pack, apple=spot, milk=spot)
numbers = st.floats(allow_nan=False, allow_infinity=False, width=64)
names = st.text(min_size=1, max_size=8)


def arrays(columns: int):
    row = st.lists(numbers, min_size=columns, max_size=columns)
    return st.lists(row, max_size=4).map(lambda rows: np.array(rows, dtype=float).reshape(-1, columns))


targets = st.sampled_from(["", "apple", "slot"])
motions = st.builds(Motion, arrays(3), arrays(3), targets, targets)
acts = st.builds(
    Act,
    names,
    st.lists(names, max_size=3).map(tuple),
    st.none() | arrays(3),
    st.lists(motions, max_size=3).map(tuple),
)
plans = st.lists(st.dictionaries(names, acts, max_size=3), max_size=4).map(lambda steps: Plan(tuple(steps)))
