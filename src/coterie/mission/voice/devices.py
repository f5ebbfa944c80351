"""Microphone and loudspeaker, where the machine has them; cutting what is heard into utterances needs neither."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np

from coterie.core.errors import CoterieError
from coterie.mission.voice.needs import load
from coterie.mission.voice.sound import RATE_HZ, Sound

SHORTEST_S = 0.2  # a click is no word


def utterances(frames: Iterable[bytes], endpointer: Any = None) -> Iterator[Sound]:
    """What is said between two silences. Frames are as long as the end pointer wants them (`frame_bytes`)."""
    pointer = endpointer or new_endpointer()
    said: list[bytes] = []
    for frame in frames:
        if len(frame) < pointer.frame_bytes:
            break
        speech = pointer.process(frame)
        if speech is not None:
            said.append(speech)
        if said and not pointer.in_speech:
            sound = np.frombuffer(b"".join(said), dtype=np.int16)
            said = []
            if len(sound) >= SHORTEST_S * RATE_HZ:
                yield sound
    if said:
        yield np.frombuffer(b"".join(said), dtype=np.int16)


def new_endpointer() -> Any:
    return load("pocketsphinx", "Listening").Endpointer(sample_rate=RATE_HZ)


def frames_of(sound: Sound, endpointer: Any) -> Iterator[bytes]:
    """A sound as a microphone would give it."""
    data, size = sound.tobytes(), endpointer.frame_bytes
    for i in range(0, len(data), size):
        yield data[i : i + size]


def _devices(what: str) -> Any:
    package = load("sounddevice", f"{what} (with the library PortAudio of the machine)")
    try:
        package.query_devices(kind="input" if what == "The microphone" else "output")
    except Exception as error:
        raise CoterieError(
            f"{what} cannot be used here: {error}. Files can: --listen FILE.wav, --speak FOLDER."
        ) from error
    return package


def microphone() -> Iterator[Sound]:
    """Utterances, as somebody says them."""
    package, pointer = _devices("The microphone"), new_endpointer()

    def frames() -> Iterator[bytes]:
        count = pointer.frame_bytes // 2
        with package.RawInputStream(samplerate=RATE_HZ, channels=1, dtype="int16", blocksize=count) as stream:
            while True:
                yield bytes(stream.read(count)[0])

    return utterances(frames(), pointer)


def check_loudspeaker() -> None:
    _devices("The loudspeaker")


def play(sound: Sound) -> None:
    """Aloud, until it is over."""
    _devices("The loudspeaker").play(sound, RATE_HZ, blocking=True)
