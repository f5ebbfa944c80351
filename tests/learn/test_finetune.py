"""The recipe for larger models: which words are learnt, and that a tiny random model learns them."""

import runpy
import shlex
import sys
from pathlib import Path

import pytest

from coterie.bench.methods import parse_methods
from coterie.cli.app import COMMANDS
from coterie.cli.app import parser as commands
from coterie.core.protocol import Ask
from coterie.learn.dev import Ended
from coterie.learn.samples import Sample, write

ROOT = Path(__file__).parents[2]
RECIPE = runpy.run_path(str(ROOT / "examples" / "finetune.py"))
FORMAT = (
    "{% for m in messages %}<|im_start|>{{ m.role }}\n{{ m.content }}<|im_end|>\n{% endfor %}"
    "{% if add_generation_prompt %}<|im_start|>assistant\n{% endif %}"
)
REFUSING = "{% for m in messages %}{% if m.role == 'system' %}{{ raise_exception('no system') }}{% endif %}{% endfor %}"


ACTIONS = ("pick(cup)", "wait()")


def sample(i):
    """One of two states, and what is to be done in it."""
    seen, thought = (("cup", "The cup is here."), ("nothing", "It is gone."))[i % 2]
    prompt = (("system", "You are Bob."), ("user", f"Step {i}. You see {seen}, {seen} and {seen}."))
    return Sample("HMRC", prompt, f"Thought: {thought}\nAction: {ACTIONS[i % 2]}")


@pytest.fixture(scope="module")
def demos(tmp_path_factory):
    path = tmp_path_factory.mktemp("demos") / "demos.jsonl"
    write(path, [sample(i) for i in range(48)], {"protocol": "dynahmrc"})
    return path


def needs():
    for name in ("torch", "transformers", "peft"):
        why = f"{name} is not installed; to run it: pip install torch transformers peft"
        pytest.importorskip(name, reason=why)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A model with random weights, and a tokenizer that knows the words of the samples."""
    needs()
    import torch
    from tokenizers import Regex, Tokenizer, decoders, models, pre_tokenizers, trainers
    from transformers import PreTrainedTokenizerFast, Qwen3Config, Qwen3ForCausalLM

    made = Tokenizer(models.BPE())
    made.pre_tokenizer = pre_tokenizers.Sequence(
        [pre_tokenizers.Split(Regex(r"\w+|\W"), "isolated"), pre_tokenizers.ByteLevel(False, use_regex=False)]
    )
    made.decoder = decoders.ByteLevel()
    marks = ["<|im_start|>", "<|im_end|>", "<|pad|>"]
    alphabet = pre_tokenizers.ByteLevel.alphabet()
    texts = [t for i in range(2) for t in (sample(i).reply, *(w for _, w in sample(i).prompt))]
    made.train_from_iterator(
        [*texts, "system user assistant"] * 20,
        trainers.BpeTrainer(vocab_size=400, special_tokens=marks, initial_alphabet=alphabet, show_progress=False),
    )
    tokenizer = PreTrainedTokenizerFast(tokenizer_object=made, eos_token="<|im_end|>", pad_token="<|pad|>")
    tokenizer.chat_template = FORMAT
    torch.manual_seed(0)
    config = Qwen3Config(
        vocab_size=len(tokenizer), hidden_size=64, intermediate_size=128, num_hidden_layers=2, num_attention_heads=4,
        num_key_value_heads=2, head_dim=16, max_position_embeddings=256, tie_word_embeddings=True,
        eos_token_id=tokenizer.eos_token_id, pad_token_id=tokenizer.pad_token_id,
    )  # fmt: skip
    path = tmp_path_factory.mktemp("model")
    Qwen3ForCausalLM(config).save_pretrained(path)
    tokenizer.save_pretrained(path)
    return path


@pytest.fixture
def tokenizer(folder):
    from transformers import AutoTokenizer

    return AutoTokenizer.from_pretrained(folder)


def replies(model, tokenizer, count=6):
    import torch

    found = []
    for i in range(100, 100 + count):
        messages = [{"role": r, "content": t} for r, t in sample(i).prompt]
        head = tokenizer.apply_chat_template(messages, tokenize=False, add_generation_prompt=True)
        ids = tokenizer(head, add_special_tokens=False, return_tensors="pt")["input_ids"]
        with torch.no_grad():
            out = model.generate(ids, attention_mask=torch.ones_like(ids), max_new_tokens=40, do_sample=False)
        found.append(tokenizer.decode(out[0, ids.shape[1] :], skip_special_tokens=True))
    return found


# -- texts ------------------------------------------------------------------------------------------------------------
def test_each_turn_of_a_conversation_is_learnt_from_what_was_said_before_it():
    said = (("system", "s"), ("user", "a"), ("assistant", "wrong"), ("user", "b"), ("assistant", "idle"), ("user", "c"))
    turns = list(RECIPE["turns_of"](Sample("HMRC", said, "last", earlier=("right", ""))))
    assert [(t.prompt, t.reply) for t in turns] == [(said[:2], "right"), (said, "last")]
    assert list(RECIPE["turns_of"](sample(1))) == [sample(1)]


def test_what_is_learnt_is_the_reply_and_its_end(tokenizer):
    one = RECIPE["encoded"](sample(0), tokenizer)
    learnt = [x for x in one["labels"] if x != RECIPE["IGNORED"]]
    assert tokenizer.decode(learnt) == sample(0).reply + "<|im_end|>"
    assert one["input_ids"][-len(learnt) :] == learnt and len(one["labels"]) == len(one["input_ids"])
    assert tokenizer.decode(one["input_ids"]).endswith("assistant\n" + sample(0).reply + "<|im_end|>")


def test_a_turn_that_is_over_may_look_otherwise(tokenizer):
    tokenizer.chat_template = FORMAT.replace("assistant\n{% endif", "assistant\n<think>\n{% endif")
    one = RECIPE["encoded"](sample(0), tokenizer)
    assert tokenizer.decode(one["input_ids"]).endswith("<think>\n" + sample(0).reply + "<|im_end|>")


@pytest.mark.parametrize("template", [None, REFUSING])
def test_a_template_that_cannot_be_used_is_named(tokenizer, template):
    tokenizer.chat_template = template
    with pytest.raises(Exception, match="Choose a model for chat that knows system messages"):
        RECIPE["encoded"](sample(0), tokenizer)


def test_long_ones_are_left_out_and_told(tokenizer, capsys):
    long = sample(0)._replace(reply="Thought: " + "cup " * 300 + "\nAction: wait()")
    assert len(RECIPE["texts_of"]([long, sample(1)], tokenizer, 100)) == 1
    assert "1 of 2 samples are longer than 100 tokens" in capsys.readouterr().out
    with pytest.raises(Exception, match="larger --longest"):
        RECIPE["texts_of"]([long], tokenizer, 100)


def test_texts_of_a_batch_have_one_length(tokenizer):
    texts = RECIPE["texts_of"]([sample(0), sample(1)._replace(reply="Action: wait()")], tokenizer, 200)
    batch = RECIPE["Together"](tokenizer.pad_token_id)(texts)
    for row, text in enumerate(texts):
        n = len(text["labels"])
        assert batch["labels"][row].tolist()[:n] == text["labels"] and batch["attention_mask"][row].sum() == n
        assert set(batch["labels"][row].tolist()[n:]) <= {RECIPE["IGNORED"]}


# -- training ---------------------------------------------------------------------------------------------------------
def run(demos, folder, out, *words):
    return RECIPE["main"]([str(demos), "--model", str(folder), "--out", str(out), *words])


@pytest.fixture(scope="module")
def tuned(demos, folder, tmp_path_factory):
    """All weights of the random model, which has learnt to say actions and no thoughts."""
    out = tmp_path_factory.mktemp("out") / "tuned"
    words = ("--full", "--rate", "0.005", "--dev", str(demos), "--targets", "action", "--at-once", "4")
    return out, run(demos, folder, out, *words, "--steps-together", "1", "--passes", "8")


def test_all_weights_learn_to_answer_as_was_shown(tuned, tokenizer):
    from transformers import AutoModelForCausalLM

    out, history = tuned
    losses = [h["eval_loss"] for h in history if "eval_loss" in h]
    assert len(losses) == 8 and min(losses) < 0.2 * losses[0], "one look at the samples for dev after each pass"
    said = replies(AutoModelForCausalLM.from_pretrained(out), tokenizer)
    assert said == [f"Action: {ACTIONS[i % 2]}" for i in range(6)]
    assert not (out / "states").exists() and (out / "tokenizer.json").exists()


def test_the_state_that_wins_most_is_kept(demos, folder, tokenizer, tmp_path, monkeypatch):
    """Three passes win one, three and no episode: the second is kept, though the loss of the third is lower."""
    from transformers import AutoModelForCausalLM

    seen, wins = [], [1, 3, 0]

    def play(configs, player):
        long = Ask("A", "HMRC", 0, 0, sample(0).prompt, None, 1)
        short = long._replace(stage="LE", prompt=sample(0).prompt[1:])
        together, alone = player.answer([long, short]), [player.answer([ask])[0] for ask in (long, short)]
        assert [r.text for r in together] == [r.text for r in alone], "what fills a batch up is not read"
        seen.append(sum(float(p.detach().double().abs().sum()) for p in player.model.parameters()))
        return [Ended(configs[0], n < wins[len(seen) - 1], 9, 2) for n in range(3)]

    monkeypatch.setitem(RECIPE["playing"].__globals__, "play", play)
    monkeypatch.setitem(RECIPE["playing"].__globals__, "REPLY", 8)
    words = ("--full", "--rate", "0.002", "--play", "3", "--passes", "3", "--at-once", "8")
    history = run(demos, folder, tmp_path / "won", *words)
    assert [h["eval_won"] for h in history if "eval_won" in h] == [1 / 3, 1.0, 0.0]
    kept = AutoModelForCausalLM.from_pretrained(tmp_path / "won")
    found = sum(float(p.detach().double().abs().sum()) for p in kept.parameters())
    assert [abs(found - x) < 1e-3 for x in seen] == [False, True, False]


def test_thin_matrices_learn_beside_weights_that_stay(demos, tuned, tokenizer, tmp_path, capsys):
    import peft
    import torch
    from transformers import AutoModelForCausalLM

    out = tmp_path / "thin"
    words = ("--rank", "6", "--rate", "0.01", "--share", "0.6")
    words += ("--passes", "12", "--at-once", "4", "--steps-together", "1")
    history = run(demos, tuned[0], out, *words)
    losses = [h["loss"] for h in history if "loss" in h]
    assert losses[-1] < 0.5 * losses[0]
    base = AutoModelForCausalLM.from_pretrained(tuned[0])
    before = {k: v.clone() for k, v in base.state_dict().items()}
    model = peft.PeftModel.from_pretrained(base, out)
    stayed = {k.replace(".base_layer", ""): v for k, v in base.state_dict().items() if "lora_" not in k}
    assert stayed.keys() == before.keys() and all(torch.equal(v, before[k]) for k, v in stayed.items())
    with model.disable_adapter():
        assert all(said.startswith("Action: ") for said in replies(model, tokenizer, 2))
    assert not any(said.startswith("Action: ") for said in replies(model, tokenizer, 2)), "it has learnt to think first"
    told = capsys.readouterr().out
    assert "29 texts" in told and f"--enable-lora --max-lora-rank 8 --lora-modules thin={out}" in told


def test_the_numbers_are_those_of_the_table():
    args = RECIPE["parser"]().parse_args(["x.jsonl", "--out", "y"])
    assert (args.passes, args.at_once, args.steps_together, args.longest, RECIPE["RATE"]) == (6, 8, 2, 2048, 1e-5)
    assert RECIPE["WARM_UP"] == 0.1 and RECIPE["SHARED_OUT"]["zero_optimization"]["stage"] == 3


# -- around it --------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("protocol", "method"),
    [
        ("dynahmrc", "dynahmrc:compact"),
        ("dynahmrc:full", "dynahmrc:full"),
        ("dynahmrc:no-leader", "dynahmrc:no-leader-and-compact"),
        (None, "dynahmrc:compact"),
    ],
)
def test_it_is_asked_as_it_was_taught(tmp_path, protocol, method):
    path = tmp_path / "d.jsonl"
    write(path, [sample(0)], {"protocol": protocol} if protocol else {})
    args = RECIPE["parser"]().parse_args([str(path), "--out", str(tmp_path / "tuned")])
    line = next(x for x in RECIPE["after"](args).splitlines() if x.strip().startswith("coterie "))
    words = commands(list(COMMANDS)).parse_args(shlex.split(line)[1:])
    first, teacher = parse_methods(words.methods)
    assert (first.protocol, first.model, teacher.model) == (method, "openai:tuned", "oracle")
    args.full = True
    assert f"vllm serve {args.out} --served-model-name tuned" in RECIPE["after"](args)


@pytest.mark.parametrize("missing", ["torch", "transformers", "peft"])
def test_what_is_missing_is_named(demos, tmp_path, monkeypatch, missing):
    for name in ("torch", "transformers", "peft"):
        monkeypatch.setitem(sys.modules, name, None if name == missing else sys)
    with pytest.raises(SystemExit, match=f"the package {missing}: pip install torch transformers peft"):
        run(demos, "m", tmp_path / "x")


def test_a_model_that_is_not_there_is_named(demos, tmp_path):
    needs()
    with pytest.raises(SystemExit, match="cannot be opened"):
        run(demos, tmp_path / "none", tmp_path / "x")
