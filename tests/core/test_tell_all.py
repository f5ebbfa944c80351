"""Many facts at once are taken in as they are one by one."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from coterie.core.facts import UNKNOWN, Belief, Fact

NAMES = st.sampled_from(("cup", "book", "bed", "sofa"))
PLACES = st.sampled_from(("bed", "sofa", UNKNOWN))
TIMES = st.sampled_from((0.0, 1.0, 2.0))
FACTS = st.one_of(
    st.builds(lambda n, v, t: Fact("where", (n,), v, t), NAMES, PLACES, TIMES),
    st.builds(lambda n, v, t: Fact("contents", (n,), tuple(v), t), NAMES, st.sets(NAMES, max_size=2), TIMES),
    st.builds(lambda n, v, t: Fact("mass", (n,), v, t), NAMES, st.sampled_from((1.0, 2.0)), TIMES),
)


@given(st.lists(FACTS, max_size=25))
def test_many_at_once_are_many_one_by_one(facts):
    one, all_ = (Belief({("mass", "cup"): 1.0}, {"contents": "where"}) for _ in range(2))
    twice = [*facts, *facts]
    assert sum(one.tell(f) for f in twice) == all_.tell_all(twice)
    assert list(one.facts()) == list(all_.facts()) and one.since(0) == all_.since(0)
    assert one.stamps == all_.stamps
    changed = [f.pred for f in one.since(0)]
    assert one.stamps == {pred: changed.count(pred) for pred in set(changed)}


@given(st.lists(FACTS, max_size=25))
def test_what_is_known_is_what_the_facts_say_and_else_what_the_map_says(facts):
    belief = Belief({("mass", "cup"): 1.0}, {"contents": "where"})
    belief.tell_all(facts)
    assert all(belief.known[f.pred, *f.args] is f.value for f in belief.facts())
    told = {(f.pred, *f.args) for f in belief.facts()}
    assert belief.known["mass", "cup"] == (belief.value("mass", "cup") if ("mass", "cup") in told else 1.0)
    assert ("mass", "sofa") in told or belief.known["mass", "sofa"] is UNKNOWN
    other = Belief({("mass", "cup"): 1.0}, {"contents": "where"})
    other.follow(belief.since(0), belief.facts())
    assert other.known == belief.known
