"""`frozen` makes what `dataclass(frozen=True)` makes."""

import inspect
import pickle
from dataclasses import FrozenInstanceError, asdict, dataclass, field, fields, replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from coterie.core.frozen import frozen


def declare(make):
    @make
    class Base:
        first: int
        names: list = field(default_factory=list)
        aside: dict = field(default_factory=dict, kw_only=True, repr=False, compare=False)

    @make
    class Derived(Base):
        last: str = "z"

        def __post_init__(self):
            if self.first < 0:
                raise ValueError("negative")

    @make
    class Alone:
        only: tuple = ()

    return Base, Derived, Alone


OURS, PYTHONS = declare(frozen), declare(dataclass(frozen=True))
numbers, texts = st.integers(0, 3), st.sampled_from("ab")


@given(numbers, numbers, texts, texts, st.booleans())
def test_the_same_as_a_frozen_dataclass(one, other, a, b, more):
    def about(kinds):
        base, derived, alone = kinds
        x, y = derived(one, ["n"], last=a, aside={"k": one}), derived(other, ["n"] * (1 + more), last=b)
        return [
            x == y, x != base(one, ["n"]), base(one) == base(other), alone((one,)) == alone((other,)),
            hash(alone((one,))) == hash(alone((other,))), repr(replace(x, first=other)).split(".")[-1],
            asdict(x), base(one).names, base(one).names is base(one).names, [f.name for f in fields(derived)],
            inspect.signature(derived.__init__).parameters.keys(), repr(x).split(".")[-1],
        ]  # fmt: skip

    assert about(OURS) == about(PYTHONS)


@pytest.mark.parametrize("kinds", [OURS, PYTHONS], ids=["ours", "python's"])
def test_nothing_can_be_changed_or_left_out(kinds):
    thing = kinds[1](1)
    for change in (lambda: setattr(thing, "first", 2), lambda: delattr(thing, "first")):
        with pytest.raises(FrozenInstanceError):
            change()
    assert thing.first == 1
    with pytest.raises(TypeError):
        kinds[1]()
    with pytest.raises(TypeError):
        kinds[1](1, [], "z", {})
    with pytest.raises(ValueError, match="negative"):
        kinds[1](-1)
    with pytest.raises(TypeError):
        hash(thing)  # it holds a list


@frozen
class Kept:
    value: int


def test_it_can_be_kept():
    assert pickle.loads(pickle.dumps(Kept(3))) == Kept(3)


def test_a_usual_dataclass_may_be_derived_from_it():
    @dataclass(frozen=True)
    class More(Kept):
        name: str = "a"

    assert More(3) == More(3, "a") != More(3, "b")
    with pytest.raises(FrozenInstanceError):
        More(3).value = 4
