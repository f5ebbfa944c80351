"""How words sound, in the phones of the recogniser: from its dictionary, or from how espeak-ng would say them."""

from __future__ import annotations

import re

from coterie.mission.voice.speaking import phonemes

#: Signs of the phonetic alphabet as the recogniser's phones; the longer ones are looked for first.
_PHONES = {
    "tʃ": "CH", "dʒ": "JH", "aɪ": "AY", "aʊ": "AW", "eɪ": "EY", "oʊ": "OW", "əʊ": "OW", "ɔɪ": "OY", "ɑː": "AA",
    "ɔː": "AO", "iː": "IY", "uː": "UW", "ɜː": "ER", "oː": "AO", "aɪə": "AY ER", "ɪɹ": "IH R", "ɛɹ": "EH R",
    "ʊɹ": "UH R", "ɑːɹ": "AA R", "ɔːɹ": "AO R", "əl": "AH L", "p": "P", "b": "B", "t": "T", "d": "D", "k": "K",
    "ɡ": "G", "g": "G", "f": "F", "v": "V", "θ": "TH", "ð": "DH", "s": "S", "z": "Z", "ʃ": "SH", "ʒ": "ZH",
    "h": "HH", "m": "M", "n": "N", "ŋ": "NG", "l": "L", "ɹ": "R", "r": "R", "j": "Y", "w": "W", "ɐ": "AH", "ə": "AH",
    "ʌ": "AH", "ɚ": "ER", "ɝ": "ER", "æ": "AE", "a": "AE", "ɛ": "EH", "e": "EH", "ɪ": "IH", "i": "IY", "ᵻ": "IH",
    "ʊ": "UH", "u": "UW", "ɑ": "AA", "ɒ": "AA", "ɔ": "AO", "o": "OW", "ɾ": "D", "ʔ": "T", "x": "K",
}  # fmt: skip
_SIGNS = re.compile("|".join(sorted(map(re.escape, _PHONES), key=len, reverse=True)))


def sounds(word: str) -> str:
    """The phones of a word that the dictionary does not have."""
    found = " ".join(_PHONES[s] for s in _SIGNS.findall(phonemes(word)))
    return found or "AH"
