"""Files of a user's own: each is loaded once, and one that is known does not keep the next from being loaded."""

import pytest

from coterie.core.errors import CoterieError
from coterie.episode.setup import load_plugins


def test_each_file_is_loaded_once_and_all_are(tmp_path):
    trace = tmp_path / "trace"
    files = []
    for name in ("one", "two", "three"):
        file = tmp_path / f"{name}.py"
        file.write_text(f"open({str(trace)!r}, 'a').write('{name} ')\n")
        files.append(str(file))
    load_plugins(files[:1])
    load_plugins(files)
    load_plugins(reversed(files))
    assert trace.read_text().split() == ["one", "two", "three"]


def test_what_cannot_be_loaded_is_named(tmp_path):
    with pytest.raises(CoterieError, match="There is no file"):
        load_plugins([str(tmp_path / "none.py")])
    broken = tmp_path / "broken.py"
    broken.write_text("1 / 0\n")
    with pytest.raises(CoterieError, match="could not be loaded: ZeroDivisionError"):
        load_plugins([str(broken)])
    text = tmp_path / "words.txt"
    text.write_text("x = 1\n")
    with pytest.raises(CoterieError, match="is not a Python file"):
        load_plugins([str(text)])
