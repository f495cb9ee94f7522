"""Looking into a game: how it is written down, how balanced it is, and whether it leaks."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ridotto.cli.options import (
    GameName,
    file_path,
    game_command,
    json_option,
    option_option,
    parse_options,
    players_option,
    processes_option,
    seed_option,
)
from ridotto.cli.output import console, print_json, progress

if TYPE_CHECKING:
    from ridotto.arena.audit import AuditReport
    from ridotto.core.game import Game
    from ridotto.core.tensors import Layout
    from ridotto.rl import Tensors


@click.command()
@game_command
@click.option("--tensors", is_flag=True, help="Show how a view becomes an array of numbers for learners instead.")
@click.option("--traits", is_flag=True, help="The same with traits of cards instead of their names.")
@click.option("--history", is_flag=True, help="Show how an event becomes a line of numbers for learners instead.")
@players_option
@json_option
def layout(
    game: Game, box: Path | None, tensors: bool, traits: bool, history: bool, players: int | None, as_json: bool
) -> None:
    """Show how GAME is written down: fields, actions, events, options, endings."""
    if tensors or traits or history:
        from ridotto.rl import Tensors, Traits

        encoding = Tensors(game, players)
        _show_pieces(encoding, encoding.event_lines if history else Traits(encoding) if traits else encoding, as_json)
        return
    data = _layout(game)
    if as_json:
        print_json(data)
        return
    from rich import box as boxes
    from rich.markup import escape
    from rich.table import Table

    screen = console()
    credit = f"{game.authors}, {game.publisher} {game.year}"
    called = f" ({escape(game.box_name)})" if game.box_name else ""
    screen.print(f"[bold]{game.title}[/bold] ({credit}), rules {game.version}, box {data['box'][:12]}{called}")
    for title in ("fields", "actions", "events", "options", "reasons", "endings", "score parts"):
        rows = data[title.replace(" ", "_")]
        if not rows:
            continue
        table = Table(title=title, title_justify="left", box=boxes.SIMPLE)
        for column in rows[0]:
            table.add_column(column, no_wrap=column != "meaning", min_width=36 if column == "meaning" else None)
        for row in rows:
            table.add_row(*(escape(_cell(value)) for value in row.values()))
        screen.print(table)


def _cell(value: Any) -> str:
    return "" if value is None else str(value)


def _show_pieces(tensors: Tensors, layout: Layout, as_json: bool) -> None:
    """The pieces of an array for learners: those of a view, or of one event that a seat has seen."""
    from rich import box as boxes
    from rich.markup import escape
    from rich.table import Table

    game = tensors.game
    pieces = [
        {
            "at": piece.start,
            "piece": piece.name,
            "shape": list(piece.shape),
            "axes": list(piece.axes),
            "labels": list(piece.labels),
            "meaning": piece.meaning,
        }
        for piece in layout.pieces
    ]
    if as_json:
        print_json({"game": game.name, "seats": tensors.seats, "size": layout.size, "pieces": pieces})
        return
    counted = "from the viewer" if tensors.is_symmetric else "as they are"
    screen = console()
    screen.print(f"[bold]{game.title}[/bold], {tensors.seats} seats: {layout.size} numbers; seats are counted {counted}")
    table = Table(box=boxes.SIMPLE)
    for column in ("at", "piece", "shape", "axes", "meaning"):
        table.add_column(column, no_wrap=column != "meaning", justify="right" if column == "at" else "left")
    for one in layout.pieces:
        shape, axes = " × ".join(map(str, one.shape)), " × ".join(one.axes)
        table.add_row(str(one.start), one.name, shape, axes, escape(one.meaning))
    screen.print(table)


def _layout(game: Game) -> dict[str, Any]:
    rules = game.rules
    return {
        "game": game.name,
        "rules": game.version,
        "box": game.build().box,
        "width": rules.FIELDS.width,
        "fields": [
            {
                "at": at,
                "field": one.name,
                "size": one.size,
                "of": " × ".join(kind.name for kind in one.of) or None,
                "kind": one.kind.name,
                "range": f"{one.low}..{one.top}",
                "audience": one.audience if one.owner is None else f"seat {one.owner}",
                "meaning": one.meaning,
            }
            for one, at in rules.FIELDS.slices()
        ],
        "actions": [
            {
                "ids": f"{first}" if one.size == 1 else f"{first}..{first + one.size - 1}",
                "notation": " ".join((one.verb, *(f"<{kind.name}>" for kind in one.of))),
                "example": rules.ACTIONS.notation(first),
                "section": one.section,
                "audience": one.audience,
                "meaning": one.meaning,
            }
            for one, first in zip(rules.ACTIONS, rules.ACTIONS.A, strict=True)
        ],
        "events": [
            {
                "code": code,
                "event": one.name,
                "arguments": ", ".join(arg.name + ("" if arg.audience == "all" else f" ({arg.audience})") for arg in one.args),
                "section": one.section,
                "audience": one.audience,
                "meaning": one.meaning,
            }
            for code, one in enumerate(rules.EVENTS)
        ],
        "options": [
            {"option": o.name, "range": f"{o.low}..{o.high}", "default": o.default, "section": o.section, "meaning": o.sentence}
            for o in rules.OPTIONS
        ],
        "reasons": _lines(rules.REASONS, "reason"),
        "endings": _lines(rules.ENDINGS, "ending"),
        "score_parts": _lines(rules.PARTS, "part"),
    }


def _lines(lines: Any, title: str) -> list[Mapping[str, Any]]:
    return [{"code": code, title: one.name, "section": one.section} for code, one in enumerate(lines, 1)]


@click.command()
@game_command
@players_option
@option_option
@seed_option("deal")
@click.option("--depth", type=click.IntRange(1, 64), default=3, show_default=True, help="Length of the sequences.")
@json_option
def counts(
    game: Game, box: Path | None, players: int | None, options: Sequence[str], seed: int, depth: int, as_json: bool
) -> None:
    """Count the sequences of actions from a deal of GAME, by their first action."""
    from ridotto.arena.simulation import count
    from ridotto.core.match import Match

    match = Match(game, game.seat_count(players), parse_options(options), seed=seed)
    by_action = {}
    with progress(len(match.legal(match.to_act[0])), f"{game.name}: depth {depth}", as_json) as done:
        for first, nodes in count(match, depth):
            by_action[first] = nodes
            done(len(by_action))
    total = sum(by_action.values())
    if as_json:
        print_json(
            {"game": game.name, "players": match.seats, "seed": seed, "depth": depth, "nodes": total, "by_action": by_action}
        )
        return
    for first, nodes in by_action.items():
        click.echo(f"{first:<24}{nodes:>16,}")
    click.echo(f"{'total':<24}{total:>16,}")


@click.command()
@game_command
@option_option
@click.option("--games", type=click.IntRange(50), default=2000, show_default=True, help="Matches for each number of seats.")
@seed_option("matches")
@click.option("--out", type=file_path, help="Write the note here (Markdown), and its picture into pictures/ beside it.")
def balance(game: Game, box: Path | None, options: Sequence[str], games: int, seed: int, out: Path | None) -> None:
    """Play GAME between equal bots at every number of seats, and report what goes with winning."""
    from ridotto.arena.balance import draw, play_contests, report

    contests = []
    with progress(len(game.seats), f"{game.name}: {games} matches a table") as done:
        for contest in play_contests(game, games, seed, parse_options(options)):
            contests.append(contest)
            done(len(contests))
    extra = "".join(f" --option {text}" for text in options) + (f" --box {box.name}" if box else "")
    command = f"ridotto balance {game.name} --games {games} --seed {seed}{extra}"
    picture = f"pictures/{(out.stem if out else game.name)}-balance.svg"
    text = report(game, contests, command, picture)
    if out is None:
        click.echo(text)
        return
    draw(game, contests, out.parent / picture)
    out.write_text(text, "utf-8")
    click.echo(f"written: {out} and {out.parent / picture}")


@click.command()
@game_command
@players_option
@option_option
@click.option("--pairs", type=click.IntRange(1), default=10_000, show_default=True, help="Pairs of worlds to compare.")
@seed_option("matches")
@click.option("--bots", default="random,greedy,search:50", show_default=True, help="Bots to ask, with playout budgets.")
@processes_option
@json_option
def audit(
    game: Game,
    box: Path | None,
    players: int | None,
    options: Sequence[str],
    pairs: int,
    seed: int,
    bots: str,
    processes: int,
    as_json: bool,
) -> None:
    """Compare worlds of GAME that a seat cannot tell apart: everything it is given must be the same, byte for byte.

    Exits with 1 if anything leaked, or if a hidden field never differed, so that nothing was tested about it. Where no two
    such worlds are found, it stops after a hundred matches.
    """
    from ridotto.arena.audit import AuditReport, run_audit
    from ridotto.bots import find as find_bot
    from ridotto.bots.programs import split_names
    from ridotto.bots.setup import MatchSetup

    bot_names = split_names(bots) if bots else []
    for name in bot_names:
        find_bot(name)
    total = AuditReport()
    setup = MatchSetup(game.name, game.seat_count(players), game.settle(parse_options(options)), seed, box)
    with progress(pairs, f"{game.name}: pairs of worlds", as_json) as done:
        for report in run_audit(setup, bot_names, pairs, processes):
            total.add(report)
            done(total.pairs)
    if as_json:
        print_json({"game": game.name, "players": setup.players, "seed": seed} | total.json())
    else:
        _print_audit(game, total)
    sys.exit(0 if total.clean else 1)


def _print_audit(game: Game, report: AuditReport) -> None:
    from rich.markup import escape
    from rich.table import Table

    screen = console()
    table = Table(title=f"{game.title}: worlds that a seat cannot tell apart", show_header=False)
    table.add_row("matches", f"{report.matches:,}")
    table.add_row("pairs compared", f"{report.pairs:,}")
    table.add_row("information sets", f"{len(report.information_sets):,}")
    table.add_row("choices of bots compared", f"{report.bot_pairs:,}")
    for name in sorted(report.hidden):
        table.add_row(f"hidden field {name!r} differed in", f"{report.differed[name]:,}")
    for where, count in report.leaks.most_common():
        table.add_row(f"[red]leak in {escape(where)}", f"{count:,}: {escape(report.examples[where])}")
    screen.print(table)
    for name in report.unproven:
        screen.print(f"[red]{report.unproven_text(name)}")
    if not report.hidden:
        screen.print("nothing is hidden in this game")
    if report.clean:
        screen.print("[green]no leak")


@click.command()
@click.argument("games", nargs=-1, type=GameName())
@click.option("--everything", is_flag=True, help="Also what playing does not need: simulation, counting, batches, reviews.")
def warm(games: Sequence[Game], everything: bool) -> None:
    """Compile GAMES (all of them if none is named), each in a process of its own, so that nobody waits for it later."""
    from concurrent.futures import ProcessPoolExecutor, as_completed
    from multiprocessing import get_context

    from ridotto.arena import simulation
    from ridotto.games import GAMES

    chosen = [game.name for game in games or GAMES.values()]
    with (
        progress(len(chosen), "compiling the games (once)") as done,
        ProcessPoolExecutor(min(len(chosen), os.cpu_count() or 1), get_context("spawn")) as pool,
    ):
        jobs = [pool.submit(simulation.compile_game, name, everything) for name in chosen]
        for i, _ in enumerate(as_completed(jobs), 1):
            done(i)
        for name, job in zip(chosen, jobs, strict=True):
            click.echo(f"{name}: ready in {job.result():.1f} s")
