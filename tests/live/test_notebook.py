"""What a notebook shows of an episode and of a bench."""

import re
from html import unescape

import coterie
from tests.page.test_browser import EVIL


def test_an_episode_is_a_page_and_a_short_line(browser):
    played = coterie.play(task="pack-objects", seed=4)
    steps = played.result.steps
    assert repr(played) == f"Played(pack-objects, rules, seed 4: done, {steps} steps)"
    html = played._repr_html_()
    assert html.startswith("<iframe srcdoc=") and html.count("<") == 2, "nothing of it is markup of the notebook"
    page = browser.new_page()
    page.set_content(unescape(re.search('srcdoc="(.*?)"', html, re.S)[1]))
    assert page.locator("#verdict").inner_text() == f"Done in {steps} steps"
    page.close()


def test_a_bench_is_a_table(own_names):
    bench = coterie.play_suite("smoke", ["rules"], episodes=2)
    assert repr(bench) == "Bench(smoke: 2 episodes, rules)"
    html = bench._repr_html_()
    assert "<td>rules</td><td>2</td>" in html and "<th>succ</th>" in html
    odd = coterie.play_suite("smoke", ["rules"], episodes=1)
    object.__setattr__(odd, "suite", EVIL)
    assert "<script" not in odd._repr_html_()
