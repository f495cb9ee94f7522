"""For programs and researchers: random play in bulk, datasets, and a referee."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ridotto.cli.options import (
    file_path,
    folder_path,
    game_command,
    json_option,
    on_option,
    option_option,
    parse_options,
    players_option,
    processes_option,
    seed_option,
    worker_pool,
)
from ridotto.cli.output import console, print_json, progress

if TYPE_CHECKING:
    from ridotto.arena.simulation import Simulation
    from ridotto.core.game import Game


@click.command()
@game_command
@players_option
@option_option
@click.option("--games", type=click.IntRange(1), default=100_000, show_default=True, help="Matches to play.")
@seed_option("matches")
@click.option("--threads", type=click.IntRange(1, 1024), default=1, show_default=True, help="Matches at a time.")
@click.option("--repeat", type=click.IntRange(1, 100), default=5, show_default=True, help="Runs; the fastest counts.")
@on_option
@json_option
def simulate(
    game: Game,
    box: Path | None,
    players: int | None,
    options: Sequence[str],
    games: int,
    seed: int,
    threads: int,
    repeat: int,
    on: str | None,
    as_json: bool,
) -> None:
    """Play GAME at random, and say how fast and how it ended. A decision is an action applied."""
    from ridotto.arena.simulation import Simulation

    simulation = Simulation(game, game.seat_count(players), game.settle(parse_options(options)), seed)
    simulation.run(1, 1)  # compiles
    with _runner(simulation, games, threads, on) as run, progress(repeat, f"{game.name}: {games} matches", as_json) as done:
        runs = []
        for i in range(repeat):
            runs.append(run())
            done(i + 1)
    best = max(runs, key=lambda run: run["decisions_per_second"])
    best |= simulation.compared(best["decisions_per_second"], repeat)
    if as_json:
        print_json(best)
        return
    from rich.table import Table

    table = Table(title=f"{game.title}: {games:,} random matches, {best['players']} seats", show_header=False)
    table.add_row("decisions a second of CPU time", f"{best['decisions_per_second']:,.0f}")
    table.add_row("decisions a second, wall clock", f"{best['decisions_per_wall_second']:,.0f} ({best['threads']} threads)")
    table.add_row("the same rules interpreted", f"{best['python_decisions_per_second']:,.0f}")
    table.add_row("times faster", f"{best['times_python']:.0f}")
    table.add_row("matches a second", f"{best['games_per_second']:,.0f}")
    table.add_row("decisions in a match", f"{best['mean_length']:.1f} ({best['shortest']} to {best['longest']})")
    table.add_row("of them forced", f"{best['forced_share']:.1%}")
    for seat, share in enumerate(best["win_share"]):
        table.add_row(f"seat {seat} ({best['roles'][seat]}) wins", f"{share:.2%}")
    for name, share in best["endings"].items():
        table.add_row(f"ends by {name}", f"{share:.2%}")
    console().print(table)


@contextmanager
def _runner(simulation: Simulation, games: int, threads: int, on: str | None) -> Iterator[Callable[[], dict[str, Any]]]:
    """The runner of a simulation: threads here, or the workers of Ray."""
    if on is None:
        yield lambda: simulation.run(games, threads)
        return
    with worker_pool(on, threads) as pool:
        yield lambda: simulation.run_on(pool, games)


@click.command()
@game_command
@click.option("--games", type=click.IntRange(1), required=True, help="Matches to play.")
@click.option("--bots", required=True, metavar="BOT,BOT,…", help="Who plays; they move on by a seat from match to match.")
@click.option("--out", type=folder_path, required=True, help="A folder, new or begun before.")
@players_option
@option_option
@seed_option("matches")
@click.option("--each", type=click.IntRange(1, 100_000), default=500, show_default=True, help="Matches to a file.")
@processes_option
@on_option
def dataset(
    game: Game,
    box: Path | None,
    games: int,
    bots: str,
    out: Path,
    players: int | None,
    options: Sequence[str],
    seed: int,
    each: int,
    processes: int,
    on: str | None,
) -> None:
    """Play GAME between bots and write the matches to learn from: as records, and every decision as a line of Parquet.

    The same command writes the same bytes, if its bots go by playouts and not by time. One that was stopped goes on.
    """
    from ridotto.bots.setup import MatchSetup
    from ridotto.rl.dataset import make, plan

    setup = MatchSetup(game.name, game.seat_count(players), game.settle(parse_options(options)), seed, box)
    planned = plan(setup, bots, games, each)
    if not planned.is_repeatable:
        click.echo("not repeatable: a bot goes by time, or is an outside program", err=True)
    try:
        with worker_pool(on, processes) as pool, progress(games, f"{game.name}: matches") as done:
            make(planned, out, pool, done)
    except KeyboardInterrupt:
        click.echo(f"interrupted: what is in {out} is whole, and the same command goes on", err=True)
        sys.exit(130)
    click.echo(f"written: {out}, {games} matches in {len(planned.shards)} pairs of files")


def _seats_and_times(_: click.Context, __: click.Parameter, values: Sequence[str]) -> dict[int, int]:
    """Numbers of seats, and how many times as many matches each gets."""
    times = {}
    for value in values:
        if (parts := re.fullmatch("([0-9]{1,2})(?:x([1-9][0-9]?))?", value)) is None:
            raise click.BadParameter(f"{value!r} is not a number of seats such as 4, or 4x3 for three times as many matches")
        times[int(parts[1])] = int(parts[2] or 1)
    return times


@click.command()
@game_command
@click.option(
    "--seats",
    multiple=True,
    callback=_seats_and_times,
    help="A number of seats to train for; 4x3: with three times as many matches. Several may be given, all if none is.",
)
@click.option("--minutes", type=click.FloatRange(0.01), default=60.0, show_default=True, help="How long it learns.")
@click.option("--out", type=file_path, required=True, help="The network, such as network.npz; a checkpoint is kept beside it.")
@seed_option("matches and first weights")
@click.option("--start", type=file_path, help="A network to begin with, instead of with nothing.")
@click.option(
    "--imitate", type=click.FloatRange(0, 0.9), default=0.0, show_default=True, help="Share of time to imitate `greedy`."
)
@click.option(
    "--points",
    type=click.FloatRange(0, 1),
    nargs=2,
    default=(0.5, 0.0),
    show_default=True,
    help="How much of the reward is the score and not the win, at first and in the end.",
)
@click.option(
    "--points-until",
    type=click.FloatRange(0.01, 1),
    default=0.3,
    show_default=True,
    help="The share of the time after which the reward does not change any more.",
)
@click.option(
    "--bots", type=click.FloatRange(0, 0.8), default=0.0, show_default=True, help="Share of matches against `greedy`."
)
@click.option("--rate", type=click.FloatRange(1e-6, 0.1), help="How fast it learns at first.  [7e-4; on a CPU 4e-4]")
@click.option(
    "--entropy", type=click.FloatRange(0, 1), default=0.02, show_default=True, help="Reward for not being sure, at first."
)
@click.option("--length", type=click.IntRange(1, 4096), default=64, show_default=True, help="Decisions in a match at a time.")
@click.option("--matches", type=click.IntRange(8), help="Matches at a time for each number of seats.  [16384; on a CPU 128]")
@click.option("--width", type=click.IntRange(8, 4096), help="Numbers in a layer of the network.  [512; on a CPU 192]")
@click.option("--every", type=click.FloatRange(0.01), default=1.0, show_default=True, help="Minutes between measurements.")
@click.option("--device", type=click.Choice(["cuda", "cpu"]), help="Where the network learns; a GPU if there is one.")
@click.option("--threads", type=click.IntRange(1, 1024), default=os.cpu_count() or 1, help="Threads of the CPU.")
def train(
    game: Game,
    box: Path | None,
    seats: Mapping[int, int],
    minutes: float,
    out: Path,
    seed: int,
    start: Path | None,
    imitate: float,
    points: tuple[float, float],
    points_until: float,
    bots: float,
    rate: float | None,
    entropy: float,
    length: int,
    matches: int | None,
    width: int | None,
    every: float,
    device: str | None,
    threads: int,
) -> None:
    """Train a network to play GAME, by playing against itself (see docs/training.md). It needs PyTorch.

    The same command goes on with a training that was stopped; with more minutes, with one that had ended.
    """
    from ridotto.bots.networks import load
    from ridotto.rl.training.learner import TrainingSettings
    from ridotto.rl.training.run import Training, begin, pick_device

    if box is not None:
        raise click.UsageError("a network is trained for the game's own box")
    device = pick_device(device)
    is_large = device == "cuda"
    settings = TrainingSettings(
        game.name,
        tuple(sorted(seats)) or tuple(game.seats),
        minutes,
        seed,
        times=tuple(seats[n] for n in sorted(seats)) if set(seats.values()) - {1} else (),
        matches=matches or (16_384 if is_large else 128),
        width=width or (512 if is_large else 192),
        rate=rate or (7e-4 if is_large else 4e-4),
        entropy=entropy,
        length=length,
        points=points,
        points_until=points_until,
        imitation=imitate,
        bots=bots,
        minibatch_size=65_536 if is_large else 512,
    )
    training = begin(settings, out, device, threads, load(start) if start else None)
    going_on = f", going on after {training.minutes:.1f}" if training.minutes else ""
    click.echo(f"{game.name}: {minutes:g} minutes on {device}{going_on}; a measurement is against `greedy`", err=True)

    def say(training: Training) -> None:
        point = training.curve[-1]
        won = "  ".join(f"{n} seats {share:.0%} ± {2 * point.errors[n]:.0%}" for n, share in point.won.items())
        click.echo(f"{point.minutes:6.1f} min {point.decisions:14,} decisions {training.speed:11,.0f}/s   {won}")

    try:
        with progress(1000, f"{game.name}: learning") as done:
            training.run(every, lambda one: done(round(1000 * one.minutes / minutes)), say)
    except KeyboardInterrupt:
        click.echo(f"interrupted: the same command goes on from the last measurement, in {training.checkpoint}", err=True)
        sys.exit(130)
    from ridotto.arena.charts import draw_learning

    draw_learning(game, training.curve, out.with_suffix(".svg"))
    click.echo(f"written: {out}, {out.with_suffix('.svg')}, {training.checkpoint}")


@click.command()
@game_command
def referee(game: Game, box: Path | None) -> None:
    """GAME for other programs: one JSON object per line in, one out (see docs/referee.md)."""
    from ridotto.present.referee import serve

    serve(game, sys.stdin.buffer, sys.stdout.buffer)
