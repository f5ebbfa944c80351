"""The memo in a running episode: any protocol can be asked after what was solved before.

`Recall` stands before a team's protocol and decides for it as long as a remembered plan passes every check; a world has
its own, which says what a case is there (`WorldEntry.recall`). Looking something up is a request like those to a model:
the desk answers it, the log keeps it, a resumed run reads it there.
"""

from coterie.memo.before.cases import MEMO, first_case, last_found, spent
from coterie.memo.before.desk import Desk
from coterie.memo.before.recall import Recall

__all__ = ["MEMO", "Desk", "Recall", "first_case", "last_found", "spent"]
