"""Files that others wrote: whoever reads one refuses what is no plain file, too large, or costly, and never waits."""

import ast
import contextlib
import gzip
import json
import os
import signal
import socket
import stat
import struct
import tomllib
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import coterie
from coterie.bench.report import _tex as export_tex
from coterie.bench.results import load as load_results
from coterie.cli import main
from coterie.core.bounds import MB, MOST_DEEP, MOST_PARTS, read_bounded, read_json, read_lines
from coterie.core.errors import CoterieError
from coterie.core.protocol import Ask
from coterie.core.reader import costly_toml, load_toml
from coterie.episode.play import calls_beside, wall_path
from coterie.houses.procthor.load import load_house
from coterie.learn.samples import card_of
from coterie.learn.samples import read as read_samples
from coterie.learn.trained import load as load_training
from coterie.models.adapter import Deltas, about
from coterie.models.scripted import Recorded, Scripted
from coterie.models.shared import Shared

PATIENCE_S = 20
SOURCES = Path(coterie.__file__).parent


def command(*words):
    def run(path):
        code = main([w.replace("FILE", str(path)) for w in words])
        if code == 2:
            raise CoterieError("told on standard error")
        raise AssertionError(f"exit {code}")

    return run


#: Whatever reads a file that somebody else may have written: the suffix of such a file, and who reads it.
READERS = {
    "task": (".toml", command("run", "FILE")),
    "task of a bench, or experiment": (".toml", command("bench", "FILE", "--no-plots", "--out", "out")),
    "scene": (".toml", command("run", "pack-objects", "--scene", "FILE")),
    "house to tidy": (".toml", command("run", "tidy", "--scene", "FILE")),
    "house to pack in": (".json", command("run", "pack-objects", "--scene", "FILE")),
    "place": (".toml", command("mission", "FILE", "--goal", "medkit")),
    "card of a mission": (".toml", command("mission", "hospital", "--goal", "medkit", "--card", "FILE")),
    "card": (".toml", command("run", "pack-objects", "--card", "FILE", "--team", "Ma-Mule-MoMa")),
    "arm": (".toml", command("run", "sort-cubes", "--arms", "FILE")),
    "model of an arm": (".xml", command("arm", "import", "FILE", "--out", "arm.toml")),
    "house": (".json", load_house),
    "houses": (".jsonl", load_house),
    "packed houses": (".jsonl.gz", load_house),
    "log to replay": (".jsonl", command("replay", "FILE")),
    "log to resume": (".jsonl", command("run", "--resume", "FILE")),
    "log to write": (".jsonl", command("run", "pack-objects", "--log", "FILE")),
    "mission": (".jsonl", command("mission", "--resume", "FILE")),
    "talk": (".jsonl", command("talk", "--resume", "FILE")),
    "recording": (".jsonl", Recorded),
    "script": (".json", Scripted.from_file),
    "script of a talk": (".talk", command("talk", "--script", "FILE")),
    "memo": (".sqlite", command("memo", "stats", "--file", "FILE")),
    "samples": (".jsonl", lambda path: list(read_samples(path))),
    "training": (".npz", load_training),
    "export": (".npz", command("learn", "export", "FILE", "--out", "a.gguf")),
    "adapter": (".gguf", Deltas),
    "about an adapter": (".gguf", about),
    "results": (".jsonl", load_results),
    "lines": (".jsonl", lambda path: list(read_lines(path, "file"))),
    "bytes": (".bin", lambda path: read_bounded(path, "file", 1000)),
    "json": (".json", lambda path: read_json(path, "file", 1000)),
}  # fmt: skip


def pipe(path):
    os.mkfifo(path)


def a_socket(path):
    os.mknod(path, stat.S_IFSOCK | 0o600)


def device(path):
    path.symlink_to("/dev/zero")


def huge(path):
    with path.open("wb") as file:
        file.truncate(2 * 10**9)  # which takes no room


ODD = {"pipe": pipe, "socket": a_socket, "device": device, "folder": Path.mkdir, "huge": huge}


@contextlib.contextmanager
def hurry():
    """What waits for somebody is woken, and fails."""

    def wake(*_):
        raise AssertionError(f"it did not end within {PATIENCE_S} s")

    before = signal.signal(signal.SIGALRM, wake)
    signal.alarm(PATIENCE_S)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)


@pytest.mark.parametrize("odd", ODD)
@pytest.mark.parametrize("reader", READERS)
def test_nobody_waits_for_what_is_no_plain_file(reader, odd, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    suffix, read = READERS[reader]
    path = tmp_path / f"odd{suffix}"
    ODD[odd](path)
    with hurry(), pytest.raises(CoterieError):
        read(path)
    assert "Traceback" not in capsys.readouterr().err


@pytest.mark.parametrize("name", ["results.jsonl", "wall.jsonl"])
@pytest.mark.parametrize("odd", ["pipe", "device", "folder"])
def test_a_folder_of_results_may_hold_anything(name, odd, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    Path("out").mkdir()
    ODD[odd](Path("out", name).absolute())
    with hurry():
        assert main(["bench", "smoke", "--episodes", "1", "--no-plots", "--out", "out"]) == 2
    said = capsys.readouterr().err
    assert "Cannot" in said.splitlines()[-1] and "Traceback" not in said, said


@pytest.mark.parametrize("name", ["config.json", "shard.json", "results.jsonl", "wall.jsonl"])
@pytest.mark.parametrize("odd", ["pipe", "folder", "huge"])
def test_a_shard_may_hold_anything(name, odd, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    words = ["bench", "smoke", "--episodes", "1", "--no-plots", "--out", "out"]
    assert main([*words, "--shard", "1/1"]) == 0
    place = next(Path("out").rglob("shard.json")).parent
    (place / name).unlink()
    ODD[odd]((place / name).absolute())
    capsys.readouterr()
    with hurry():
        assert main(["bench", "--merge", "out"]) == 2
    said = capsys.readouterr().err
    assert len(said.splitlines()) == 1 and "Traceback" not in said, said


def test_what_stands_beside_a_file_is_left_out_where_it_is_none(tmp_path):
    log, samples = tmp_path / "a.jsonl", tmp_path / "demonstrations.jsonl"
    pipe(wall_path(log))
    pipe(card_of(samples))
    from coterie.learn.binding import protocol_of
    from coterie.learn.school import first_seed

    with hurry():
        assert calls_beside(log) == [] and first_seed(tmp_path, 7) == 7 and protocol_of([samples]) == ""


# -- what is written of it --------------------------------------------------------------------------------------------
LIVE = "0.1\n\\input{/etc/passwd}\r\\write18{id}\u2028\\x\n<script>alert(1)</script>\n| a |"


def test_nothing_in_a_row_of_results_is_live_in_a_table(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    words = ["bench", "smoke", "--episodes", "1", "--no-plots", "--out", "out"]
    assert main(words) == 0
    plain = {name: Path("out", name).read_text().splitlines() for name in ("table.tex", "table.md")}
    row = json.loads(Path("out/results.jsonl").read_text())
    row |= {"version": LIVE, "commit": LIVE, "=cmd()": LIVE, "served": LIVE}
    Path("out/results.jsonl").write_text(json.dumps(row) + "\n")
    assert main(words) == 0, "the row is kept"
    for name, lines in plain.items():
        found = Path("out", name).read_bytes().decode().split("\n")[:-1]
        assert len(found) == len(lines) and "write18" in "".join(found), name
        assert [line for line in found if "input{" in line and not line.startswith(("%", "1 episode"))] == []
    assert "<script" not in Path("out/table.md").read_text().replace("\\<script", "")
    assert ",'=cmd()," in Path("out/results.csv").read_text().partition("\n")[0]


@pytest.mark.parametrize("method", [LIVE, "a\\b^^5cinput", "a%b", "~$#_&{}"])
def test_names_are_shown_by_tex_and_not_run(method):
    shown = export_tex(method)
    assert "\n" not in shown and "\r" not in shown
    bare = shown
    for kind in ("textbackslash{}", "textasciitilde{}", "textasciicircum{}", *"&%$#_{}"):
        bare = bare.replace(f"\\{kind}", "")
    assert not set(bare) & set("\\&%$#_{}~^"), bare


# -- replies ----------------------------------------------------------------------------------------------------------
MIND = """
from coterie.core.protocol import Reply
from coterie.models import Kind, models
class Odd:
    name = "odd"
    def answer(self, asks):
        return [REPLY for _ in asks]
models.put("odd", Kind("odd", "gives odd replies", lambda rest, options: Odd()))
"""


@pytest.mark.parametrize(
    "reply",
    [
        'Reply("x", "many", 1)',
        'Reply("x", 1, 2.5)',
        'Reply("x", error=None)',
        '"x"',
    ],
)
def test_odd_replies_of_a_model_are_told(reply, tmp_path, monkeypatch, capsys, own_names):
    monkeypatch.chdir(tmp_path)
    Path("odd.py").write_text(MIND.replace("REPLY", reply))
    assert main(["run", "pack-objects", "--protocol", "dynahmrc", "--model", "odd", "--load", "odd.py"]) == 2
    said = capsys.readouterr().err.splitlines()[0]
    assert "reply of a model has" in said or "which is no Reply" in said


def test_odd_replies_in_a_log_are_told(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    assert main(["run", "pack-objects", "--protocol", "dynahmrc", "--model", "oracle", "--log", "a.jsonl"]) == 0
    lines = Path("a.jsonl").read_text().splitlines(keepends=True)
    at = next(i for i, line in enumerate(lines) if '"reply"' in line)
    spoilt = json.loads(lines[at])
    spoilt[5]["tokens_in"] = "many"
    Path("a.jsonl").write_text("".join([*lines[:at], json.dumps(spoilt) + "\n", *lines[at + 1 : len(lines) // 2]]))
    assert main(["run", "--resume", "a.jsonl"]) == 2
    assert "has 'many' as its `tokens_in`" in capsys.readouterr().err


@pytest.mark.parametrize(
    "answer",
    [b'[["x", "many", 1]]', b'[["x", 1, 1, "", "", 5]]', b"[5]", b"{}", b"[]", b"nonsense", b"\xff", b"[" * 5000],
)
def test_odd_replies_of_a_shared_model_are_told(answer):
    model = Shared(Path("nowhere"))
    near, far = socket.socketpair()
    model._line = near
    with near, far, hurry():
        far.sendall(struct.pack("!I", len(answer)) + answer)
        with pytest.raises(CoterieError):
            model.answer([Ask("Alice", "x", 0, 0, (("user", "?"),))])


# -- TOML -------------------------------------------------------------------------------------------------------------
LONG = ".".join("abcdefghij")
#: Texts around a key that is too long, each of which a parser reads to that key.
HIDDEN = (
    "{}=1", "[{}]", "[[{}]]", "x={{a={{{}=1}}}}", 'x=[""" """", {{{}=1}}]', 'x=[""" """"", {{{}=1}}]',
    "x=[''' '''', {{{}=1}}]", 'x="a\\"b" \n{}=1', 'x=["\\\\",{{{}=1}}]', "x=['\\',{{{}=1}}]", '"a#"=1\n{}=1',
    "x='''a'''\n{}=1", 'x="""a\\\\"""\n{}=1', 'x=""\n{}=1', "x=''\n{}=1", 'x=""""""\n{}=1', '# "\n{}=1',
    'x=1 # """\n{}=1',
)  # fmt: skip


@pytest.mark.parametrize("around", HIDDEN)
def test_no_text_hides_a_key_from_the_bounds(around):
    assert costly_toml(around.format(LONG)) and not costly_toml(around.format("a.b.c"))
    assert tomllib.loads(around.format(LONG))


def test_what_stands_in_texts_and_comments_does_not_count(tmp_path):
    brackets, dots = "[" * 200, "a." * 50
    path = tmp_path / "a.toml"
    path.write_text(
        f'a = "{brackets} {dots}" # {brackets}{dots}\nb = """\n{dots}{brackets}\n"""\nc = \'{dots}{brackets}\'\n'
    )
    assert set(load_toml(path, "task")) == {"a", "b", "c"}
    path.write_text("x = [" + "1.5, " * 1000 + "1979-05-27T07:32:00.999]\n" + "a.b.c = 1\n")
    assert len(load_toml(path, "task")["x"]) == 1001


nested = st.recursive(
    st.integers(0, 9) | st.floats(0, 9) | st.text("ab.[]{}#\\\"'\n", max_size=8) | st.booleans(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text("ab.\"' ", max_size=4), inner, max_size=3),
    max_leaves=12,
)


@settings(max_examples=25)
@given(st.dictionaries(st.text("ab.\"'#[ ", max_size=4), nested, max_size=4))
def test_what_people_write_is_not_taken_for_costly(data):
    def written(value):
        if isinstance(value, dict):
            return "{" + ", ".join(f"{json.dumps(k)} = {written(v)}" for k, v in value.items()) + "}"
        if isinstance(value, list):
            return "[" + ", ".join(map(written, value)) + "]"
        return json.dumps(value)

    text = "".join(f"{json.dumps(key)} = {written(value)}\n" for key, value in data.items())
    assert costly_toml(text) == "" and tomllib.loads(text) == data


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (".".join("a" * 50_000) + " = 1", f"more than {MOST_PARTS} parts"),
        ("x = " + "[" * 40_000, f"nested more than {MOST_DEEP} deep"),
        ("x = " + "{a = " * 100 + "1" + "}" * 100, f"nested more than {MOST_DEEP} deep"),
        ("x = 1\n" * 300_000, "larger than 1 MB"),
    ],
)
def test_costly_toml_is_refused_before_it_is_parsed(text, words, tmp_path, monkeypatch):
    path = tmp_path / "a.toml"
    path.write_text(text)
    monkeypatch.setattr(tomllib, "loads", lambda _: pytest.fail("it was parsed"))
    with pytest.raises(CoterieError, match=words):
        load_toml(path, "task")


# -- houses -----------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("name", "piece"),
    [
        ("a.jsonl.gz", b"\n"), ("a.jsonl.gz#7", b"\n" + b" " * 9_999), ("a.json", b" "), ("a.jsonl.gz#0", b"[" * 100),
    ],
)  # fmt: skip
def test_a_packed_house_is_not_unpacked_to_its_end(name, piece, tmp_path, monkeypatch):
    """A megabyte that holds a gigabyte."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("coterie.houses.procthor.load.MOST_FILE", 50 * MB)
    packed = gzip.compress(piece * (10**7 // len(piece)), 9)
    Path(name.partition("#")[0]).write_bytes(packed * 100)
    with hurry(), pytest.raises(CoterieError, match=r"that is more than is read|holds more than is read"):
        load_house(name)


# -- nobody reads by themselves ---------------------------------------------------------------------------------------
#: Who reads files without the bounds, and whose files these are.
OWN = {
    "core/files.py": "writes, with a mode; and what ships with a package",
    "bench/cluster/slurm.py": "what a shard of this bench wrote",
    "core/reader.py": "after the bounds",
    "episode/plugins.py": "code that was named with --load",
    "link/fire.py": "the user's own folder of robots; a stop must load nothing",
    "models/store.py": "pip's",
    "models/tensors.py": "the loader of weights itself",
    "models/threads.py": "the system's",
    "houses/procthor/load.py": "after the bounds",
    "planning/child.py": "of the process that started this one",
    "mission/language/parser.py": "in the user's cache, and only of this user",
}  # fmt: skip
#: Data of the package, found beside its modules.
PACKAGED = (
    "export/foxglove.py",
    "episode/talk_script.py", "learn/rename.py", "learn/scenes.py", "learn/sentences.py", "talk/brief.py",
    "talk/reader.py", "talk/stop.py", "talk/checking.py", "talk/forms.py",
    "live/server.py", "page/__init__.py", "protocols/adhoc/types/__init__.py", "protocols/learning/features.py",
    "protocols/shared/templates.py", "protocols/interpreter.py",
    "worlds/hospital/domain.py", "houses/placement.py",
    "worlds/indoor/tasks/vocabulary.py",
)  # fmt: skip
_READS = {
    "json.load", "tomllib.load", "tomllib.loads", "gzip.open", "gzip.GzipFile", "np.load", "np.memmap", "np.fromfile",
    "pickle.load", "pickle.loads", "marshal.load", "marshal.loads", "zipfile.ZipFile", "tarfile.open", "open",
}  # fmt: skip


def reads(file):
    text = file.read_text(encoding="utf-8")
    if not any(word in text for word in ("open(", ".read_", ".load", ".GzipFile", "memmap", "fromfile", "ZipFile")):
        return
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Call):
            name = ast.unparse(node.func)
            modes = {a.value for a in (*node.args, *(k.value for k in node.keywords)) if isinstance(a, ast.Constant)}
            opens = name.endswith(".open") and modes & {"r", "rb", "rt"}
            if name in _READS or opens or name.endswith((".read_text", ".read_bytes")):
                yield f"{file.relative_to(SOURCES).as_posix()}:{node.lineno} {name}"


def test_nobody_reads_files_past_the_bounds():
    allowed = {*OWN, *PACKAGED}
    found = [read for file in SOURCES.rglob("*.py") for read in reads(file)]
    assert [read for read in found if read.partition(":")[0] not in allowed] == []
    assert {read.partition(":")[0] for read in found} == allowed, "and nobody is allowed it who does not"
