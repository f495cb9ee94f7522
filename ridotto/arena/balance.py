"""The balance of a game: matches between equal bots, and what correlates with winning, as Markdown tables and a picture.

Everything is derived from the declarations: seats and scores, how often each action was chosen and by whom, what the winners
held at the end, and the range of the public numbers.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import sqrt
from pathlib import Path
from typing import Any

from ridotto.arena.charts import GOLD, WINE, pyplot, save, style
from ridotto.arena.rating import NORMAL
from ridotto.arena.simulation import Contest
from ridotto.core.game import Game
from ridotto.engine.fields import Field

FEW = 30
"""With fewer cases than this a share is not printed."""


@dataclass(frozen=True)
class Share:
    """A mean with its 95 % interval."""

    mean: float
    error: float
    cases: int

    @classmethod
    def of(cls, values: Any) -> Share:
        cases = len(values)
        spread = float(values.std(ddof=1)) if cases > 1 else 0.0
        return cls(float(values.mean()) if cases else 0.0, NORMAL * spread / sqrt(max(cases, 1)), cases)

    def percent(self) -> str:
        return f"{self.mean:.1%} ± {self.error:.1%}"

    def plain(self) -> str:
        return f"{self.mean:.2f} ± {self.error:.2f}"


def play_contests(game: Game, games: int, seed: int, options: Mapping[str, int] | None = None) -> Iterator[Contest]:
    """Matches between equal bots for each number of seats."""
    for seats in game.seats:
        yield Contest.play(game, seats, games, seed, options)


def report(game: Game, contests: Sequence[Contest], command: str, picture: str) -> str:
    """The note as Markdown."""
    lines = [
        f"# {game.title}: balance",
        "",
        f"Made by `{command}`: matches between equal bots (the game's own `greedy` in every seat), rules {game.version},",
        f"box {game.build().box[:12]}. Intervals are 95 %. These are the habits of a quick bot, not of masters.",
        "",
        f"![Win shares by seat, and scores]({picture})",
        "",
    ]
    for contest in contests:
        lines += [f"## {contest.seats} seats, {len(contest.rows):,} matches", "", *_seats(contest), *_nobody(contest)]
        for finding in game.findings(contest) if game.findings else ():
            lines += [f"- {finding}"]
        lines += ["", *_chosen(contest), *_holdings(contest), *_extremes(contest)]
    return "\n".join(lines).rstrip() + "\n"


def _table(columns: Sequence[str], rows: Sequence[Sequence[str]]) -> list[str]:
    marks = ["---" if i == 0 else "---:" for i in range(len(columns))]
    return ["| " + " | ".join(row) + " |" for row in (columns, marks, *rows)] + [""]


def _seats(contest: Contest) -> list[str]:
    rows = []
    for seat in range(contest.seats):
        rows.append(
            [
                f"{seat} ({contest.game.roles[seat]})",
                Share.of(contest.won[:, seat]).percent(),
                Share.of(contest.scores[:, seat]).plain(),
            ]
        )
    return _table(["seat", "wins", "score"], rows)


def _nobody(contest: Contest) -> list[str]:
    lost = contest.won.sum(axis=1) == 0
    shared = (contest.won > 0).sum(axis=1) > 1
    lines = []
    if lost.any():
        lines.append(f"- Nobody wins: {Share.of(lost.astype(float)).percent()} of the matches.")
    if shared.any():
        lines.append(f"- Shared victory: {Share.of(shared.astype(float)).percent()} of the matches.")
    return lines


def _chosen(contest: Contest) -> list[str]:
    """For each action, how often it was chosen, and the win rate of the seats that chose it."""
    actions = contest.game.rules.ACTIONS
    rows = []
    for family, first in zip(actions, actions.A, strict=True):
        for action in range(first, first + family.size):
            times = contest.chosen[:, :, action]
            if times.sum() < FEW:
                continue
            users = Share.of(contest.won[times > 0])
            rows.append([f"`{actions.notation(action)}`", f"{times.mean():.2f}", users.percent(), f"{users.cases:,}"])
    parity = f"win (parity {1 / contest.seats:.0%})"
    return [
        "<details><summary>What was chosen</summary>",
        "",
        *_table(["action", "a seat and match", parity, "by seats"], rows),
        "</details>",
        "",
    ]


def _holdings(contest: Contest) -> list[str]:
    """The win rate of the holders of each thing at the end."""
    lines = []
    for field, at in contest.game.rules.FIELDS.slices():
        if not field.of or field.of[0].name != "seat" or not field.kind.names or field.kind.name == "flag":
            continue
        rows = _owners(contest, field, at)
        if rows:
            parity = f"win (parity {1 / contest.seats:.0%})"
            lines += [f"<details><summary>Field `{field.name}`: {field.meaning}</summary>", ""]
            lines += [*_table([field.kind.name.removeprefix("set of "), "held by", parity], rows), "</details>", ""]
    return lines


def _owners(contest: Contest, field: Field, at: int) -> list[list[str]]:
    each = field.size // len(field.of[0])
    words = contest.rows[:, at : at + contest.seats * each].reshape(len(contest.rows), contest.seats, each)
    rows = []
    for value, name in enumerate(field.kind.names):
        held = ((words >> value & 1) == 1 if field.kind.is_set else words == value).any(axis=2)
        share = Share.of(contest.won[held])
        if FEW <= share.cases < contest.won.size:
            rows.append([name, f"{held.mean():.1%}", share.percent()])
    return rows


def _extremes(contest: Contest) -> list[str]:
    """The lowest and the highest value of every public number."""
    rows = []
    for field, at in contest.game.rules.FIELDS.slices():
        if field.of or field.kind.names or field.audience != "all":
            continue
        low, high = contest.lows[:, at], contest.highs[:, at]
        if low.min() != high.max():
            below = f"{(low < 0).mean():.1%}" if low.min() < 0 else ""
            rows.append([f"`{field.name}`", str(low.min()), str(high.max()), below])
    columns = ["number", "lowest", "highest", "below zero in"]
    return (
        ["<details><summary>How far the numbers went</summary>", "", *_table(columns, rows), "</details>", ""] if rows else []
    )


def draw(game: Game, contests: Sequence[Contest], path: Path) -> None:
    """The picture: win share by seat with intervals, and the scores, for each number of seats."""
    plt = pyplot()
    with plt.rc_context({**style(game.name), "axes.titleweight": "bold"}):
        figure, axes = plt.subplots(2, len(contests), figsize=(3.6 * max(len(contests), 2), 5.6), squeeze=False)
        for column, contest in enumerate(contests):
            shares = [Share.of(contest.won[:, seat]) for seat in range(contest.seats)]
            top, below = axes[0][column], axes[1][column]
            names = game.roles[: contest.seats]
            top.bar(names, [s.mean for s in shares], yerr=[s.error for s in shares], color=GOLD, ecolor=WINE, capsize=4)
            top.axhline(1 / contest.seats, color=WINE, linewidth=1, linestyle="--")
            top.set_title(f"{contest.seats} seats")
            top.set_ylim(0, max(s.mean + s.error for s in shares) * 1.15)
            scores = contest.scores.ravel()
            below.hist(scores, bins=range(int(scores.min()), int(scores.max()) + 2), color=GOLD, density=True)
            best = contest.scores.max(axis=1)
            below.hist(best, bins=range(int(best.min()), int(best.max()) + 2), histtype="step", color=WINE, density=True)
            below.set_xlabel("score (line: the winner's)")
        axes[0][0].set_ylabel("share of wins by seat")
        axes[1][0].set_ylabel("share of matches")
        figure.suptitle(game.title, fontsize=14)
        save(figure, path)
