"""A talk on a page: what people do there is said in their name, and goes the way of all that is said."""

from __future__ import annotations

import threading
import time
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from coterie.cli.talk_terminal import Keyboard, Printer, Speaking, vocabulary_of
from coterie.core.errors import CoterieError
from coterie.episode.talk import HEARD, Told
from coterie.talk import meanings as m
from coterie.talk.wording import Wording

if TYPE_CHECKING:
    from coterie.live.process import Live


class TalkPage:
    """Between a talk and its page."""

    def __init__(self, live: Live, hall: Any, printer: Printer, keyboard: Keyboard):
        self.live, self.hall, self._speaking = live, hall, Speaking(hall)
        self._names = keyboard.names
        self._asked: dict[str, str] = {}
        printer.page, keyboard.stays, live.act = self, True, self.act
        hall.paced = lambda seconds: live.rest(seconds, hall.inputs)
        threading.Thread(target=self._begin, name="names", daemon=True).start()

    def _begin(self) -> None:
        while vocabulary_of(self.hall) is None and not self.hall.ended:
            time.sleep(0.05)
        self.live.tell({"names": self._names()})

    def act(self, wish: Mapping[str, Any]) -> None:
        """A click is the sentence that means the same."""
        if wish["do"] == "say":
            self._speaking.put(wish["person"], wish["text"])
        elif wish["do"] in ("stop", "release", "answer"):
            self._speaking.put(wish["person"], self._sentence(wish))

    def _sentence(self, wish: Mapping[str, Any]) -> str:
        number, meant = wish.get("number"), wish.get("answer", wish["do"])
        meanings: dict[str, m.Meaning] = {
            "stop": m.Stop(),
            "release": m.Steer("resume"),
            "yes": m.Approve(str(number) if number and number > 1 else ""),
            "no": m.Refuse(),
            "ask": m.Ask("plan"),
        }
        return Wording(vocabulary_of(self.hall)).sentence(meanings[meant])

    def told(self, told: Told) -> None:
        """Words to one person, as they come; and whether they are asked for a yes, where a log does not say it."""
        more = {"more": True} if told.number == HEARD else {}
        self.live.tell({"told": {"to": told.person, "text": told.text, "t": told.time, **more}})
        if self.hall.mission is None:
            try:
                asked = self.hall.partner.proposed(told.person)
            except CoterieError:
                asked = ""
            if asked != self._asked.get(told.person, ""):
                self._asked[told.person] = asked
                self.live.tell({"asked": {"to": told.person, "text": asked}})
