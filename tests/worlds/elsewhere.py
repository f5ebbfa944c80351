"""Stand-ins for real robots: a world of its own state beside the coordinator's, whose robots report what they perceive.

The coordinator never sees that world: what it knows comes from `sense`, and how an action ends from `do`.
"""

from coterie.core.sight import Sight
from coterie.link.robot import Robot, done, failed
from tests.worlds.indoor.test_real import Near


class Elsewhere(Robot):
    """A robot in another world, which plays its actions; `see` says what it perceives there."""

    def __init__(self, name, world, see):
        super().__init__(name)
        self.world, self.see = world, see

    def do(self, action, job):
        self.world.start({self.name: action._replace(facts=())})
        while True:
            for outcome in self.world.advance():
                if outcome.robot == self.name:
                    return done(outcome.reason) if outcome.ok else failed(outcome.reason, outcome.cause)

    def halt(self):
        pass

    def sense(self):
        return self.see(self.world, self.name)


class Liar(Elsewhere):
    """It says that all is done, does nothing, and sees nothing but itself."""

    def do(self, action, job):
        return done("ok")

    def sense(self):
        return self.see(self.world, self.name)._replace(things=(), places=(), open=())


def drivers(world, see, make=Elsewhere, names=None, every=lambda: None):
    return {name: Near(make(name, world, see), every) for name in names or world.robots()}


__all__ = ["Elsewhere", "Liar", "Near", "Sight", "drivers"]
