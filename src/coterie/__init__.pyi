"""What type checkers and editors know of the public names; see `__init__.py`."""

from coterie.api import load as load
from coterie.api import play as play
from coterie.api import play_suite as play_suite
from coterie.api import rows as rows
from coterie.bench.results import Bench as Bench
from coterie.bench.spec import EpisodeSpec as EpisodeSpec
from coterie.bench.spec import suites as SUITES
from coterie.bench.study import Study as Study
from coterie.bench.study import studies as STUDIES
from coterie.core.action import Action as Action
from coterie.core.action import Cause as Cause
from coterie.core.action import Message as Message
from coterie.core.action import Outcome as Outcome
from coterie.core.card import Card as Card
from coterie.core.config import Config as Config
from coterie.core.entry import WorldEntry as WorldEntry
from coterie.core.errors import CoterieError as CoterieError
from coterie.core.event import Event as Event
from coterie.core.fact_world import FactWorld as FactWorld
from coterie.core.facts import UNKNOWN as UNKNOWN
from coterie.core.facts import Belief as Belief
from coterie.core.facts import Fact as Fact
from coterie.core.protocol import Ask as Ask
from coterie.core.protocol import Option as Option
from coterie.core.protocol import Party as Party
from coterie.core.protocol import Reply as Reply
from coterie.core.protocol import RobotView as RobotView
from coterie.core.protocol import SoloProtocol as SoloProtocol
from coterie.core.protocol import TeamProtocol as TeamProtocol
from coterie.core.protocol import TeamView as TeamView
from coterie.core.registry import Registry as Registry
from coterie.core.skill import Clause as Clause
from coterie.core.skill import Effect as Effect
from coterie.core.skill import Param as Param
from coterie.core.skill import Rule as Rule
from coterie.core.skill import Skill as Skill
from coterie.core.task import Change as Change
from coterie.core.task import Goal as Goal
from coterie.core.task import Progress as Progress
from coterie.core.task import Task as Task
from coterie.core.task import Trigger as Trigger
from coterie.core.world import World as World
from coterie.episode.play import Played as Played
from coterie.log.file import read_log as read_log
from coterie.models import Model as Model
from coterie.models import make_model as make_model
from coterie.models import models as MODELS
from coterie.page import save_page as save_page
from coterie.protocols import protocols as PROTOCOLS
from coterie.worlds import worlds as WORLDS

__version__: str
SURFACE: dict[str, dict[str, str]]
__all__: list[str]
