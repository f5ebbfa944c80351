"""The memo in a running episode: any protocol can be asked after what was solved before.

`Recall` stands before a team's protocol and decides for it as long as a remembered plan passes every check. Looking
something up is a request like those to a model: the desk answers it, the log keeps it, a resumed run reads it there.
"""

from coterie.memo.before.cases import MEMO, case_of, first_case, last_found, plan_of, spent
from coterie.memo.before.desk import Desk
from coterie.memo.before.house import HouseRecall
from coterie.memo.before.mind import Recall

__all__ = ["MEMO", "Desk", "HouseRecall", "Recall", "case_of", "first_case", "last_found", "plan_of", "spent"]
