"""Speech: what can be heard, that nothing heard acts before it was read back, and spoken files.

The extra `speech` brings pocketsphinx and espeak-ng; tests that need them are skipped without.
"""

import importlib.util
import sys

import numpy as np
import pytest

from coterie.cli import main
from coterie.core.errors import CoterieError
from coterie.mission.dialogue.conversation import CHANGES
from coterie.mission.language.understand import understand
from coterie.mission.voice import sound
from coterie.mission.voice.graph import graph_of, words_of
from coterie.talk import meanings as m
from coterie.talk.marks import FAINT, HEARD
from coterie.talk.vocabulary import Vocabulary
from tests.mission.spoken import KEPT, said, templates
from tests.mission.talkers import Hospital
from tests.mission.words import hospital

HAS = all(importlib.util.find_spec(name) for name in ("pocketsphinx", "espeakng_loader"))
spoken_files = pytest.mark.skipif(not HAS, reason="spoken files need the extra: pip install 'coterie[speech]'")


def test_what_can_be_heard_is_what_the_page_lists():
    assert KEPT.read_text("utf-8") == templates()  # else: python -m tests.mission.spoken


def test_names_of_one_kind_stand_for_each_other_and_nothing_else_is_heard():
    vocabulary = Vocabulary()
    for kind, name in (("kit", "medkit"), ("kit", "burnkit"), ("room", "alpha"), ("robot", "Spot")):
        vocabulary.add(kind, name)
    graph = graph_of(["Deliver a medkit to alpha.", "Stop!"], vocabulary, ["<robot> wait", "close the <door>"])
    for sentence in ("deliver a burnkit to alpha", "stop", "spot wait"):
        assert graph.accepts(words_of(sentence))
    for sentence in ("deliver a medkit", "deliver a alpha to medkit", "stop stop", "", "close the door"):
        assert not graph.accepts(words_of(sentence))
    assert words_of("Bring 2 medkits, it's urgent!") == ["bring", "two", "medkits", "it", "is", "urgent"]


def test_nothing_that_was_heard_is_done_before_it_was_read_back():
    talk = Hospital()
    talk.say("teacher", "Deliver a medkit to gamma.")
    journal, written, tried = talk.mission.journal, [], 0
    write = journal.write
    journal.write = lambda part, *rest: (written.append(part), write(part, *rest))[1]  # all that changes goes there
    for sentence, _ in said()[::5]:
        read = understand(sentence, talk.mission.partner.vocabulary)
        if not any(isinstance(x, CHANGES) and not isinstance(x, m.Teach) for x in read):
            continue
        reply = talk.say("teacher", HEARD + sentence)
        tried += 1
        assert set(written) <= {"dialogue"}, (sentence, reply)
        talk.mission.dialogue.threads.of("teacher").asking = None
    assert tried > 20
    talk.say("teacher", "Open the door to alpha.")
    assert "goals" in written


def test_a_yes_that_was_heard_does_what_was_read_back_and_a_stop_is_honoured():
    talk = Hospital()
    assert "Do you mean: Open the alpha door" in talk.say("instructor", HEARD + "Open the door to alpha.")
    assert talk.goals() == []
    talk.say("instructor", HEARD + "Yes.")
    assert talk.goals() == ["the door of alpha open"]
    assert "stops" in talk.say("visitor", HEARD + "Stop.")
    assert "painkiller" in talk.say("visitor", HEARD + "What is on table B.")  # what only asks is answered


def test_a_yes_that_was_heard_faintly_is_confirmed_before_it_counts():
    talk = Hospital()
    for again in ((FAINT + "Yes.", HEARD + "Yes."), ("Yes.",)):
        assert "Do you mean: Open the alpha door" in talk.say("instructor", FAINT + "Open the door to alpha.")
        for yes in (FAINT + "Yes.", HEARD + "Yes plan eight.", FAINT + "Yes."):
            assert "not sure that this is a yes" in talk.say("instructor", yes)
            assert not talk.mission.goals.live()
        for yes in again:
            said = talk.say("instructor", yes)
        assert "All right" in said and len(talk.mission.goals.live()) == 1
        talk.say("instructor", "Cancel that.")
    talk.say("instructor", HEARD + "Open the door to alpha.")
    talk.say("instructor", FAINT + "Yes.")
    assert "I do nothing" in talk.say("instructor", FAINT + "No.") and not talk.mission.goals.live()


def test_sounds_come_back_from_files_at_the_rate_that_is_listened_to(tmp_path):
    at = np.arange(22_050) / 22_050
    tone = np.asarray(8000 * np.sin(2 * np.pi * 440.0 * at), dtype=np.int16)
    sound.write(tmp_path / "a.wav", tone, 22_050)
    found = sound.read(tmp_path / "a.wav")
    assert len(found) == sound.RATE_HZ
    power = np.abs(np.fft.rfft(found))
    assert abs(int(power.argmax()) - 440) <= 1
    (tmp_path / "b.wav").write_bytes(b"no sound at all")
    with pytest.raises(CoterieError, match="save it as WAV"):
        sound.read(tmp_path / "b.wav")


def test_without_the_extra_a_sentence_names_it(tmp_path, monkeypatch, capsys):
    sound.write(tmp_path / "a.wav", np.zeros(100, dtype=np.int16))
    monkeypatch.setitem(sys.modules, "pocketsphinx", None)
    monkeypatch.setitem(sys.modules, "espeakng_loader", None)
    shared = ["talk", "--model", "none", "--log", str(tmp_path / "l.jsonl"), "--folder", str(tmp_path)]
    assert main([*shared, "--listen", str(tmp_path / "a.wav")]) == 2
    assert "pip install 'coterie[speech]'" in capsys.readouterr().err
    assert main([*shared, "--speak", str(tmp_path / "out")]) == 2
    assert "pip install 'coterie[speech]'" in capsys.readouterr().err


# -- spoken ---------------------------------------------------------------------------------------------------------
@spoken_files
@pytest.mark.parametrize("voice", ["en-us", "en"])
def test_spoken_sentences_are_heard(voice):
    from coterie.mission.voice.listening import Listener, templates
    from coterie.mission.voice.speaking import spoken

    vocabulary = hospital()
    listener = Listener(vocabulary, frames=[*templates()[::12], "where is the <item>", "yes", "no", "stop"])
    sentences = ["Deliver a woundkit to gamma.", "Stop!", "Where is the thermometer?", "Yes."]
    right = [words_of(listener.heard(spoken(s, voice)).text) == words_of(s) for s in sentences]
    assert sum(right) >= 3, right
    silence = np.zeros(sound.RATE_HZ, dtype=np.int16)
    assert "yes" not in words_of(listener.heard(silence).text)
    vocabulary.add("kit", "snakebite")  # taught words are heard at once
    assert "snakebite" in words_of(listener.heard(spoken("Deliver a snakebite to gamma.", voice)).text)


@spoken_files
def test_what_a_microphone_gives_is_cut_into_utterances():
    from coterie.mission.voice.devices import frames_of, new_endpointer, utterances
    from coterie.mission.voice.speaking import spoken

    quiet = np.random.default_rng(0).normal(0, 5, sound.RATE_HZ).astype(np.int16)
    both = np.concatenate([quiet, spoken("Open the door to alpha."), quiet, spoken("Stop the robots."), quiet, quiet])
    pointer = new_endpointer()
    assert len(list(utterances(frames_of(both, pointer), pointer))) == 2
    assert list(utterances(frames_of(quiet, pointer))) == []


@pytest.mark.long
@spoken_files
def test_a_talk_by_voice(tmp_path, capsys):
    from coterie.mission.voice.speaking import spoken

    files = []
    for i, text in enumerate(["Open the door to alpha.", "Yes."]):
        sound.write(tmp_path / f"{i}.wav", spoken(text))
        files += ["--listen", str(tmp_path / f"{i}.wav")]
    args = ["talk", "--as", "instructor", "--quiet", "--model", "none", "--speed", "500"]
    args += ["--speak", str(tmp_path / "out"), *files]
    assert main([*args, "--log", str(tmp_path / "l.jsonl"), "--folder", str(tmp_path / "room")]) == 0
    out = capsys.readouterr().out
    assert out.index("Do you mean: Open the alpha door") < out.index("All right: the door of alpha open")
    assert len(list((tmp_path / "out").glob("*.wav"))) >= 2
