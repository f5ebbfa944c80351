"""Shards: every row in one of them, and together what one process would have written, byte for byte."""

import json
import os
import shutil
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from coterie.bench.cluster.shards import LABEL, Plan, Shard, owners, parse_shard, ranges, unit_name
from coterie.bench.methods import parse_method
from coterie.bench.report import CSV, LATEX
from coterie.bench.results import CONFIG, RESULTS, TABLE, WALL
from coterie.bench.runner import in_turn
from coterie.bench.spec import EpisodeSpec
from coterie.cli import main
from coterie.core import files
from coterie.core.config import Config
from coterie.core.errors import CoterieError
from coterie.core.files import Lock

WORDS = ["bench", "smoke", "--methods", "rules,random-legal,dynahmrc+memo", "--model", "oracle", "--episodes", "5"]


@pytest.fixture(scope="module")
def played(tmp_path_factory):
    """The same bench in one piece and in three; with a method that has a memo."""
    folder = tmp_path_factory.mktemp("shards")
    assert main([*WORDS, "--no-plots", "--out", str(folder / "one")]) == 0
    for n in (3, 1, 2):
        assert main([*WORDS, "--no-plots", "--out", str(folder / "parts"), "--shard", f"{n}/3"]) == 0
    return folder


@pytest.fixture
def parts(played, tmp_path):
    """Shards to be spoilt."""
    shutil.copytree(played / "parts", tmp_path / "parts")
    return tmp_path / "parts"


def said(capsys, *words):
    assert main(list(words)) == 2
    return capsys.readouterr().err


def test_merged_shards_are_one_bench_byte_for_byte(played, tmp_path):
    assert main(["bench", "merge", str(played / "parts"), "--no-plots", "--out", str(tmp_path)]) == 0
    for name in (RESULTS, TABLE, CONFIG):
        assert (tmp_path / name).read_bytes() == (played / "one" / name).read_bytes(), name
    sizes = [json.loads((p / LABEL).read_text())["rows"] for p in (played / "parts" / "shards").iterdir()]
    assert sum(sizes) == 15 and min(sizes) >= 4, "each has something to do"


@pytest.mark.long
def test_plots_of_merged_shards_are_those_of_one_bench_byte_for_byte(tmp_path):
    pytest.importorskip("matplotlib")
    words = ["bench", "pack-objects:easy", "--methods", "rules", "--episodes", "2"]  # of a task there is one figure
    assert main([*words, "--out", str(tmp_path / "one")]) == 0
    for n in (1, 2):
        assert main([*words, "--out", str(tmp_path / "parts"), "--shard", f"{n}/2"]) == 0
    assert main(["bench", "merge", str(tmp_path / "parts"), "--out", str(tmp_path / "whole")]) == 0
    one, whole = folder_bytes(tmp_path / "one"), folder_bytes(tmp_path / "whole")
    assert {"plots/methods.png", "plots/methods.pdf", RESULTS, TABLE, CSV, LATEX, CONFIG} <= set(one)
    assert [name for name in one if one[name] != whole.get(name)] == [WALL] and set(one) == set(whole)


def test_shards_from_folders_of_several_machines(played, tmp_path):
    for n in (1, 2, 3):
        shutil.copytree(played / "parts" / "shards" / f"{n}-of-3", tmp_path / f"machine{n}" / "shards" / f"{n}-of-3")
    folders = [str(tmp_path / f"machine{n}") for n in (2, 3, 1)]
    words = ["--no-plots", folders[0], "--out", str(tmp_path / "out"), *folders[1:]]  # options stand anywhere
    assert main(["bench", "merge", *words]) == 0
    assert (tmp_path / "out" / TABLE).read_bytes() == (played / "one" / TABLE).read_bytes()


def test_what_is_missing_torn_foreign_or_there_twice_is_named(played, parts, tmp_path, capsys):
    merge, two = ["bench", "merge", str(parts), "--no-plots"], parts / "shards" / "2-of-3"
    aside = tmp_path / "aside"

    os.rename(two, aside)
    assert "Shard 2 of 3 missing" in said(capsys, *merge)
    os.rename(aside, two)

    whole = (two / RESULTS).read_bytes()
    first = (parts / "shards" / "1-of-3" / RESULTS).read_bytes().splitlines(True)[0]
    row = json.loads(whole.splitlines()[0])
    for raw, words in (
        (b"", "not whole: 0 of"),
        (whole[:-7], "not whole"),
        (whole[: whole[:-1].rfind(b"\n") + 1], "not whole"),
        (whole + first, "not whole"),
        (whole + b'{"key":"elsewhere/1","method":"rules"}\n', "elsewhere/1 by rules is of another bench"),
        (whole + whole.splitlines(True)[0], f"{row['key']} by {row['method']} is there twice"),
        (whole.replace(b'"ps":', b'"ps":"many","pps":', 1), "'ps' is 'many', and should be: number"),
    ):
        (two / RESULTS).write_bytes(raw)
        before = folder_bytes(parts)
        assert "Shard 2/3" in (text := said(capsys, *merge)) and words in text, raw[-200:]
        assert folder_bytes(parts) == before, "nothing is lost, nothing written"
    (two / RESULTS).write_bytes(whole)

    label = json.loads((two / LABEL).read_text())
    (two / LABEL).write_text(json.dumps({**label, "bench": "x", "about": {**label["about"], "suite": "tidy"}}))
    assert "another bench" in (text := said(capsys, *merge)) and "suite is smoke" in text.replace("tidy", "smoke")
    (two / LABEL).write_text(json.dumps({**label, "whole": False}))
    assert "Not played to the end: shard 2" in said(capsys, *merge)
    (two / LABEL).write_text("{")
    assert "is damaged" in said(capsys, *merge)
    (two / LABEL).write_text(json.dumps(label))

    shutil.copytree(two, tmp_path / "copy")
    assert main([*merge[:3], str(tmp_path / "copy"), "--no-plots", "--out", str(tmp_path / "out")]) == 0
    assert "there twice with the same rows" in capsys.readouterr().out
    (tmp_path / "copy" / RESULTS).write_bytes(whole.replace(b'"success":true', b'"success":false', 1))
    assert "twice, and not the same" in said(capsys, *merge[:3], str(tmp_path / "copy"), "--no-plots")
    assert "no shards" in said(capsys, "bench", "merge", str(tmp_path / "nowhere"))


@pytest.mark.parametrize("number", [1, 2])
def test_a_config_that_is_torn_missing_or_foreign_is_named_with_what_to_type(number, parts, tmp_path, capsys):
    merge = ["bench", "merge", str(parts), "--no-plots"]
    path = parts / "shards" / f"{number}-of-3" / CONFIG
    whole = path.read_bytes()
    data = json.loads(whole)
    odd = [b"", whole[:-9], b"[]", b"{}", b"7", b"\xff\xfe", b'{"episodes":[1],"methods":[]}', b"[" * 100_000]
    odd.append(json.dumps({**data, "methods": [{}]}).encode())
    for raw in odd:
        path.write_bytes(raw)
        text = said(capsys, *merge)
        assert f"Shard {number}/3" in text and "is missing or damaged" in text and "--fresh" in text, raw
    for name, value in {"suite": "tidy", "model": "none", "episodes": data["episodes"][:1]}.items():
        path.write_text(json.dumps({**data, name: value}))
        assert f"Shard {number}/3" in (text := said(capsys, *merge)) and "is of another bench" in text
    path.write_bytes(whole.replace(b"coterie bench smoke", b"coterie bench tidy"))
    assert "another command than shard 1/3" in (text := said(capsys, *merge)) and "coterie bench tidy" in text
    path.unlink()
    assert "is missing" in said(capsys, *merge)
    assert main([*WORDS, "--no-plots", "--out", str(parts), "--shard", f"{number}/3"]) == 0
    assert path.read_bytes() == whole, "as the sentence says"


def test_shards_of_other_commits_and_addresses_are_merged_with_a_note(parts, tmp_path, capsys):
    path = parts / "shards" / "2-of-3" / CONFIG
    data = json.loads(path.read_text(encoding="utf-8"))
    near = data["command"].replace("coterie bench smoke", "coterie bench smoke --base-url http://elsewhere/v1")
    path.write_text(json.dumps({**data, "commit": "0123abcd", "command": near}))
    assert main(["bench", "merge", str(parts), "--no-plots", "--out", str(tmp_path / "out")]) == 0
    out = capsys.readouterr().out
    assert "different commits" in out and "0123abcd" in out and "differ in --base-url or --load" in out


def folder_bytes(folder):
    return {str(p.relative_to(folder)): p.read_bytes() for p in sorted(folder.rglob("*")) if p.is_file()}


def test_a_merge_puts_the_whole_bench_where_nothing_is_lost(played, parts, tmp_path, capsys, monkeypatch):
    shards, before = [str(parts / "shards" / f"{n}-of-3") for n in (1, 2, 3)], folder_bytes(parts)
    merge = ["bench", "merge"]
    assert main([*merge, *shards, "--no-plots", "--dry-run"]) == 0
    assert f"15 rows of 3 shards would be merged into {parts}" in capsys.readouterr().out
    assert main([*merge, *shards, "--no-plots", "--dry-run", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["rows"] == 15
    assert folder_bytes(parts) == before, "it was only looked at"
    assert main([*merge, *shards, "--no-plots"]) == 0, "where they lie together"
    after = folder_bytes(parts)
    assert {name: after[name] for name in before} == before
    assert after[RESULTS] == (played / "one" / RESULTS).read_bytes()
    assert main([*merge, *shards, "--no-plots"]) == 0, "the same once more"

    monkeypatch.chdir(shards[1])
    for out in (".", "deeper"):
        assert "is a shard, or lies in one" in said(capsys, *merge, *shards, "--out", out)
    shutil.copytree(shards[0], tmp_path / "elsewhere")
    assert "say where the whole bench is to go, with --out" in said(
        capsys, *merge, str(tmp_path / "elsewhere"), *shards
    )

    other = tmp_path / "other"
    assert main(["bench", "smoke", "--methods", "rules", "--episodes", "2", "--no-plots", "--out", str(other)]) == 0
    capsys.readouterr()
    kept = folder_bytes(other)
    text = said(capsys, *merge, str(parts), "--out", str(other))
    assert f"'{other / RESULTS}' holds results that are not in these shards: " in text and "--fresh" in text
    assert folder_bytes(other) == kept
    crashed = {**json.loads(after[RESULTS].splitlines()[0]), "crash": "oh"}
    (other / RESULTS).write_text(json.dumps(crashed) + "\n")
    assert main([*merge, str(parts), "--no-plots", "--out", str(other)]) == 0, "it was played again"
    (other / RESULTS).write_bytes(kept[RESULTS].replace(b'"rules"', b'"other"'))
    assert main([*merge, str(parts), "--no-plots", "--out", str(other), "--fresh"]) == 0
    assert (other / TABLE).read_bytes() == (played / "one" / TABLE).read_bytes()
    for words in (["--methods", "rules"], ["--shard", "1/3"], ["--validate"], ["--memo-from", "x"]):
        assert f"{words[0]} is for playing" in said(capsys, *merge, str(parts), *words)


def test_a_shard_goes_on_where_it_was_and_next_takes_what_is_left(parts, capsys):
    two = parts / "shards" / "2-of-3"
    whole = (two / RESULTS).read_bytes()
    shutil.rmtree(parts / "shards" / "3-of-3")
    (two / RESULTS).write_bytes(whole[: len(whole) // 2])
    assert main([*WORDS, "--no-plots", "--out", str(parts), "--shard", "next/3"]) == 0
    out = capsys.readouterr().out
    assert "Shard 2/3" in out and "Shard 3/3" in out and "Shard 1/3" not in out and "All 3 shards are there" in out
    assert (two / RESULTS).read_bytes() == whole


def test_another_bench_does_not_go_on_in_the_same_folder(parts, capsys):
    words = ["bench", "smoke", "--methods", "rules", "--episodes", "5", "--out", str(parts), "--shard", "1/3"]
    assert "holds a shard of another bench (smoke with rules, random-legal" in said(capsys, *words)


@pytest.mark.parametrize("text", ["", "3", "0/3", "4/3", "1/0", "a/3", "1/99999", "-1/3", "1/3/4"])
def test_odd_shards_are_refused_in_a_sentence(text):
    with pytest.raises(CoterieError, match="like 3/16"):
        parse_shard(text)


@given(st.lists(st.booleans(), min_size=1, max_size=4), st.integers(1, 14), st.integers(1, 8))
@settings(max_examples=12)
def test_every_row_is_in_one_shard_and_shards_are_even(memos, episodes, of):
    plain = {memo: parse_method("rules+memo" if memo else "rules") for memo in (True, False)}
    methods = [replace(plain[memo], name=f"m{j}") for j, memo in enumerate(memos)]
    specs = [EpisodeSpec(f"e{i}", Config()) for i in range(episodes)]
    plan = Plan(specs, methods, Path("somewhere"), "mine", "none", {})
    parts = [plan.jobs(Shard(n, of)) for n in range(1, of + 1)]
    every = [(s.key, m.name) for s in specs for m in methods]
    assert sorted((j.key, j.method) for part in parts for j in part) == sorted(every)
    places = {unit_name(j.key, j.method, bool(j.memo)): set() for part in parts for j in part}
    for n, part in enumerate(parts):
        for job in part:
            places[unit_name(job.key, job.method, bool(job.memo))].add(n)
    assert all(len(found) == 1 for found in places.values()), "what belongs together stays together"
    found, load = owners([s.key for s in in_turn(specs)], methods, of), [0] * of
    sizes = {name: episodes if name.startswith("memo ") else 1 for name in found}
    for name, number in found.items():
        load[number - 1] += sizes[name]
    assert max(load) - min(load) <= max(sizes.values())


def test_numbers_in_words():
    assert ranges([3]) == "3" and ranges([1, 2, 3]) == "1-3" and ranges([1, 4, 5, 6, 9]) == "1, 4-6 and 9"


# -- leases ---------------------------------------------------------------------------------------------------------
def test_next_leaves_out_what_others_play(parts, capsys):
    """Two who take the next shards share them."""
    shutil.rmtree(parts / "shards" / "3-of-3")
    (parts / "shards" / "2-of-3" / LABEL).unlink()
    with Lock(parts / "shards" / "2-of-3" / RESULTS):
        assert main([*WORDS, "--no-plots", "--out", str(parts), "--shard", "next/3"]) == 0
        out = capsys.readouterr().out
        assert "Shard 3/3" in out and "shard 2 of 3 not whole yet" in out
        assert "is being written by" in said(capsys, *WORDS, "--no-plots", "--out", str(parts), "--shard", "2/3")


def test_a_lock_of_another_machine_says_what_to_do_if_it_is_dead(tmp_path, monkeypatch):
    with monkeypatch.context() as other:
        other.setattr(files, "host", lambda: "elsewhere")
        held = Lock(tmp_path / RESULTS)
    with pytest.raises(CoterieError, match=r"on elsewhere .*If that machine is dead, delete '.*\.lock'"):
        Lock(tmp_path / RESULTS)
    held.path.unlink()
    Lock(tmp_path / RESULTS).release()
    held.release()
