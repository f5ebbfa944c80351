"""`coterie talk --listen` and `--speak`: what is said aloud comes in, what is told goes out."""

from __future__ import annotations

import queue
import threading
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from coterie.cli.out import complain, say
from coterie.core.errors import CoterieError

if TYPE_CHECKING:
    from coterie.mission.voice.sound import Sound

MICROPHONE = "mic"
ANSWER_S = 120.0  # by the clock; whoever speaks waits for the answer


class Ears:
    """Hears files one after the other, or a microphone, and says what it heard as a person."""

    def __init__(self, hall: Any, who: str, sources: Sequence[str], after: Any):
        from coterie.mission.voice.devices import microphone
        from coterie.mission.voice.needs import load
        from coterie.mission.voice.sound import read

        load("pocketsphinx", "Listening")
        load("espeakng_loader", "Listening")
        self.hall, self.who, self.after = hall, who, after
        live = MICROPHONE in sources
        if live and len(sources) > 1:
            raise CoterieError(f"--listen takes files or '{MICROPHONE}', not both.")
        self.sounds: Iterator[Sound] = microphone() if live else iter([read(Path(p)) for p in sources])

    def read(self) -> None:
        """In a thread of its own."""
        try:
            self._read()
        except CoterieError as err:
            complain(err)
        self.after()

    def _read(self) -> None:
        from coterie.mission.voice.listening import SURE, Listener
        from coterie.talk.marks import FAINT, HEARD

        listener: Listener | None = None
        for sound in self.sounds:
            partner = self._partner()
            if partner is None:
                return
            if listener is None or listener.vocabulary is not partner.vocabulary:
                listener = Listener(partner.vocabulary, partner.examples())
            heard = listener.heard(sound)
            if not heard.text:
                say("> I could not make out what you said. Please say it again.")
                continue
            say(f"{self.who} (as I heard it): {heard.text}")
            before = self.hall.heard
            self.hall.speak(self.who, (HEARD if heard.sure >= SURE else FAINT) + heard.text)
            until = time.monotonic() + ANSWER_S
            while self.hall.heard <= before and not self.hall.ended and time.monotonic() < until:
                time.sleep(0.02)

    def _partner(self) -> Any:
        while not self.hall.ended:
            mission = self.hall.mission
            partner = getattr(self.hall, "partner", None) if mission is None else mission.partner
            if partner is not None and (mission is not None or self.hall.episode is not None):
                return partner
            time.sleep(0.02)
        return None


class Mouth:
    """Speaks what somebody is told: aloud, or into files of a folder."""

    def __init__(self, folder: str):
        from coterie.mission.voice.devices import check_loudspeaker
        from coterie.mission.voice.needs import load

        load("espeakng_loader", "Speaking")
        self.folder = Path(folder) if folder else None
        if self.folder is None:
            check_loudspeaker()
        else:
            self.folder.mkdir(parents=True, exist_ok=True)
        self._count = 0
        self._waiting: queue.Queue[str | None] = queue.Queue()
        self._thread = threading.Thread(target=self._speak, name="mouth", daemon=True)
        self._thread.start()

    def say(self, text: str) -> None:
        self._waiting.put(text)

    def close(self) -> None:
        self._waiting.put(None)
        self._thread.join(60.0)

    def _speak(self) -> None:
        from coterie.mission.voice.devices import play
        from coterie.mission.voice.sound import write
        from coterie.mission.voice.speaking import spoken

        while (text := self._waiting.get()) is not None:
            try:
                sound = spoken(text)
                if self.folder is None:
                    play(sound)
                else:
                    self._count += 1
                    write(self.folder / f"{self._count:04d}.wav", sound)
            except (CoterieError, OSError) as err:
                complain(f"That could not be spoken: {err}")
                return
