"""A task: what guests ordered, drawn from a seed. Cups count only where they were rinsed."""

from dataclasses import dataclass

from coterie import Config, CoterieError, Progress, Task
from coterie.core.seeds import rng_of
from coterie.core.task import goals
from coterie.houses.names import scene
from coterie.worlds.indoor.bodies import team
from coterie.worlds.indoor.plans.errands import planner_of
from coterie.worlds.indoor.setting import Setting, Thing
from coterie.worlds.indoor.tasks.goals import Bring
from coterie.worlds.indoor.world import IndoorWorld

LEVELS = {"quiet": 3, "busy": 6}  # things that are ordered
TABLES = ("window_table", "round_table", "corner_table")
STORES = ("counter", "shelf", "cupboard")


@dataclass(frozen=True)
class Serve(Bring):
    """Everything at its table, and what guests drink from rinsed before."""

    kind: str = "serve"

    @property
    def to_rinse(self) -> tuple[str, ...]:
        return tuple(t for t in self.targets if t.startswith("cup"))

    def progress(self, look) -> Progress:
        good = [t for t in self.targets if self.at_home(look, t) and (t not in self.to_rinse or look("rinsed", t))]
        text = f"Served as guests like it: {', '.join(good) or 'nothing yet'}."
        return Progress(len(good) == len(self.pairs), len(good) / len(self.pairs), text)

    def text(self) -> str:
        return f"{super().text()} Rinse every cup before."

    def to_json(self) -> dict:
        return {**super().to_json(), "kind": self.kind}


goals.put("serve", lambda data: Serve(tuple((str(a), str(b)) for a, b in data["pairs"])))


def serve(config: Config) -> Task:
    """carry what guests ordered to their tables; cups are rinsed first"""
    for n in range(100):
        task = draw(config, n)
        if planner_of(IndoorWorld(task)).feasible():  # every thing can be reached by somebody, and its table too
            return task
    raise CoterieError(f"No order for team {config.team} can be served in scene '{config.scene}'; try another.")


def draw(config: Config, n: int) -> Task:
    house, rng = scene(config.scene), rng_of("cafe", config.level, config.seed, n)
    count = LEVELS[config.level]
    names = [f"{'cup' if i % 2 == 0 else 'roll'}_{i // 2}" for i in range(count)]
    pairs = tuple((name, rng.choice(TABLES)) for name in names)
    free = {store: list(house.piece[store].spots) for store in STORES}
    things = []
    for name in names:
        store = rng.choice(STORES)
        things.append((Thing(name, name.split("_")[0]), store, free[store].pop(rng.randrange(len(free[store])))))
    about = {"kind": "serve", "level": config.level, "team": config.team, "scene": house.name}
    setting = Setting(house, (), tuple(things))
    limit = 20 * count
    return Task("serve", Serve(pairs), setting, team(config.team), step_limit=limit, seed=config.seed, about=about)
