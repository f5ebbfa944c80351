"""A report of an unforeseen error, for developers: where it happened, in which version; no secrets."""

from __future__ import annotations

import contextlib
import os
import platform
import re
import shlex
import time
import traceback
from collections.abc import Sequence
from pathlib import Path

from coterie import __version__
from coterie.core.files import cache_dir

HIDDEN = "(hidden)"
MOST = 200_000  # characters; a recursion that ran away tells the same line many times
#: Variables whose values are nobody's business, by their names.
_SECRET_NAME = re.compile(r"KEY|TOKEN|SECRET|PASS|CREDENTIAL|AUTH", re.I)
_SECRET = (
    re.compile(r"(?<=://)[^/\s'\"@]*@"),  # who may enter, in an address
    re.compile(r"(?<=[?&])[^=\s&'\"]*(?:key|token|secret|auth)[^=\s&'\"]*=[^&\s'\"]+", re.I),
    re.compile(r"\b(?:Bearer|Basic)\s+[\w.~+/=-]{6,}", re.I),
    re.compile(r"\b(?:sk|pk|hf|gsk|xai|nvapi|AIza|ghp|glpat)[-_]?[\w-]{16,}"),
)


def write_report(error: BaseException, words: Sequence[str]) -> Path | None:
    """A file in the user's cache, else in the current folder; None where neither can be written."""
    told = "".join(traceback.format_exception(error))
    lines = [
        f"Coterie {__version__}, Python {platform.python_version()}, {platform.system()} {platform.machine()}",
        f"command: coterie {shlex.join(words)}",
        "",
        told if len(told) <= MOST else f"{told[: MOST // 2]}\n[...]\n{told[-MOST // 2 :]}",
    ]
    text = without_secrets("\n".join(lines))
    name = f"coterie-report-{time.strftime('%Y%m%d-%H%M%S')}-{os.getpid()}.txt"
    for folder in (cache_dir() / "reports", Path()):
        with contextlib.suppress(OSError, ValueError):
            folder.mkdir(parents=True, exist_ok=True)
            path = folder / name
            path.write_text(text, encoding="utf-8", errors="backslashreplace")
            return path
    return None


def without_secrets(text: str) -> str:
    """Keys of the environment, passwords in addresses and whatever looks like a key are left out."""
    values = {v for name, v in os.environ.items() if _SECRET_NAME.search(name) and len(v) >= 6}
    for value in sorted(values, key=len, reverse=True):
        text = text.replace(value, HIDDEN)
    for form in _SECRET:
        text = form.sub(HIDDEN, text)
    return text
