"""Contract checks that anyone can run on their own world, robot, protocol or model.

Each returns None, or raises an `AssertionError` whose text is a sentence that says what is wrong.
`examples/yard.py` is a small world that passes, with a few minds for it.
"""

from coterie.testing.contract import Trial, check_model, check_protocol, check_robot, indoor_trial
from coterie.testing.contract_world import check_world
from coterie.testing.must import check_skill

__all__ = [
    "Trial",
    "check_model",
    "check_protocol",
    "check_robot",
    "check_skill",
    "check_world",
    "indoor_trial",
]
