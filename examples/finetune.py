"""Fine-tune a larger chat model on demonstrations, with Hugging Face's trainer. Read it, and change it.

    coterie learn demos demos.jsonl --episodes 700 --jobs 8
    coterie learn demos dev.jsonl --episodes 40 --split dev
    pip install torch transformers peft
    python examples/finetune.py demos.jsonl --dev dev.jsonl --play 40 --out tuned

A model is named as Hugging Face names it, or by a folder; it needs a chat template that takes a system message. Thin
matrices are trained beside its own (LoRA), which takes far less memory than all weights; `--full` trains those. Unless
told otherwise, the numbers are those with which the authors of DynaHMRC tuned Qwen3-4B (their Table 4, all weights): 6
passes, a rate of 1e-5 that falls along a cosine after a tenth of the steps, 8 texts at a time and two times that before
each step, texts of at most 2,048 tokens, numbers of 16 bits. Thin matrices get ten times that rate. With `--play`, the
state that wins most episodes in dev houses is the one that is kept; with `--dev` alone, the one with the lowest loss.
"""

import argparse
import importlib
import json
import math
import shutil
import sys
from pathlib import Path

from coterie.cli.numbers import share, whole
from coterie.core.errors import CoterieError
from coterie.core.protocol import Reply
from coterie.core.seeds import rng_of
from coterie.learn.dev import Score, Which, play
from coterie.learn.samples import aimed, card_of, portion, read
from coterie.models.chat import plain

MODEL = "Qwen/Qwen3-4B-Instruct-2507"
PASSES, RATE, WARM_UP, AT_ONCE, STEPS_TOGETHER, LONGEST = 6.0, 1e-5, 0.1, 8, 2, 2048
THIN_RATE = 10 * RATE  # few weights, which begin at nothing, can be moved further
REPLY, PLAYED_AT_ONCE = 160, 32  # tokens of a reply, prompts that are answered together while it plays
IGNORED = -100  # as a label: nothing is learnt there
#: Weights, gradients and the optimizer's state shared out between GPUs, as in Table 4.
SHARED_OUT = {
    "zero_optimization": {"stage": 3, "stage3_gather_16bit_weights_on_model_save": True},
    "bf16": {"enabled": "auto"},
    "gradient_clipping": "auto",
    "gradient_accumulation_steps": "auto",
    "train_micro_batch_size_per_gpu": "auto",
}


def needed(*modules):
    try:
        return [importlib.import_module(m) for m in modules]
    except ImportError as err:
        missing = (err.name or modules[0]).partition(".")[0]
        raise CoterieError(
            f"Fine-tuning needs the package {missing}: pip install torch transformers peft"
            f"{' deepspeed' if 'deepspeed' in modules else ''}"
        ) from None


# -- texts ------------------------------------------------------------------------------------------------------------
def encoded(sample, tokenizer):
    """Numbers of a whole text, with labels where the reply stands and nowhere else.

    The prompt is what a server makes of the same messages, so that the reply begins where the server lets it begin.
    """
    messages = [{"role": role, "content": plain(text)} for role, text in sample.prompt]
    reply = plain(sample.reply)
    (jinja2,) = needed("jinja2")  # the language of templates; it comes with torch
    try:
        head = tokenizer.apply_chat_template(messages, tokenize=False, add_generation_prompt=True)
        whole = tokenizer.apply_chat_template([*messages, {"role": "assistant", "content": reply}], tokenize=False)
    except (jinja2.TemplateError, ValueError, TypeError) as err:  # there is none, or it refuses a role
        raise CoterieError(
            f"The chat template of '{tokenizer.name_or_path}' does not take these messages ({err}). Choose a model for "
            "chat that knows system messages."
        ) from None
    # Some templates tell a turn that is over otherwise than one that begins: then the end is the tokenizer's own.
    tail = whole[len(head) :].rstrip() if whole.startswith(head) else reply + tokenizer.eos_token
    prompt, said = (tokenizer(text, add_special_tokens=False)["input_ids"] for text in (head, tail))
    return {"input_ids": prompt + said, "labels": [IGNORED] * len(prompt) + said}


def turns_of(sample):
    """A conversation as one sample for each turn: what its player said before stands there, and is not learnt."""
    at = [n for n, (role, _) in enumerate(sample.prompt) if role == "assistant"]
    for n, reply in zip(at, sample.earlier):
        if reply:
            yield sample._replace(prompt=sample.prompt[:n], reply=reply, earlier=())
    yield sample


def texts_of(samples, tokenizer, longest):
    """Those that are short enough: one that is cut would be taught to say half."""
    found = [encoded(turn, tokenizer) for sample in samples for turn in turns_of(sample)]
    kept = [t for t in found if len(t["input_ids"]) <= longest]
    if not kept:
        raise CoterieError(f"None of {len(found)} samples fits into {longest} tokens: say a larger --longest.")
    if len(kept) < len(found):
        print(f"{len(found) - len(kept)} of {len(found)} samples are longer than {longest} tokens and left out.")
    return kept


class Together:
    """Texts of a batch, filled up to one length."""

    def __init__(self, fill):
        self.fill = fill

    def __call__(self, texts):
        (torch,) = needed("torch")
        length = math.ceil(max(len(t["input_ids"]) for t in texts) / 8) * 8

        def filled(name, value):
            return torch.tensor([t[name] + [value] * (length - len(t[name])) for t in texts])

        mask = torch.tensor([[1] * len(t["input_ids"]) + [0] * (length - len(t["input_ids"])) for t in texts])
        return {
            "input_ids": filled("input_ids", self.fill),
            "labels": filled("labels", IGNORED),
            "attention_mask": mask,
        }


# -- playing ----------------------------------------------------------------------------------------------------------
class Player:
    """The model under training as one that answers requests: the likeliest words, many prompts at once."""

    name = "tuned"

    def __init__(self, model, tokenizer):
        self.model, self.tokenizer = model, tokenizer

    def answer(self, asks):
        found = {}
        order = sorted(range(len(asks)), key=lambda i: sum(len(t) for _, t in asks[i].prompt))
        for at in range(0, len(order), PLAYED_AT_ONCE):
            some = order[at : at + PLAYED_AT_ONCE]
            found.update(zip(some, self._answer([asks[i] for i in some])))
        return [found[i] for i in range(len(asks))]

    def _answer(self, asks):
        (torch,) = needed("torch")
        chats = [[{"role": role, "content": plain(text)} for role, text in ask.prompt] for ask in asks]
        heads = [self.tokenizer.apply_chat_template(c, tokenize=False, add_generation_prompt=True) for c in chats]
        ids = [self.tokenizer(head, add_special_tokens=False)["input_ids"] for head in heads]
        longest, fill = max(map(len, ids)), fill_of(self.tokenizer)
        device = next(self.model.parameters()).device
        before = torch.tensor([[fill] * (longest - len(i)) + i for i in ids], device=device)
        mask = torch.tensor([[0] * (longest - len(i)) + [1] * len(i) for i in ids], device=device)
        with torch.no_grad():
            out = self.model.generate(
                input_ids=before, attention_mask=mask, max_new_tokens=REPLY, do_sample=False, pad_token_id=fill,
                use_cache=True,
            )  # fmt: skip
        texts = self.tokenizer.batch_decode(out[:, longest:], skip_special_tokens=True)
        return [Reply(text, len(i), REPLY) for text, i in zip(texts, ids)]


def playing(trainer, episodes, protocol):
    """A trainer whose evaluation also plays dev episodes; `eval_won` is the share of them that was won."""

    class Playing(trainer):
        def evaluate(self, *args, **more):
            found = super().evaluate(*args, **more) if self.eval_dataset else {}
            model, was = self.accelerator.unwrap_model(self.model), self.model.training
            model.eval()
            score = Score.over(play(Which(episodes, protocol).configs(), Player(model, self.processing_class)))
            model.train(was)
            won = {"eval_won": score.won / score.of, "eval_steps_played": score.steps}
            self.log(won)
            return {**found, **won}

    return Playing


def fill_of(tokenizer):
    return tokenizer.pad_token_id if tokenizer.pad_token_id is not None else tokenizer.eos_token_id


# -- training ---------------------------------------------------------------------------------------------------------
def tune(args):
    torch, transformers, peft = needed("torch", "transformers", "peft")
    if args.share_out:
        needed("deepspeed")
    samples = [sample for path in args.samples for sample in read(path)]
    rng_of("mixing", args.seed).shuffle(samples)
    samples = list(aimed(portion(samples, args.share), args.targets))
    tokenizer = opened(transformers.AutoTokenizer, args.model)
    texts = texts_of(samples, tokenizer, args.longest)
    dev = texts_of(list(aimed(read(args.dev), args.targets)), tokenizer, args.longest) if args.dev else None
    learnt = sum(x != IGNORED for t in texts for x in t["labels"])
    print(f"{len(texts)} texts of {sum(len(t['labels']) for t in texts)} tokens, {learnt} of them to be learnt.")

    gpu = torch.cuda.is_available()
    half = gpu and torch.cuda.is_bf16_supported()
    many = max(1, torch.cuda.device_count()) * args.at_once * args.steps_together
    steps = math.ceil(args.passes * math.ceil(len(texts) / many))
    settings = transformers.TrainingArguments(  # before the model: weights that are shared out are loaded so
        output_dir=str(args.out / "states"),
        num_train_epochs=args.passes,
        learning_rate=args.rate or (RATE if args.full else THIN_RATE),
        lr_scheduler_type="cosine",
        warmup_steps=round(WARM_UP * steps),
        per_device_train_batch_size=args.at_once,
        per_device_eval_batch_size=args.at_once,
        gradient_accumulation_steps=args.steps_together,
        gradient_checkpointing=gpu and not args.ample,
        gradient_checkpointing_kwargs={"use_reentrant": False},
        bf16=half,
        use_cpu=not gpu,
        dataloader_pin_memory=gpu,
        deepspeed=SHARED_OUT if args.share_out else None,
        eval_strategy="epoch" if dev or args.play else "no",
        save_strategy="epoch" if dev or args.play else "no",
        load_best_model_at_end=bool(dev or args.play),
        metric_for_best_model="eval_won" if args.play else "eval_loss" if dev else None,
        greater_is_better=bool(args.play),
        save_only_model=not args.share_out,
        save_total_limit=1,
        logging_steps=max(1, min(20, steps // 10)),
        report_to="none",
        seed=args.seed,
    )
    # Weights that learn keep all their digits, and are only computed with in 16 bits; frozen ones need no more.
    kind = torch.bfloat16 if half and not args.full else torch.float32
    model = opened(transformers.AutoModelForCausalLM, args.model, dtype=kind)
    model.config.use_cache = False
    if not args.full:
        thin = peft.LoraConfig(
            r=args.rank, lora_alpha=2 * args.rank, target_modules="all-linear", task_type="CAUSAL_LM"
        )
        model = peft.get_peft_model(model, thin)
        model.enable_input_require_grads()
    kind_of_trainer = transformers.Trainer
    if args.play:
        kind_of_trainer = playing(transformers.Trainer, args.play, protocol_of(args.samples[0]))
    trainer = kind_of_trainer(
        model=model, args=settings, train_dataset=texts, eval_dataset=dev or ([] if args.play else None),
        data_collator=Together(fill_of(tokenizer)), processing_class=tokenizer,
    )  # fmt: skip
    trainer.train()
    trainer.save_model(str(args.out))
    if trainer.is_world_process_zero():
        tokenizer.save_pretrained(args.out)
        shutil.rmtree(args.out / "states", ignore_errors=True)
        print(after(args))
    return trainer.state.log_history


def opened(kind, name, **more):
    try:
        return kind.from_pretrained(name, **more)
    except (OSError, ValueError) as err:
        why = str(err).strip().partition("\n")[0]
        raise CoterieError(f"The model '{name}' cannot be opened: {why}") from None


# -- afterwards -------------------------------------------------------------------------------------------------------
def protocol_of(samples):
    try:
        return json.loads(card_of(samples).read_text(encoding="utf-8"))["protocol"]
    except (OSError, ValueError, KeyError):
        return "dynahmrc"


def method_of(samples, name):
    """The method of a bench that asks this model as it was taught: with the prompts of the demonstrations.

    Endpoints are asked with long prompts unless a style is named; demonstrations are of the short ones.
    """
    protocol = protocol_of(samples)
    styled = {"compact", "full", "paper"} & set(protocol.partition(":")[2].split("-and-"))
    return f"{protocol if styled else protocol + ('-and-' if ':' in protocol else ':') + 'compact'}@openai:{name}"


def after(args):
    name = args.out.name
    room = max(4096, 2 * args.longest)
    serve = f"vllm serve {args.out} --served-model-name {name} --max-model-len {room}"
    if not args.full:
        rank = max(8, 2 ** math.ceil(math.log2(args.rank)))
        serve = (
            f"vllm serve {args.model} --enable-lora --max-lora-rank {rank} --lora-modules {name}={args.out} "
            f"--max-model-len {room}"
        )
    method = method_of(args.samples[0], name)
    return (
        f"{args.out} is written. Serve it (pip install vllm):\n  {serve}\n"
        "and see what it is worth, beside its teacher:\n"
        f"  coterie bench dynahmrc-static,dynahmrc-cto --methods {method},{method.partition('@')[0]}@oracle "
        "--base-url http://localhost:8000/v1 --batch 64"
    )


def parser():
    p = argparse.ArgumentParser(
        description="Fine-tune a chat model of Hugging Face on demonstrations of coterie learn demos."
    )
    p.add_argument("samples", type=Path, nargs="+", metavar="FILE.jsonl")
    p.add_argument("--out", type=Path, required=True, metavar="DIR", help="where it goes; its name is the model's")
    p.add_argument("--model", default=MODEL, metavar="NAME", help=f"of Hugging Face, or a folder (default: {MODEL})")
    p.add_argument("--dev", type=Path, metavar="FILE.jsonl", help="the loss on these samples after each pass")
    p.add_argument(
        "--play", type=whole("a number of episodes", 0), default=0, metavar="N",
        help="episodes in dev houses after each pass; the state that wins most is kept",
    )  # fmt: skip
    p.add_argument("--targets", choices=("both", "action", "thought"), default="both", help="what of a reply is learnt")
    p.add_argument("--share", type=share, default=1.0, metavar="SHARE", help="of the samples (0.3, 0.6; default: 1)")
    p.add_argument("--full", action="store_true", help="train all weights, as in the paper, instead of thin matrices")
    p.add_argument("--rank", type=whole("a rank", 1), default=32, help="of the thin matrices (default: 32)")
    p.add_argument("--rate", type=float, help=f"of learning (default: {THIN_RATE:g}, with --full {RATE:g})")
    p.add_argument("--passes", type=float, default=PASSES, help=f"over all samples (default: {PASSES:g})")
    p.add_argument(
        "--at-once", type=whole("a number", 1), default=AT_ONCE, help=f"texts a GPU takes in (default: {AT_ONCE})"
    )
    p.add_argument(
        "--steps-together",
        type=whole("a number", 1),
        default=STEPS_TOGETHER,
        help=f"of these before weights move ({STEPS_TOGETHER})",
    )
    p.add_argument(
        "--longest", type=whole("a number", 1), default=LONGEST, help=f"tokens of a text (default: {LONGEST})"
    )
    p.add_argument("--ample", action="store_true", help="memory is: compute nothing twice")
    p.add_argument("--share-out", action="store_true", help="weights, between GPUs (DeepSpeed, with accelerate launch)")
    p.add_argument("--seed", type=whole("a number", 0), default=0)
    return p


def main(words=None):
    try:
        return tune(parser().parse_args(words))
    except CoterieError as err:
        sys.exit(str(err))


if __name__ == "__main__":
    main()
