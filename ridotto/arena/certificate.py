"""The standard tournament, and the page about it: how strong the bots are, how certain that is, and how it was measured.

A certificate is a list of *questions*: a pairing at a number of seats, and for some of them a share of wins to be shown.
They are played one after the other, the cheap ones first; each gets its part of the remaining time, so that the time that one
does not need goes to those after it. Results are kept, so that an interrupted certificate can be continued.
"""

from __future__ import annotations

import os
import platform
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib.metadata import version
from itertools import pairwise
from math import sqrt
from pathlib import Path
from statistics import fmean, stdev
from typing import Any, Final

from ridotto import bots
from ridotto.arena.charts import GOLD, WINE, pyplot, save, style
from ridotto.arena.ledger import Ledger
from ridotto.arena.rating import require_choix
from ridotto.arena.schedule import Pairing, TournamentSettings
from ridotto.arena.sprt import SPRT
from ridotto.arena.standings import standings
from ridotto.arena.tournament import PairingProgress, run_tournament
from ridotto.bots.workers import WorkerPool
from ridotto.core import tuning
from ridotto.core.game import Game
from ridotto.core.tuning import CertificateComparison
from ridotto.games import GAMES

MARGIN: Final = 0.03
"""A share to be shown is tested as this much less against this much more."""
PLAYOUTS: Final = (100, 1000, 10_000)
PLAYOUTS_A_SECOND: Final = 100_000
"""About as many as the fastest game has; used only to sort the questions by their cost."""
LEVELS: Final = tuple(f"level:{level}" for level in range(1, tuning.LEVELS + 1))


@dataclass(frozen=True)
class StrengthQuestion:
    """A pairing at a number of seats, and the share of wins to be shown, if any."""

    game: str
    players: int
    one: str
    rest: str
    wanted: float | None = None
    seat: int | None = None
    """The only seat at which `one` plays, if the question is about a role."""
    comparison: CertificateComparison | None = None
    """The comparison that this question is one half of."""

    @property
    def pairing(self) -> Pairing:
        return Pairing(self.one, self.rest, tuple(range(self.players)) if self.seat is None else (self.seat,))

    @property
    def test(self) -> SPRT | None:
        return None if self.wanted is None else SPRT(self.wanted - MARGIN, self.wanted + MARGIN)

    @property
    def weight(self) -> int:
        """Its part of the time, relative to the other questions."""
        return 1 if self.test is None and self.comparison is None else 3

    @property
    def cost(self) -> float:
        """About how many playouts the slower side makes: cheap questions are played first."""
        game = GAMES[self.game]
        return max(_playouts(self.one, game), _playouts(self.rest, game)) * self.players

    @property
    def most(self) -> int | None:
        """The most matches, where a small difference needs more of them than usual; None: as usual."""
        return None if self.comparison is None else self.comparison.matches


def _playouts(name: str, game: Game) -> float:
    """About how many playouts a bot makes for a decision."""
    bot = bots.find(name)
    if isinstance(bot, bots.Level):
        bot = bot.search(game, game.seats[0])
    if not isinstance(bot, bots.Search):
        return 1.0
    return PLAYOUTS_A_SECOND * bot.seconds if bot.playouts is None and bot.seconds else float(bot.playouts or 1)


def questions(names: Sequence[str]) -> list[StrengthQuestion]:
    """All questions of a certificate of these games, the cheap ones first."""
    return sorted((one for name in names for one in _questions_of(GAMES[name])), key=lambda one: one.cost)


def _questions_of(game: Game) -> Iterator[StrengthQuestion]:
    name, least, most, settings = game.name, game.seats[0], game.seats[-1], game.tuning.certificate
    for players in sorted({least, max(least, min(4, most)), most}):
        yield StrengthQuestion(name, players, "greedy", "random", settings.greedy.get(players))
        yield StrengthQuestion(name, players, "search:1000", "greedy", settings.search.get(players))
        if players not in (least, most):
            continue
        yield StrengthQuestion(name, players, "search:10000", "search:1000", settings.deep_search.get(players))
        yield StrengthQuestion(name, players, "search:100", "greedy")
        yield StrengthQuestion(name, players, "search:1000", "search:100")
        yield StrengthQuestion(name, players, LEVELS[0], "random")
        yield StrengthQuestion(name, players, "greedy", LEVELS[0])
        for lower, higher in pairwise(LEVELS):
            yield StrengthQuestion(name, players, higher, lower)
        yield StrengthQuestion(name, players, LEVELS[2], "greedy")
    for one in settings.questions:
        yield StrengthQuestion(name, game.seat_count(one.seats), one.one, one.rest, one.wanted, one.seat)
    for comparison in settings.comparisons:
        for bot in comparison.bots:
            yield StrengthQuestion(
                name, game.seat_count(comparison.seats), bot, comparison.rest, seat=comparison.seat, comparison=comparison
            )


# Playing the questions.


@dataclass
class QuestionProgress:
    """A question, with the progress of its pairing and the ledger of its results."""

    question: StrengthQuestion
    progress: PairingProgress
    ledger: Ledger

    @property
    def group(self) -> tuple[str, int]:
        return self.question.game, self.question.players


class Certificate:
    """The questions and their results so far, which are kept in a folder: one file for each game and number of seats."""

    def __init__(self, names: Sequence[str], games: int, seed: int, folder: Path | None) -> None:
        require_choix()
        self.games, self.seed = games, seed
        self._places = folder and folder / "places.txt"
        self.questions: list[QuestionProgress] = []
        self.ledgers: dict[tuple[str, int], Ledger] = {}
        for question in questions(names):
            group = question.game, question.players
            if group not in self.ledgers:
                settings = TournamentSettings(question.game, question.players, GAMES[question.game].settle(), seed)
                if folder is not None:
                    folder.mkdir(parents=True, exist_ok=True)
                self.ledgers[group] = Ledger(settings, folder and folder / f"{question.game}-{question.players}.jsonl")
            progress = PairingProgress.of(question.pairing, min(games * 5, question.most or games), question.test)
            self.questions.append(QuestionProgress(question, progress, self.ledgers[group]))

    def run(self, minutes: float, processes: int, on_progress: Callable[[int], None] = lambda done: None) -> None:
        """Play every question, each within its part of the remaining time; `on_progress` gets how many are done."""
        end = time.monotonic() + 60 * minutes
        if minutes and self._places is not None and (here := _place(minutes, processes)) not in self.places:
            self._places.write_text("".join(f"{place}\n" for place in [*self.places, here]), "utf-8")
        with WorkerPool(processes) as pool:
            for ledger in self.ledgers.values():
                pool.warm(ledger.settings)
            for i, current in enumerate(self.questions):
                on_progress(i)
                now = time.monotonic()
                weight = current.question.weight / sum(one.question.weight for one in self.questions[i:])
                until = now + max(end - now, 0.0) * weight
                run_tournament(current.ledger, [current.progress], pool, until)
        on_progress(len(self.questions))

    @property
    def places(self) -> list[str]:
        """The machines and versions it was played with."""
        return self._places.read_text("utf-8").splitlines() if self._places is not None and self._places.exists() else []

    def close(self) -> None:
        for ledger in self.ledgers.values():
            ledger.close()

    def standings(self, game: str, players: int) -> dict[str, Any]:
        """The standings at one number of seats, from the questions that are played from every seat."""
        here = [one for one in self.questions if one.group == (game, players) and one.question.seat is None]
        return standings(self.ledgers[game, players], [one.progress for one in here], "greedy")

    def answer(self, one: QuestionProgress) -> dict[str, Any]:
        """The result of one question."""
        pair: dict[str, Any] = standings(one.ledger, [one.progress])["pairings"][0]
        return pair


# The page.


def write(certificate: Certificate, path: Path, command: str) -> list[Path]:
    """Write the page, and its pictures into pictures/ beside it; returns the files that were written."""
    tables = {group: certificate.standings(*group) for group in sorted(certificate.ledgers)}
    written = [path]
    lines = [
        "# How strong the bots are",
        "",
        f"Made by `{command}`; nothing here is typed.",
        "",
        "The seats of every pairing are balanced, and both sides get the same deals. At more than two seats it is one bot",
        "against a table full of the other. Ratings are Elo points of Luce's model (at two seats Bradley and Terry's):",
        "`greedy` is 1000, ten times the odds to win are 400 points. Intervals are 95 %.",
        "",
        *_versions(certificate),
        "## What was to be shown",
        "",
        f"Each share was tested as {MARGIN:.0%} less against {MARGIN:.0%} more, deal by deal, until that was settled",
        "(generalised SPRT, 5 % errors either way) or the matches or the time were spent.",
        "",
        *_claims(certificate),
        *_comparisons(certificate),
    ]
    for (name, players), table in tables.items():
        lines += [f"## {GAMES[name].title}, {players} seats", ""]
        if any(line["rating"] is not None for line in table["bots"]) and table["matches"]:
            picture = Path("pictures") / f"strength-{name}-{players}.svg"
            draw(table, path.parent / picture)
            written.append(path.parent / picture)
            lines += [f"![Ratings against playouts and levels]({picture.as_posix()})", ""]
        lines += _rated(table) + _pairs(table)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("\n".join(lines).rstrip() + "\n", "utf-8")
    return written


def _place(minutes: float, processes: int) -> str:
    """This machine, the versions of the packages, and the time limit."""
    packages = ", ".join(f"{name} {version(name)}" for name in ("numpy", "numba"))
    machine = f"{platform.system()} {platform.machine()}, {os.cpu_count()} cores, {processes} processes"
    return f"Python {platform.python_version()}, {packages}, {machine}, {minutes:g} minutes"


def _versions(certificate: Certificate) -> list[str]:
    played = [name for name in GAMES if any(name == game for game, _ in certificate.ledgers)]
    rules = ", ".join(f"{name} rules {GAMES[name].version}, box {GAMES[name].build().box[:12]}" for name in played)
    return [
        f"- At most {certificate.games} matches a pairing, seed {certificate.seed}.",
        *(f"- Played with {place}." for place in certificate.places),
        f"- Rated with choix {version('choix')}.",
        f"- Ridotto {version('ridotto')}: {rules}.",
        "",
    ]


def _claims(certificate: Certificate) -> list[str]:
    rows = []
    for current in sorted(certificate.questions, key=lambda one: one.group):
        question = current.question
        if question.wanted is None:
            continue
        pair = certificate.answer(current)
        role = "" if question.seat is None else f" as {GAMES[question.game].roles[question.seat]}"
        against = question.rest if question.players == 2 else f"{question.players - 1} × {question.rest}"
        what = f"{question.game}, {question.players} seats: `{question.one}`{role} against `{against}`"
        rows.append([what, f"≥ {question.wanted:.0%}", _percent(pair), str(pair["matches"]), _verdict(pair, question.wanted)])
    return _table(["question", "wanted", "won", "matches", "answer"], rows)


def _comparisons(certificate: Certificate) -> list[str]:
    """The result of each comparison: the difference, deal by deal."""
    by_title: dict[tuple[str, str], list[QuestionProgress]] = {}
    for one in certificate.questions:
        if one.question.comparison is not None:
            by_title.setdefault((one.question.game, one.question.comparison.title), []).append(one)
    return [line for halves in by_title.values() for line in _comparison(certificate, halves)]


def _comparison(certificate: Certificate, halves: Sequence[QuestionProgress]) -> list[str]:
    question = halves[0].question
    comparison, roles = question.comparison, GAMES[question.game].roles
    assert comparison is not None and question.seat is not None
    by_bot = {one.question.one: one for one in halves}
    won = {bot: {one.deal: one.share(one.at) for one in half.progress.results(half.ledger)} for bot, half in by_bot.items()}
    first, second = (won[bot] for bot in comparison.bots)
    gains = [first[deal] - second[deal] for deal in first.keys() & second.keys()]
    if len(gains) < 2:
        return []
    margin, error = 100 * fmean(gains), 196 * stdev(gains) / sqrt(len(gains))
    answers = {bot: certificate.answer(one) for bot, one in by_bot.items()}
    columns = [roles[question.seat], roles[1 - question.seat]] if question.players == 2 else ["one", "against"]
    return [
        f"## {comparison.title}",
        "",
        *comparison.text.splitlines(),
        "",
        *_table(
            [*columns, "won", "matches"],
            [
                [f"`{bot}`", f"`{comparison.rest}`", _percent(answers[bot]), str(answers[bot]["matches"])]
                for bot in comparison.bots
            ],
        ),
        f"Over the {len(gains)} deals that both played, the margin is {margin:+.1f} points "
        f"({margin - error:+.1f} to {margin + error:+.1f}).",
        "",
    ]


def _verdict(pair: Mapping[str, Any], wanted: float) -> str:
    if not pair["matches"]:
        return "not played yet"
    verdict = pair["sprt"]["verdict"]
    if verdict is not None:
        return "**shown**" if verdict == "high" else "not so"
    return f"not settled; {'above' if pair['share'] >= wanted else 'below'} so far"


def ratings_as_toml(certificate: Certificate) -> Iterator[str]:
    """The ratings of the levels, as lines of the games' `tuning.toml`."""
    for game in dict.fromkeys(name for name, _ in sorted(certificate.ledgers)):
        lines = []
        for players in sorted(seats for name, seats in certificate.ledgers if name == game):
            rated = {line["bot"]: line["rating"] for line in certificate.standings(game, players)["bots"]}
            if all(rated.get(level) is not None for level in LEVELS):
                lines.append(f"{players} = [{', '.join(f'{rated[level]:.0f}' for level in LEVELS)}]")
        if lines:
            yield from (f"# {game}/tuning.toml", "[ratings]", *lines)


def _rated(table: Mapping[str, Any]) -> list[str]:
    rows = []
    for line in sorted(table["bots"], key=lambda line: -(line["rating"] or -1e9)):
        if line["rating"] is not None and line["matches"]:
            interval = "" if line["bot"] == table["anchor"] else "{:.0f} to {:.0f}".format(*line["interval"])
            times = [f"{line[key]:.2f}" for key in ("mean_ms", "p95_ms", "max_ms")]
            score = f"{line['mean_score']:.2f}"
            rows.append([f"`{line['bot']}`", f"{line['rating']:.0f}", interval, str(line["matches"]), score, *times])
    return _table(["bot", "rating", "95 %", "seats played", "mean score", "ms a decision", "95 % within", "slowest"], rows)


def _pairs(table: Mapping[str, Any]) -> list[str]:
    rows = [
        [f"`{pair['one']}`", f"`{pair['rest']}`", str(pair["matches"]), _percent(pair), _seats(pair)]
        for pair in table["pairings"]
        if pair["matches"]
    ]
    rest = "against" if table["players"] == 2 else f"against {table['players'] - 1} times"
    return _table(["one", rest, "matches", "won", "by seat"], rows)


def _percent(pair: Mapping[str, Any]) -> str:
    return "{:.1%} ({:.0%} to {:.0%})".format(pair["share"], *pair["interval"]) if pair["matches"] else ""


def _seats(pair: Mapping[str, Any]) -> str:
    return ", ".join(f"{one['role']} {one['share']:.0%}" for one in pair["by_seat"])


def _table(columns: Sequence[str], rows: Sequence[Sequence[str]]) -> list[str]:
    if not rows:
        return ["Nothing was played yet.", ""]
    return ["| " + " | ".join(row) + " |" for row in (columns, ["---"] * len(columns), *rows)] + [""]


def draw(table: Mapping[str, Any], path: Path) -> None:
    """The chart of one number of seats: rating against playouts, against time if any bot has a time limit, and the levels."""
    plt = pyplot()
    rated = {line["bot"]: line for line in table["bots"] if line["rating"] is not None}
    curves = [("playouts", [(f"search:{n}", float(n)) for n in PLAYOUTS])]
    searches = {name: bot.seconds for name in rated if isinstance(bot := bots.find(name), bots.Search) and bot.seconds}
    if searches:
        curves.append(("milliseconds", sorted(((name, 1000 * s) for name, s in searches.items()), key=lambda one: one[1])))
    with plt.rc_context(style(f"{table['game']} {table['players']}")):
        figure, axes = plt.subplots(1, len(curves) + 1, figsize=(4.2 * (len(curves) + 1), 3.6), sharey=True, squeeze=False)
        for axis, (unit, points) in zip(axes[0], curves, strict=False):
            here = [(x, rated[name]) for name, x in points if name in rated]
            _dots(axis, [x for x, _ in here], [line for _, line in here], "-o")
            axis.set_xscale("log")
            axis.set_xlabel(f"{unit} a decision")
            for name in ("greedy", "random"):
                if name in rated:
                    axis.axhline(rated[name]["rating"], color=WINE, linewidth=1, linestyle="--")
                    axis.annotate(name, (1, rated[name]["rating"]), xycoords=("axes fraction", "data"), ha="right", va="bottom")
        levels = [rated[name] for name in LEVELS if name in rated]
        _dots(axes[0][-1], [line["bot"] for line in levels], levels, "o")
        axes[0][0].set_ylabel("rating, 95 %")
        figure.suptitle(f"{GAMES[table['game']].title}, {table['players']} seats")
        save(figure, path)


def _dots(axis: Any, places: Sequence[Any], lines: Sequence[Mapping[str, Any]], shape: str) -> None:
    if lines:
        errors = [line["interval"][1] - line["rating"] for line in lines]
        axis.errorbar(places, [line["rating"] for line in lines], yerr=errors, fmt=shape, color=GOLD, ecolor=WINE, capsize=4)
