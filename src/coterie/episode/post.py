"""How words travel: whom a message reaches, what of it enters a belief, and what the log keeps.

Within a party a message carries the facts it rests on. Between parties only its text travels, and nobody speaks in
another's name: every message is what a robot's mind chose to say, or a person.
"""

from __future__ import annotations

import random
from dataclasses import dataclass

from coterie.core.action import Message
from coterie.core.facts import Fact
from coterie.core.seeds import rng_of
from coterie.core.world import Placed, World
from coterie.episode.radio import Radio, check_range
from coterie.episode.roster import Roster
from coterie.log.file import Log

LOST, OUT_OF_RANGE, DELAYED = "lost", "out of range", "delayed"


@dataclass
class Letter:
    """A message on its way to one of its hearers."""

    message: Message
    seq: int  # its line in the log
    to: str
    rng: random.Random
    tries: int = 0
    heard: bool = False
    acknowledged: bool = False
    due: float | None = None  # when it arrives, while it is in the air
    twice: bool = False  # a copy comes with it


class Post:
    def __init__(self, roster: Roster, log: Log, world: World, radio: Radio | None = None, seed: int = 0):
        check_range(radio, world)
        self.roster, self.log, self.world, self.radio, self.seed = roster, log, world, radio, seed
        self._open: list[Letter] = []  # those that may have to be sent again, or are in the air

    def send(self, kind: str, message: Message, causes: tuple[int, ...] = ()) -> None:
        """Let a robot's words out: into the log, and to everybody they are for."""
        facts = [[f.pred, f.args, f.value, f.time] for f in message.facts]
        seq = self.log.add(kind, message.sender, {"to": message.to, "text": message.text, "facts": facts}, causes)
        if self.radio is None:
            self.deliver(message)
            return
        missed: dict[str, list[str]] = {}
        twice: list[str] = []
        for name in self._hearers(message):
            letter = Letter(message, seq, name, rng_of(self.seed, "radio", seq, name))
            why = self._transmit(letter)
            self._keep(letter)
            if why:
                missed.setdefault(why, []).append(name)
            if letter.twice:
                twice.append(name)
        told = {**({"missed": missed} if missed else {}), **({"twice": twice} if twice else {})}
        if told:
            self.log.add("radio", message.sender, told, (seq,))

    def deliver(self, message: Message) -> None:
        """To everybody it is for, busy or not, as far as they are here."""
        facts = self._sent(message) if message.facts else ()
        for name in self._hearers(message):
            self._hand_over(message, name, facts)

    @staticmethod
    def _sent(message: Message) -> tuple[Fact, ...]:
        """Its facts as the word of its sender: that is where its hearers have them from."""
        sender = message.sender
        return tuple([f if f[4] == sender else f._replace(source=sender) for f in message.facts])

    def _hearers(self, message: Message) -> list[str]:
        agents = self.roster.agents
        to = agents if "all" in message.to else message.to
        return [n for n in to if n in agents and n != message.sender]

    def _hand_over(self, message: Message, name: str, facts: tuple[Fact, ...]) -> None:
        agent = self.roster.agents[name]
        side = self.roster.side_of.get(message.sender)
        strange = side is not None and side is not agent.side
        bare = strange or (side is not None and self.radio is not None and self.radio.text)
        heard = message._replace(facts=()) if bare and message.facts else message
        agent.view.inbox.append(heard)
        if heard.facts:
            agent.view.belief.tell_all(facts)

    # -- over the radio -------------------------------------------------------------------------------------------
    def _transmit(self, letter: Letter) -> str:
        """Send it once, or once more; why it was not heard at once, if it was not."""
        radio = self.radio
        assert radio is not None
        letter.tries += 1
        if radio.range and isinstance(self.world, Placed):
            apart = self.world.distance(letter.message.sender, letter.to)
            if apart is not None and apart > radio.range:
                return OUT_OF_RANGE
        if letter.rng.random() < radio.loss:
            return LOST
        letter.twice = letter.rng.random() < radio.duplicate and not radio.resend  # numbers give a copy away
        letter.acknowledged = letter.rng.random() >= radio.loss
        if radio.delay > 0:
            if not letter.heard:
                letter.due = self.world.now + radio.delay
            return DELAYED
        self._arrive(letter)
        return ""

    def _arrive(self, letter: Letter) -> None:
        letter.due = None
        if not letter.heard:
            letter.heard = True
            for _ in range(1 + letter.twice):
                self._hand_over(letter.message, letter.to, self._sent(letter.message))

    def again(self) -> None:
        """Deliver the messages that are due, and send again those that were not acknowledged."""
        open_, self._open = self._open, []
        for letter in open_:
            if letter.to not in self.roster.agents or letter.message.sender not in self.roster.agents:
                continue  # nobody is there any more
            before = letter.heard
            if letter.due is None:
                self._transmit(letter)
            elif letter.due <= self.world.now + 1e-9:
                self._arrive(letter)
            if letter.heard and not before:
                self.log.add("radio", letter.to, {"heard": letter.message.sender, "tries": letter.tries}, (letter.seq,))
            self._keep(letter)

    def _keep(self, letter: Letter) -> None:
        """While it is in the air, or may have to be sent again."""
        assert self.radio is not None
        if letter.due is not None or (not letter.acknowledged and letter.tries <= self.radio.resend):
            self._open.append(letter)

    def forget(self) -> None:
        """After going back in time."""
        self._open.clear()

    # -- talk inside decisions ------------------------------------------------------------------------------------
    def deliver_stage_talk(self) -> bool:
        """Deliver talk inside decisions since the last barrier. Return whether there was any, or may still be."""
        some = False
        if self._open:
            some = any(letter.due is None for letter in self._open)  # what is in the air takes its time
            self.again()
        for agent in self.roster.agents.values():
            outbox = agent.view.outbox
            if outbox:
                for message in outbox:
                    self.send("say", message)
                outbox.clear()
                some = True
        return some
