"""Tournaments: which bot is stronger, by how much, and how certain that is.

Every deal is played once with a bot at each seat: so both sides of a *pairing* get the same deals, and no seat or role favours
anybody. At more than two seats a pairing is one bot against another at all other seats.

Which matches are played depends on the seed alone, not on the number of workers. A file of results can be continued where it
ends.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, field, replace
from math import ceil
from typing import Any, Literal

from ridotto import bots
from ridotto.arena.board import Board
from ridotto.arena.ledger import Ledger, Result
from ridotto.arena.schedule import BadTournament, Pairing, TournamentSettings
from ridotto.arena.sprt import SPRT
from ridotto.bots.bot import chances_of
from ridotto.bots.programs import Fault, Program
from ridotto.bots.setup import derived_seed
from ridotto.bots.solver import Solver
from ridotto.bots.workers import WorkerPool
from ridotto.core.luck import LuckJudge
from ridotto.engine.digest import digest
from ridotto.engine.errors import RidottoError
from ridotto.engine.fields import Seat


class Stopped(RidottoError):
    """A program was at fault, and the settings say that this stops the tournament."""


# One match.


class TimeUp(Exception):
    """There is no time to finish a match."""


def play_match(settings: TournamentSettings, pairing: Pairing, deal: int, at: Seat, until: float | None = None) -> Result:
    """Play one match of a pairing, with `one` at the seat `at`."""
    names = pairing.seating(at, settings.players)
    seated = [_seated_bot(name, settings) for name in names]
    programs = {seat: bot for seat, bot in enumerate(seated) if isinstance(bot, Program)}
    seed = derived_seed("deal", settings.seed, deal)
    judge = LuckJudge(settings.game, settings.players, settings.options) if settings.is_adjusted else None
    board = Board(settings.game, settings.players, settings.options, seed, judge)
    actions: list[int] = []
    micros: list[list[int]] = [[] for _ in names]
    faults: list[dict[str, Any]] = []
    try:
        while waiting := board.to_act:
            if until is not None and time.monotonic() > until:
                raise TimeUp
            seat = waiting[0]
            view = board.view(seat)
            clock = time.perf_counter_ns if seat in programs else time.thread_time_ns
            began = clock()
            try:
                action = seated[seat].choose(view, bots.Budget(derived_seed(seed, at, seat, board.ply)))
            except Fault as fault:
                faults.append({"seat": seat, "ply": board.ply, "code": fault.code, "message": str(fault)})
                if settings.faults == "stop":
                    raise Stopped(f"{names[seat]!r} at seat {seat}, deal {deal}, ply {board.ply}: {fault}") from fault
                if settings.faults == "resign":
                    board.resign(seat)
                    break
                seated[seat] = bots.find("random")
                continue
            micros[seat].append((clock() - began) // 1000 if len(view.legal) > 1 else 0)
            if action not in view.legal:
                where = f"at deal {deal}, ply {board.ply}"
                raise BadTournament(f"{names[seat]!r} chose action {action!r}, which is not legal, {where}")
            board.play(seat, action, chances_of(seated[seat], view) if judge else None)
            actions.append(action)
        outcome = board.outcome
        assert outcome is not None
        for seat, program in programs.items():
            program.end_match(board.view(seat))
    finally:
        for program in programs.values():
            program.close()
    return Result(
        pairing.one,
        pairing.rest,
        deal,
        at,
        seed,
        outcome.ending,
        list(outcome.winners),
        list(outcome.scores),
        board.ply,
        digest(actions)[:16],
        micros,
        faults,
        {names[seat]: program.announced for seat, program in programs.items() if program.announced},
        [round(luck, 6) for luck in board.luck] if judge else None,
        [round(luck, 6) for luck in board.choices] if judge else None,
    )


def _seated_bot(name: str, settings: TournamentSettings) -> bots.Bot:
    """A new bot for one match, with the time limits of the tournament. Searches and solvers get theirs as CPU time."""
    bot = bots.find(name).sit()
    if isinstance(bot, bots.Search | Solver):
        bot = replace(bot, clock=time.thread_time)
    if isinstance(bot, Program):
        bot.allow(settings.move_seconds, settings.match_seconds)
    return bot


# A pairing, and how far it has come.


@dataclass
class PairingProgress:
    """The progress of a pairing: its deals are counted in order, until there are enough of them or the test has a verdict."""

    pairing: Pairing
    deals: int
    """The most deals."""
    sprt: SPRT | None = None
    counted: int = 0
    shares: Counter[float] = field(default_factory=Counter)
    verdict: Literal["low", "high"] | None = None

    @classmethod
    def of(cls, pairing: Pairing, games: int, sprt: SPRT | None = None) -> PairingProgress:
        """The progress of a new pairing of at least `games` matches, rounded up to whole deals."""
        return cls(pairing, ceil(games / len(pairing.seats)), sprt)

    def update(self, ledger: Ledger) -> None:
        """Count the complete deals in their order, so that the verdict does not depend on the order in which workers finish."""
        while not self.is_finished and (share := ledger.share(self.pairing, self.counted)) is not None:
            self.shares[round(share, 9)] += 1
            self.counted += 1
            self.verdict = self.sprt.verdict(self.shares) if self.sprt else None

    @property
    def is_finished(self) -> bool:
        return self.verdict is not None or self.counted >= self.deals

    def results(self, ledger: Ledger) -> list[Result]:
        """The matches that count."""
        return ledger.complete(self.pairing, self.counted if self.sprt else self.deals)


# Playing it.


@dataclass(frozen=True)
class DealTask:
    """A deal of a pairing, and the seats from which it is still to be played."""

    setup: TournamentSettings
    pairing: Pairing
    deal: int
    seats: tuple[Seat, ...]

    def __str__(self) -> str:
        return f"{self.pairing}, deal {self.deal}"

    def run(self, until: float | None) -> list[Result]:
        """The matches, as many as there is time for."""
        results = []
        try:
            for at in self.seats:
                results.append(play_match(self.setup, self.pairing, self.deal, at, until))
        except TimeUp:
            pass
        return results


def run_tournament(
    ledger: Ledger,
    pairings: Sequence[PairingProgress],
    pool: WorkerPool,
    until: float | None = None,
    on_progress: Callable[[], None] = lambda: None,
) -> None:
    """Play the missing matches of pairings until they are finished or the time is up; calls `on_progress` after each deal."""
    for one in pairings:
        one.update(ledger)
    if all(one.is_finished for one in pairings):
        return
    pool.warm(ledger.settings)
    by_pairing = {one.pairing: one for one in pairings}
    playing = pool.run(_tasks(ledger, pairings, until), until)
    with closing(playing):
        for task, results in playing:
            ledger.add(results)
            by_pairing[task.pairing].update(ledger)
            on_progress()
            if all(one.is_finished for one in pairings):
                break


def _tasks(ledger: Ledger, pairings: Sequence[PairingProgress], until: float | None) -> Iterator[DealTask]:
    """The tasks of a tournament: deal by deal, all pairings in turn, except finished ones."""
    for deal in range(max(one.deals for one in pairings)):
        for one in pairings:
            pairing = one.pairing
            left = tuple(at for at in pairing.seats if (pairing.one, pairing.rest, deal, at) not in ledger)
            if not left or one.is_finished or deal >= one.deals:
                continue
            if until is not None and time.monotonic() > until:
                return
            yield DealTask(ledger.settings, pairing, deal, left)
