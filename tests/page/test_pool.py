from hypothesis import given
from hypothesis import strategies as st

from coterie.page.scenery import Pool, edits

IDS = st.lists(st.integers(0, 6), max_size=12)


@given(IDS, IDS)
def test_edits_turn_one_list_into_the_other(old, new):
    now = list(old)
    for at, gone, *come in edits(old, new):  # as the page does it
        now[at : at + gone] = come
    assert now == new


def test_a_pool_writes_everything_once():
    pool = Pool()
    assert [pool.id(w) for w in ("a", "b", "a")] == [0, 1, 0]
    assert pool.id(("key", 1), lambda: ["written"]) == 2 == pool.id(("key", 1), lambda: ["not again"])
    assert pool.items == ["a", "b", ["written"]]
