"""A policy for any environment of `coterie.gym`, read off its layout, with numpy alone; `learn_by_rules.py` trains it.

An action names a row of a table (a place, a thing, a piece of furniture) or none. Every row is encoded by itself; the
means and maxima of all rows and the robot's own numbers make a context; row and context together score the actions on
that row. It does not matter how many rows there are, or in which order.

An observation does not tell what the robot has done, and a search without memory turns in circles. `Memory` adds traces
of the robot's own past to each row: how often and how lately it acted on the row, by each skill, and the largest value
that each column ever had, among them how near the robot ever was.
"""

import numpy as np

WIDE = 48  # numbers by which a row, or the context, is described
NEAR = 0.15  # in tens of meters: where nearness is one half
KEPT = 0.7  # of a trace of what was done lately, from one decision to the next
GO_ON = "go on"


class Memory:
    """Makes what a policy reads from the observations of some agents (agents, numbers), with traces of their past."""

    def __init__(self, env, agents, numbered=(), blind=False):
        """The rows of `numbered` tables are the same in all episodes, such as places of one house; `blind` leaves all
        traces out."""
        self.parts, self.actions, self.blind = env.layout.parts, env.actions, blind
        self.tables = {n: p for n, p in self.parts.items() if p.rows and n not in env.layout.senses.maps}
        self.numbered = {n: np.eye(self.tables[n].rows, dtype=np.float32) for n in numbered}
        self.on = {None: [], **{n: [] for n in self.tables}}  # skills by the table that they name a row of
        for skill, (first, last) in self.actions.spans.items():
            if last > first:
                rows = [pick.what for pick in self.actions.list[first].picks if pick.how == "row"]
                self.on[rows[0] if rows else None].append((skill, first, last))
        self.far = {n: [i for i, c in enumerate(p.columns) if "[10 m]" in c] for n, p in self.tables.items()}
        self.go_on = self.actions.spans.get(GO_ON, (-1,))[0]
        self.count, self.lately = np.zeros((2, agents, len(self.actions)), np.float32)
        self.doing = np.zeros(agents, int)
        self.ever = {n: np.zeros((agents, p.rows, len(p.columns) + 1), np.float32) for n, p in self.tables.items()}
        self.widths = {n: x.shape[-1] for n, x in self.look(np.zeros((agents, env.layout.size), np.float32)).items()}

    def forget(self, agents=slice(None)):
        for array in (self.count, self.lately, self.doing, *self.ever.values()):
            array[agents] = 0

    def did(self, actions):
        new = np.flatnonzero(actions != self.go_on)
        self.doing[new] = actions[new]
        self.lately *= KEPT
        self.lately[np.arange(len(actions)), self.doing] = 1
        self.count[new, actions[new]] += 1

    def look(self, vectors):
        """The robots' own numbers (agents, columns) and tables (agents, rows, columns), up to the last row in use."""
        traces = np.stack((np.minimum(self.count / 4, 1), self.lately), 2) * (not self.blind)
        own = [traces[:, first:last].max(1) for _, first, last in self.on[None]]
        found = {"self": np.concatenate((vectors[:, : self.parts["self"].end], *own), 1)}
        for name, part in self.tables.items():
            x = vectors[:, part.start : part.end].reshape(len(vectors), part.rows, -1)
            rows = 1 + max(np.flatnonzero(x[:, :, 0].any(0)), default=0)
            x, there = x[:, :rows], x[:, :rows, :1]
            away = np.sqrt((x[..., self.far[name]] ** 2).sum(2, keepdims=True))
            x = np.concatenate((x, there * NEAR / (NEAR + away)), 2)
            ever = self.ever[name][:, :rows]
            np.maximum(ever, x, out=ever)
            past = [
                traces[:, first:last].reshape(len(x), part.rows, -1, 2)[:, :rows].max(2)
                for _, first, last in self.on[name]
            ]
            named = [np.broadcast_to(e[:rows], (len(x), rows, len(e))) for n, e in self.numbered.items() if n == name]
            found[name] = np.concatenate((x, ever * (not self.blind), *past, *named), 2) * there
        return found


def joined(looks):
    """One batch of many looks, which may differ in how many rows are in use."""
    found = {}
    for name, first in looks[0].items():
        rows = max(look[name].shape[1] for look in looks)
        found[name] = np.zeros((sum(len(look[name]) for look in looks), rows, *first.shape[2:]), np.float32)
        at = 0
        for look in looks:
            x = look[name]
            found[name][at : at + len(x), : x.shape[1]] = x
            at += len(x)
    return found


class Policy:
    """Scores of all actions, and how they change with the weights."""

    def __init__(self, memory, rng):
        self.on, self.actions, self.tables = memory.on, len(memory.actions), memory.tables
        self.weights, self.step = {}, 0
        self._draw(rng, "context", memory.widths["self"] + 2 * WIDE * len(self.tables), WIDE)
        self._draw(rng, "own", WIDE, WIDE)
        for name in self.tables:
            self._draw(rng, f"row {name}", memory.widths[name], WIDE)
            self._draw(rng, f"with {name}", 2 * WIDE, WIDE)
        for name, skills in self.on.items():
            for skill, first, last in skills:
                each = (last - first) // (self.tables[name].rows if name else 1)
                self._draw(rng, f"do {skill}", WIDE, each, 0.1)
        self.means = {k: [np.zeros_like(v), np.zeros_like(v)] for k, v in self.weights.items()}

    def _draw(self, rng, name, inputs, outputs, scale=1.0):
        drawn = scale * rng.standard_normal((inputs + 1, outputs)) * np.sqrt(2 / inputs)
        drawn[-1] = 0  # what is added
        self.weights[name] = drawn.astype(np.float32)

    def _layer(self, name, x, kept):
        kept[name] = x, np.maximum(x @ self.weights[name][:-1] + self.weights[name][-1], 0)
        return kept[name][1]

    def scores(self, seen):
        """Scores (agents, actions), and what `slopes` needs of how they came about."""
        kept, pooled, w = {}, [seen["self"]], self.weights
        for name in self.tables:
            there = seen[name][:, :, :1]
            rows = self._layer(f"row {name}", seen[name], kept) * there
            top = rows.argmax(1)[:, None]
            kept[name] = there, np.maximum(there.sum(1), 1), top
            pooled += [rows.sum(1) / kept[name][1], np.take_along_axis(rows, top, 1)[:, 0]]
        context = self._layer("context", np.concatenate(pooled, 1), kept)
        found = np.zeros((len(context), self.actions), np.float32)
        for name, skills in self.on.items():
            if name and skills:
                rows = kept[f"row {name}"][1]
                both = np.concatenate((rows, np.broadcast_to(context[:, None], rows.shape)), 2)
                hidden = self._layer(f"with {name}", both, kept)
            else:
                hidden = self._layer("own", context, kept)
            for skill, first, _ in skills:
                each = hidden @ w[f"do {skill}"][:-1] + w[f"do {skill}"][-1]
                each = each.reshape(len(found), -1)
                found[:, first : first + each.shape[1]] = each
        return found, kept

    def _back(self, name, slope, kept, found, rectified=True):
        """Note the slopes of one layer's weights, and return those of its inputs."""
        x, y = kept[name]
        slope = slope * (y > 0) if rectified else slope
        flat, x = slope.reshape(-1, slope.shape[-1]), x.reshape(-1, x.shape[-1])
        found[name] = np.concatenate((x.T @ flat, flat.sum(0, keepdims=True)))
        return slope @ self.weights[name][:-1].T

    def slopes(self, kept, to_scores):
        """The slope of every weight, from those of the scores."""
        found, to_rows, to_context = {}, {}, 0
        for name, skills in self.on.items():
            layer = f"with {name}" if name else "own"
            if not skills:
                continue
            hidden, to_hidden = kept[layer][1], 0
            for skill, first, _ in skills:
                many = hidden.shape[1] if name else 1
                each = self.weights[f"do {skill}"].shape[1]
                slope = to_scores[:, first : first + many * each].reshape(*hidden.shape[:-1], each)
                kept[f"do {skill}"] = hidden, None
                to_hidden = to_hidden + self._back(f"do {skill}", slope, kept, found, rectified=False)
            to = self._back(layer, to_hidden, kept, found)
            if name:
                wide = to.shape[-1] // 2
                to_rows[name], to = to[..., :wide], to[..., wide:].sum(1)
            to_context = to_context + to
        to_pooled = self._back("context", to_context, kept, found)
        at = to_pooled.shape[1] - 2 * WIDE * len(self.tables)
        for name in self.tables:
            there, count, top = kept[name]
            mean, most = to_pooled[:, None, at : at + WIDE], to_pooled[:, None, at + WIDE : at + 2 * WIDE]
            slope = to_rows.get(name, 0) + mean / count[:, None] * there
            peak = np.take_along_axis(slope, top, 1) + most * np.take_along_axis(there, top, 1)
            np.put_along_axis(slope, top, peak, 1)
            self._back(f"row {name}", slope, kept, found)
            at += 2 * WIDE
        return found

    def apply(self, slopes, rate):
        """One step of Adam."""
        self.step += 1
        for name, slope in slopes.items():
            first, second = self.means[name]
            first += 0.1 * (slope - first)
            second += 0.001 * (slope**2 - second)
            spread = np.sqrt(second / (1 - 0.999**self.step)) + 1e-7
            self.weights[name] -= rate * first / (1 - 0.9**self.step) / spread


def odds(scores, masks):
    """Probabilities of the actions that are not ruled out."""
    scores = np.where(masks > 0, scores, -np.inf)
    raised = np.exp(scores - scores.max(1, keepdims=True))
    return raised / raised.sum(1, keepdims=True)


def imitate(policy, rng, seen, masks, labels, rate, updates, batch=256):
    """Make the labels likelier; returns the mean loss of the last few updates."""
    losses = []
    for _ in range(updates):
        some = rng.integers(len(labels), size=batch)
        scores, kept = policy.scores({name: x[some] for name, x in seen.items()})
        error, at = odds(scores, masks[some]), (np.arange(batch), labels[some])
        losses.append(-np.log(error[at] + 1e-9).mean())
        error[at] -= 1
        policy.apply(policy.slopes(kept, (error / batch).astype(np.float32)), rate)
    return float(np.mean(losses[-20:]))
