"""The whole path over HTTP: protocol, prompts, client, an OpenAI-compatible server, the text oracle, parser, world."""

from coterie.core.config import Config
from coterie.episode.play import play
from coterie.models import make_model
from coterie.models.server import serve
from coterie.protocols.dynahmrc.oracle import answer


def mind(messages, options):
    return answer([(m["role"], m["content"]) for m in messages])


def test_the_oracle_over_http_plays_as_in_process():
    with serve(mind) as url:
        model = make_model("openai:oracle", base_url=url)
        config = Config(protocol="dynahmrc:full", seed=4, changes=("cto@5",))
        over_http = play(config, model=model)
    at_home = play(Config(protocol="dynahmrc:full", seed=4, changes=("cto@5",), model="oracle"))
    assert over_http.result.success
    acts = [[(e.step, e.who, e.data) for e in p.log.events if e.kind == "act"] for p in (over_http, at_home)]
    assert acts[0] == acts[1]
    assert len(model.ledger.calls) >= sum(e.kind == "reply" for e in over_http.log.events)
