"""Demonstrations: what is drawn, how names are drawn anew, what is kept, and that a seed gives the same file."""

import json
import math
import random
import re
from collections import Counter
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from coterie.bench.spec import TESTED, suites
from coterie.bench.studies.dynahmrc.lessons import draw
from coterie.core.config import Config
from coterie.core.errors import CoterieError
from coterie.core.protocol import Ask
from coterie.houses.generate import split_of
from coterie.learn import gathering, splits
from coterie.learn.chosen import IDLE, chosen
from coterie.learn.demos import brief, played, teach
from coterie.learn.gathering import Wish, gather_into
from coterie.learn.pool import IGNORED, Text, packed
from coterie.learn.rename import Renaming, shuffled, words
from coterie.learn.samples import RARE, Sample, aimed, read, reworded, thinned, times, write
from coterie.models import make_model
from coterie.protocols.dynahmrc.oracle import Oracle
from coterie.protocols.noisy_oracle import Straying, some_action
from tests.learn.rows import spans

NAMES = ["table_0", "side_table", "top_rack", "top_rack_2", "red_panel", "red_cube_0", "red_cube_1", "bed"]


@pytest.fixture(scope="module")
def shown():
    """Episodes that the teacher plays by itself, with and without names drawn anew."""
    return [list(played(draw(3, 3), Oracle(), 3, rename=share)) for share in (0.0, 1.0)]


def test_houses_and_things_are_those_for_training_or_tuning():
    for split in ("train", "dev"):
        for config in draw(5, 40, split=split):
            assert split_of(config.seed) == split_of(int(config.scene.removeprefix("house:"))) == split
    assert list(draw(5, 3)) == list(draw(5, 9))[:3] != list(draw(6, 3))
    assert all(splits.split_of(seed) == split_of(seed) for seed in range(9_990, 10_010)), "houses are shared out alike"


@pytest.mark.parametrize("scene", ["flat", "loft:unseen", "bungalow", "real", ""])
@pytest.mark.parametrize("split", ["train", "dev"])
def test_scenes_that_suites_test_in_are_refused_whatever_the_seed(scene, split):
    """Also where nothing is said, and the world takes its usual one."""
    one = Config("pack-objects", "Ma-MoMa", seed=4 + (split == "dev"), scene=scene)
    with pytest.raises(CoterieError, match=f"'mine' draw the scene '{scene or 'flat'}', which suites test in"):
        list(splits.checked([one], split, "mine"))
    house = Config("pack-objects", "Ma-MoMa", seed=one.seed, scene=f"house:{one.seed}")
    assert list(splits.checked([house], split, "mine")) == [house]


def test_no_suite_of_rooms_plays_in_a_named_scene_that_training_could_draw():
    played = {s.config.scene.partition(":")[0] for name in suites if "dynahmrc" in name for s in suites.get(name)()}
    assert played - {"house"} == TESTED


@given(st.integers(0, 2**32))
@settings(max_examples=20)
def test_names_are_new_different_and_alike_where_they_were_alike(seed):
    found = Renaming(NAMES, ["Alice", "Bob"], random.Random(seed)).new
    assert len(set(found.values())) == len(found) and not {*found} & {*found.values()}
    assert found["red_panel"].endswith("_panel")
    colour = found["red_panel"].removesuffix("_panel")
    assert found["red_cube_0"].startswith(f"{colour}_") and found["red_cube_0"][:-1] == found["red_cube_1"][:-1]
    assert found["top_rack_2"] == f"{found['top_rack']}_2"
    assert found["Alice"].istitle() and len(words()) > 2000


def test_a_name_within_another_stays_whole():
    renaming = Renaming(NAMES, ["Al"], random.Random(1))
    text = renaming.text("top_rack_2, top_rack; Al: bed, bedroom, toucan_0. Almost al.")
    new = renaming.new
    assert text == f"{new['top_rack']}_2, {new['top_rack']}; {new['Al']}: {new['bed']}, bedroom, toucan_0. Almost al."


def test_no_old_name_is_left_in_what_was_renamed(shown):
    plain, renamed = shown
    assert len(plain) == len(renamed) and all(p.success for p in plain)
    for before, after in zip(plain, renamed):
        old = {n for s in before.samples for _, t in s.prompt for n in re.findall(r"\b[a-z]+(?:_[a-z]+)*_\d+\b", t)}
        text = " ".join(t for s in after.samples for _, t in s.prompt) + " ".join(s.reply for s in after.samples)
        assert old and not [n for n in old if re.search(rf"\b{n}\b", text)]
        assert not re.search(r"\b(Alice|Bob|Lucy)\b", text)


def test_the_label_is_what_the_teacher_says_to_the_very_text(monkeypatch, shown):
    """But for words of teammates, which are told otherwise after it was asked."""
    monkeypatch.setattr("coterie.learn.demos.reworded", lambda prompt, rng: prompt)
    for one in played(draw(3, 3), Oracle(), 3, rename=1.0):
        for s in one.samples:
            told = teach(s.prompt)
            assert s.reply in (brief(told), told.rpartition(": ")[2])
    by_stage = {s.stage for one in shown[1] for s in one.samples}
    assert {"SD", "TALB", "LE", "HMRC"} <= by_stage


def test_another_order_holds_the_same_places():
    prompt = (("system", "Places with their sides: a 0-2, b box 0, c 0-1\nGoal: x, y"), ("user", "z, w"))
    found = shuffled(prompt, random.Random(3))
    line = found[0][1].splitlines()[0]
    assert line != "Places with their sides: a 0-2, b box 0, c 0-1"
    assert sorted(line.partition(": ")[2].split(", ")) == ["a 0-2", "b box 0", "c 0-1"]
    assert found[0][1].endswith("\nGoal: x, y") and found[1] == prompt[1]


def test_who_strays_leaves_the_teachers_path_and_is_corrected():
    said = [s for one in played(draw(4, 4), Straying(0.3), 4) for s in one.samples]
    other = [s for s in said if s.said]
    assert len(other) > 0.1 * len(said), "the teacher would have done otherwise"
    assert any(s.again for s in said), "the same was tried again"
    assert all(re.search(r"^Action: \w+\(.*\)$", s.said, re.M) for s in other if s.stage == "HMRC")


def test_some_action_names_what_the_prompt_names():
    skills = "navigate(place, side): go\npick(object): take\nwait(): rest"
    text = f"{skills}\nPlaces with their sides: bed 0-2\nNeeded: cup_0"
    found = {some_action(text, random.Random(i)) for i in range(60)}
    assert found == {"wait()", "pick(cup_0)", *(f"navigate(bed, {i})" for i in range(3))}


@pytest.mark.long
def test_a_seed_gives_the_same_file_with_any_number_of_processes(tmp_path):
    wish = Wish(seed=2, episodes=3, at_once=2)
    one, two = tmp_path / "one.jsonl", tmp_path / "two.jsonl"
    first, second = gather_into(one, wish), gather_into(two, wish, jobs=2)
    assert one.read_bytes() == two.read_bytes() and first == second
    card = json.loads((tmp_path / "one.card.json").read_text())
    assert card["samples"] == len(list(read(one))) > 50 and card["seed"] == 2


def test_waiting_is_thinned_doubles_are_dropped_and_loops_count_twice():
    def sample(i, action, again=False):
        return Sample("HMRC", (("user", str(i)),), f"Thought: x\nAction: {action}", again=again)

    waits = [sample(i, "wait()") for i in range(400)]
    kept = list(thinned([*waits, *waits, sample(900, "pick(a)", True)], random.Random(0)))
    assert 100 < sum(s.action == "wait" for s in kept) < 180 and len({s.prompt for s in kept}) == len(kept) - 1
    assert kept[-1] == kept[-2]


def test_a_spoilt_line_is_named(tmp_path):
    path = tmp_path / "x.jsonl"
    write(path, [Sample("LE", (("user", "who?"),), "Alice", "Bob", True)], {})
    assert list(read(path)) == [Sample("LE", (("user", "who?"),), "Alice", "Bob", True)]
    path.write_text(path.read_text() + '{"messages": []}\n')
    with pytest.raises(CoterieError, match="Line 2 of"):
        list(read(path))
    with pytest.raises(CoterieError, match="There is no file of samples"):
        list(read(tmp_path / "none"))


@given(st.lists(st.tuples(st.integers(1, 30), st.integers(1, 5)), min_size=1, max_size=60))
@settings(max_examples=25)
def test_texts_stand_whole_in_rows_and_labels_are_what_comes_next(sizes):
    texts = [Text([100 * n + i + 1 for i in range(a + b)], b) for n, (a, b) in enumerate(sizes, 1)]
    rows = packed(texts, 40)
    found = []
    for ids, labels, until, positions in zip(rows.ids, rows.labels, rows.until, rows.positions):
        for begin, end in spans(until):
            at = np.arange(begin, end)
            assert at.tolist() == list(range(at[0], at[-1] + 1)) and positions[at].tolist() == list(range(len(at)))
            learnt = labels[at][labels[at] != IGNORED].tolist()
            found.append(Text(ids[at].tolist(), len(learnt)))
            assert learnt == ids[at].tolist()[-len(learnt) :] and labels[at[-1]] == IGNORED
    assert sorted(found) == sorted(texts)
    for ids, until in zip(rows.ids, rows.until):
        assert not ids[max((end for _, end in spans(until)), default=0) :].any()


def test_the_straying_player_answers_stages_that_hold_no_action(shown):
    samples = [s for p in shown[0] for s in p.samples if s.stage == "LE"]
    election = Ask("Bob", "LE", 0, 0, samples[0].prompt, None, 1)
    text = Straying(1.0).answer([election])[0].text
    assert "Leader: " in text and text != Oracle().answer([election])[0].text


def test_no_episode_is_left_out_when_all_that_run_end_at_once():
    configs = list(draw(3, 4))
    one_by_one = [p.config for p in played(configs, Oracle(), 1)]
    assert [p.config for c in configs for p in played([c], Oracle(), 1)] == one_by_one
    assert len(one_by_one) >= 3


def test_long_messages_lose_whole_sentences_and_a_thought_is_as_short_as_the_grammar_wants_it():
    long = "Thought: " + "I look for apple_0, " * 9 + "\nAction: wait()"
    assert len(brief(long).splitlines()[0]) <= len("Thought: ") + 48 and brief(long).endswith(".\nAction: wait()")
    assert brief("Thought: yes.\nAction: wait()") == "Thought: yes.\nAction: wait()"
    told = "pink_sphere_0 is at table_0. Alice, please bring pink_sphere_0. " * 5
    reply = brief(f'Thought: So.\nAction: communicate("{told.strip()}", all)')
    message = reply.partition('("')[2].partition('"')[0]
    assert len(message) <= 200 and message.endswith("pink_sphere_0.") and reply.endswith('", all)')
    short = 'Thought: So.\nAction: communicate("Bring it.", Bob)'
    assert brief(short) == short


def test_rare_states_are_shown_often_with_other_names_each_time(monkeypatch):
    def one(stage, text, reply="Thought: So.\nAction: pick(a)", step=0):
        return Sample(stage, (("user", text),), reply, step=step).rare

    assert one("HMRC", "Needed: a at bed 0, move closer (you)") == "move closer"
    assert one("MV", "map") == "shift of a base" and one("LE", "You are the referee of it.") == "referee"
    assert one("HMRC", "Needed: a at bed 0", "Thought: I make room at bed.\nAction: navigate(sofa, 0)") == "make room"
    assert one("LE", "Candidates", step=3) == "re-election" and not one("LE", "Candidates")
    assert one("SD", "Goal", step=3) == "a newcomer introduces itself" and not one("SD", "Goal")
    assert not one("HMRC", "Needed: a at bed 0 (you)", step=3)
    monkeypatch.setitem(RARE, "make room", (lambda stage, prompt, reply, step: "needed and here" in reply, 12))
    seen = Counter()
    for ended in played(draw(3, 2), Straying(0.1), 2, rename=1.0):
        some = [s for s in ended.samples if s.rare == "make room"]
        assert len(some) == len({s.prompt for s in some}), "no two are told with the same names"
        seen[len(some) % times("make room")] += len(some)
    assert seen[0] >= 12 and set(seen) == {0}


def test_a_team_that_quarrels_needs_a_referee_and_the_card_counts_it(tmp_path):
    """Everybody who strays votes for itself; the teacher's vote is what is learnt."""
    config = Config(
        "pack-objects", "Ma-MoMa", seed=4, scene="house:4", level="easy", protocol="dynahmrc", model="oracle"
    )
    (one,) = played([config], Straying(1.0), rename=1.0)
    votes = [s for s in one.samples if s.stage == "LE"]
    assert {s.rare for s in votes} == {"", "vote after a tie", "referee"}
    assert all(s.reply == min(re.search("Candidates: (.*)", s.prompt[-1][1])[1].split(", ")) for s in votes)
    card = write(tmp_path / "x.jsonl", one.samples, {})
    assert card["rare"].keys() == RARE.keys() and card["rare"]["referee"] == times("referee")
    assert card["rare"]["shift of a base"] == 0, "what is missing can be seen"


def test_words_of_teammates_are_told_otherwise_and_nothing_else_is(shown):
    rng, changed = random.Random(3), Counter()
    for sample in (s for one in shown[0] for s in one.samples):
        other = reworded(sample.prompt, rng)
        for (role, text), (same, told) in zip(sample.prompt, other, strict=True):
            assert role == same and re.sub('"[^"\n]*"', "", text) == re.sub('"[^"\n]*"', "", told)
            own = r'communicate\("[^"]*"'
            assert re.findall(own, text) == re.findall(own, told)
            changed[sample.stage] += text != told
    assert all(changed[stage] for stage in ("TALB", "LE", "HMRC")), changed
    assert [reworded(s.prompt, random.Random(5)) for s in shown[0][0].samples] == [
        reworded(s.prompt, random.Random(5)) for s in shown[0][0].samples
    ]


def test_the_teacher_is_asked_in_our_own_words_and_the_pupil_reads_others(monkeypatch):
    """What the teacher does not understand when it is told otherwise, a pupil learns to read."""
    monkeypatch.setattr("coterie.learn.demos.reworded", lambda prompt, rng: tuple((r, f"{t}\n%") for r, t in prompt))

    def teacher(prompt):
        assert "%" not in prompt[0][1]
        return teach(prompt)

    one = next(played(draw(3, 2), Oracle(), teacher=teacher, rename=1.0))
    deeds = [s for s in one.samples if s.action]
    assert deeds and all("%" in s.prompt[0][1] for s in deeds)
    assert any(s.action != "wait" for s in deeds)


@pytest.mark.parametrize(
    "protocol, kinds", [("coela", {"navigate", "pick", "nothing", "wait"}), ("coherent", {"orders"})]
)
def test_rivals_are_taught_likewise(protocol, kinds):
    """Names drawn anew, states off the teacher's path, idle replies thinned, mistakes known as such."""
    found = [s for one in played(draw(3, 2, protocol), Straying(0.3), 2, rename=1.0) for s in one.samples]
    assert {s.action for s in found} >= kinds
    assert not any(re.search(r"\b(Alice|Bob|Lucy)\b", t) for s in found for _, t in s.prompt)
    astray = [s for s in found if s.astray]
    assert astray and all(s.said != s.reply for s in astray) and len(astray) < len(found)
    idle = sum(s.action in IDLE for s in found)
    assert sum(s.action in IDLE for s in thinned(found, random.Random(1))) < 0.6 * idle or protocol == "coherent"
    for s in (x for x in found if x.stage != "MV"):
        assert chosen(s.prompt, s.reply) and chosen(s.prompt, "Thought: another.\n" + s.reply) == chosen(
            s.prompt, s.reply
        )


def test_what_was_played_is_learnt_of_protocols_whose_replies_are_known(tmp_path):
    with pytest.raises(CoterieError, match="is for dynahmrc, not for coela"):
        gather_into(tmp_path / "x.jsonl", Wish(protocol="coela", whose="played"))


CONVERSATION = Config("pack-objects", "Ma-MoMa", "dynahmrc:conversation", "oracle", 4, scene="house:4", level="easy")


def test_a_conversation_is_one_sample_and_a_request_that_was_repeated_is_another():
    (one,) = played([CONVERSATION], make_model("garbled:0.4"), rename=0.0)
    talks = [s for s in one.samples if s.stage == "HMRC"]
    whole = [s for s in talks if s.earlier]
    assert 1 <= len(whole) <= 3 and all(len(s.prompt) == 2 + 2 * len(s.earlier) for s in whole)
    again = [s for s in talks if not s.earlier]
    assert again and all(len(s.prompt) > 2 and "could not be read" in s.prompt[-1][1] for s in again)
    (one,) = played([replace(CONVERSATION, protocol="dynahmrc")], make_model("garbled:0.4"), rename=0.0)
    again = [s for s in one.samples if len(s.prompt) > 2]
    assert again and not any(s.earlier for s in again)


def test_what_of_a_reply_is_learnt_is_learnt_of_every_turn():
    (one,) = played([CONVERSATION], make_model("oracle"), rename=0.0)
    whole = [s for s in one.samples if s.earlier]
    for targets, word in (("action", "Thought: "), ("thought", "Action: ")):
        cut = list(aimed(whole, targets))
        assert cut and not any(word in text for s in cut for text in (s.reply, *s.earlier))


@pytest.mark.parametrize("player, rename", [("straying:0.3", 0.0), ("straying:0.3", 1.0), ("garbled:0.3", 0.0)])
def test_of_a_conversation_that_was_played_what_worked_is_learnt(player, rename):
    """In the player's own words; what failed stands in it and is not learnt."""
    (one,) = played([CONVERSATION], make_model(player), rename=rename, whose="played")
    talks = [s for s in one.samples if s.stage == "HMRC" and s.earlier]
    learnt = failed = 0
    for s in talks:
        said = [text for role, text in s.prompt if role == "assistant"]
        assert all(label in ("", text) for label, text in zip(s.earlier, said, strict=True)) and s.reply and not s.said
        answers = [text for role, text in s.prompt if role == "user"][1:]
        for label, answer in zip(s.earlier, answers, strict=True):
            learnt += bool(label)
            failed += "FAILED" in answer
            assert not (label and "FAILED" in answer)
    assert learnt and (failed or player.startswith("garbled"))


def test_only_episodes_shorter_than_the_teachers_are_kept_on_request(tmp_path, monkeypatch):
    configs = list(draw(4, 4, "dynahmrc:conversation"))
    ended = list(played(configs, Oracle(), rename=0.0))
    steps = {one.config: one.steps for one in ended if one.success}
    slower = max(steps, key=steps.get)
    monkeypatch.setattr(gathering, "_teachers_steps", lambda *_: {c: steps.get(c, 0) + (c == slower) for c in configs})
    wish = Wish(seed=4, episodes=4, protocol="dynahmrc:conversation", player="oracle", rename=0.0, keep="faster")
    gather_into(tmp_path / "d.jsonl", wish)
    found = list(read(tmp_path / "d.jsonl"))
    (own,) = played([slower], Oracle(), rename=0.0)
    assert found and {s.prompt for s in found} <= {s.prompt for s in own.samples}
    monkeypatch.undo()
    assert gathering._teachers_steps(configs, 4) == {one.config: steps.get(one.config, math.inf) for one in ended}
