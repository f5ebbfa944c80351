"""Sound as an array: files of the kind WAV, and other rates."""

from __future__ import annotations

import io
import wave
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from coterie.core.bounds import read_bounded
from coterie.core.errors import CoterieError

RATE_HZ = 16_000  # of what is listened to
MOST_BYTES = 50_000_000
Sound = NDArray[np.int16]


def at_rate(sound: Sound, rate_hz: int, wanted_hz: int = RATE_HZ) -> Sound:
    """The same sound at another rate. What would alias is filtered out first."""
    if rate_hz == wanted_hz or not len(sound):
        return sound
    values = sound.astype(np.float64)
    if wanted_hz < rate_hz:
        taps = 63
        at = np.arange(taps) - taps // 2
        cut = 0.45 * wanted_hz / rate_hz
        kernel = 2 * cut * np.sinc(2 * cut * at) * np.hamming(taps)
        values = np.convolve(values, kernel / kernel.sum(), mode="same")
    count = round(len(values) * wanted_hz / rate_hz)
    times = np.arange(count) * (rate_hz / wanted_hz)
    made = np.interp(times, np.arange(len(values)), values)
    return np.asarray(np.clip(np.round(made), -32768, 32767), dtype=np.int16)


def read(path: Path) -> Sound:
    """A file as it is listened to: one channel, 16 kHz."""
    data = read_bounded(path, "sound", MOST_BYTES)
    try:
        with wave.open(io.BytesIO(data)) as file:
            if file.getsampwidth() != 2:
                raise CoterieError(f"'{path}' has {8 * file.getsampwidth()} bits a sample; save it with 16.")
            rate, channels = file.getframerate(), file.getnchannels()
            if not 4000 <= rate <= 200_000:
                raise CoterieError(f"'{path}' has {rate} samples a second; save it with 16000.")
            samples = np.frombuffer(file.readframes(file.getnframes()), dtype="<i2")
    except (wave.Error, EOFError, ValueError) as error:
        raise CoterieError(f"'{path}' is not a sound that can be read ({error}); save it as WAV.") from error
    if channels > 1:
        samples = samples[: len(samples) // channels * channels].reshape(-1, channels).mean(axis=1).astype(np.int16)
    return at_rate(np.asarray(samples, dtype=np.int16), rate)


def write(path: Path, sound: Sound, rate_hz: int = RATE_HZ) -> None:
    with wave.open(str(path), "wb") as file:
        file.setnchannels(1)
        file.setsampwidth(2)
        file.setframerate(rate_hz)
        file.writeframes(sound.astype("<i2").tobytes())
