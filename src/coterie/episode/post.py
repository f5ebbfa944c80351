"""How words travel: whom a message reaches, what of it enters a belief, and what the log keeps.

Within a party a message carries the facts it rests on. Between parties only its text travels, and nobody speaks in
another's name: every message is what a robot's mind chose to say, or a person.
"""

from __future__ import annotations

from coterie.core.action import Message
from coterie.episode.roster import Roster
from coterie.log.file import Log


class Post:
    def __init__(self, roster: Roster, log: Log):
        self.roster, self.log = roster, log

    def deliver(self, message: Message) -> None:
        """To everybody it is for, busy or not, as far as they are here."""
        agents = self.roster.agents
        to = [n for n in agents if n != message.sender] if "all" in message.to else message.to
        side = self.roster.side_of.get(message.sender)
        for name in to:
            agent = agents.get(name)
            if agent is None or name == message.sender:
                continue
            heard = message if side is None or side is agent.side else message._replace(facts=())
            agent.view.inbox.append(heard)
            if heard.facts:
                agent.view.belief.tell_all(f._replace(source=message.sender) for f in heard.facts)

    def deliver_stage_talk(self) -> None:
        """What was said inside decisions since the last barrier."""
        for agent in self.roster:
            outbox = agent.view.outbox
            if outbox:
                for message in outbox:
                    self.note("say", message)
                    self.deliver(message)
                outbox.clear()

    def note(self, kind: str, m: Message, causes: tuple[int, ...] = ()) -> None:
        facts = [[f.pred, f.args, f.value, f.time] for f in m.facts]
        self.log.add(kind, m.sender, {"to": m.to, "text": m.text, "facts": facts}, causes)
