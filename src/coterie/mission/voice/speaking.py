"""Words to sound, by espeak-ng: the same words, voice and speed give the same sound."""

from __future__ import annotations

import ctypes
import threading
from typing import Any

import numpy as np

from coterie.core.errors import CoterieError
from coterie.mission.voice.needs import load
from coterie.mission.voice.sound import RATE_HZ, Sound, at_rate

VOICE = "en-us"
WORDS_A_MINUTE = 160
_SYNCHRONOUS, _NO_EXIT, _UTF8, _BY_CHARACTER, _RATE, _IPA = 2, 0x8000, 1, 1, 1, 2
_lock = threading.Lock()  # the library has one state
_library: tuple[Any, int] | None = None


def _loaded() -> tuple[Any, int]:
    """The library and its rate [Hz]."""
    global _library
    if _library is None:
        package = load("espeakng_loader", "Speaking")
        try:
            library = ctypes.CDLL(package.get_library_path())
        except OSError as error:
            raise CoterieError(f"Speaking does not work on this machine: {error}.") from error
        library.espeak_TextToPhonemes.restype = ctypes.c_char_p
        rate = library.espeak_Initialize(_SYNCHRONOUS, 0, package.get_data_path().encode(), _NO_EXIT)
        if rate <= 0:
            raise CoterieError("Speaking does not work on this machine: espeak-ng does not start.")
        _library = (library, rate)
    return _library


_CALLBACK = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.POINTER(ctypes.c_short), ctypes.c_int, ctypes.c_void_p)


def spoken(text: str, voice: str = VOICE, words_a_minute: int = WORDS_A_MINUTE) -> Sound:
    """A text as it sounds, at the rate that is listened to."""
    parts: list[bytes] = []

    def take(samples: Any, count: int, _: Any) -> int:
        if samples and count > 0:
            parts.append(ctypes.string_at(samples, 2 * count))
        return 0

    callback = _CALLBACK(take)
    with _lock:
        library, rate = _loaded()
        library.espeak_SetSynthCallback(callback)
        if library.espeak_SetVoiceByName(voice.encode()) != 0:
            raise CoterieError(f"There is no voice '{voice}'; en-us, en (British) and en-us+f3 are some.")
        library.espeak_SetParameter(_RATE, words_a_minute, 0)
        data = text.encode("utf-8", "replace")
        library.espeak_Synth(data, len(data) + 1, 0, _BY_CHARACTER, 0, _UTF8, None, None)
        library.espeak_Synchronize()
    made = np.frombuffer(b"".join(parts), dtype=np.int16)
    return at_rate(made, rate, RATE_HZ)


def phonemes(word: str) -> str:
    """How a word sounds, in the letters of the phonetic alphabet."""
    with _lock:
        library, _ = _loaded()
        library.espeak_SetVoiceByName(VOICE.encode())
        text = ctypes.c_char_p(word.encode("utf-8", "replace"))
        found = library.espeak_TextToPhonemes(ctypes.byref(text), _UTF8, _IPA)
    return (found or b"").decode("utf-8", "replace")
