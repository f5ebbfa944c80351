"""Prompts of single templates, filled and read back."""

from collections import defaultdict

from coterie.protocols.dynahmrc.oracle import answers
from coterie.protocols.shared.templates import read, render


def filled(template, style="compact", /, **slots):
    """A prompt whose other slots are empty."""
    return render(template, style, defaultdict(str, slots))


def read_back(prompt):
    """The template of a prompt, from whose slots the same prompt can be written again."""
    page = read(answers, prompt)
    again = filled(page.name, page.style, **page)
    assert again == tuple((role, text) for role, text in prompt[: len(again)])
    return page.name
