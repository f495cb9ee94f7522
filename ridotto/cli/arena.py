"""Comparing bots: tournaments, the standard one, and whether their chances come true."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ridotto.cli.options import (
    GameName,
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
    from ridotto.arena.schedule import Faults
    from ridotto.core.game import Game


@click.command()
@game_command
@click.option("--bots", required=True, metavar="BOT,BOT,…", help="Who plays; 'cmd:python mybot.py' is an outside program.")
@players_option
@option_option
@click.option(
    "--games",
    type=click.IntRange(1),
    default=100,
    show_default=True,
    help="Matches of each pairing; rounded up to whole deals (each deal is played from every seat).",
)
@seed_option("deals")
@click.option("--gauntlet", metavar="BOT", help="This bot against each of the others, instead of all against all.")
@click.option("--time", "seconds", metavar="MOVE[/MATCH]", default="10s", show_default=True, help="For programs: 500ms, 2s/5m.")
@click.option(
    "--faults",
    type=click.Choice(["resign", "random", "stop"]),
    default="resign",
    show_default=True,
    help="What becomes of an outside program that is late, gone or talks nonsense.",
)
@click.option("--sprt", metavar="LOW:HIGH", help="Stop a pairing once its win share is settled to be one of these.")
@click.option("--adjusted", is_flag=True, help="Take luck out of the results: fewer matches tell as much.")
@processes_option
@click.option("--out", type=file_path, help="Keep results here, line by line; go on from here if it exists.")
@click.option("--picture", type=file_path, help="Draw the ratings as SVG.")
@on_option
@json_option
def arena(
    game: Game,
    box: Path | None,
    bots: str,
    players: int | None,
    options: Sequence[str],
    games: int,
    seed: int,
    gauntlet: str | None,
    seconds: str,
    faults: Faults,
    sprt: str | None,
    adjusted: bool,
    processes: int,
    out: Path | None,
    picture: Path | None,
    on: str | None,
    as_json: bool,
) -> None:
    """Hold a tournament of GAME between bots: shares of wins, ratings, times.

    Each deal is played from every seat by either side. At more than two seats, one bot plays against as many of another.
    An outside program at fault resigns the match, plays on at random, or stops everything, as --faults says.
    """
    from ridotto.arena.charts import draw_standings
    from ridotto.arena.ledger import Ledger
    from ridotto.arena.rating import require_choix
    from ridotto.arena.schedule import TournamentSettings, bot_names, pairings, parse_seconds
    from ridotto.arena.sprt import SPRT
    from ridotto.arena.standings import standings
    from ridotto.arena.tournament import PairingProgress, run_tournament

    require_choix()
    move, slash, match = seconds.partition("/")
    settings = TournamentSettings(
        game.name,
        game.seat_count(players),
        game.settle(parse_options(options)),
        seed,
        box,
        parse_seconds(move),
        parse_seconds(match) if slash else None,
        faults,
        adjusted,
    )
    test = SPRT.parse(sprt) if sprt else None
    pairs = pairings(bot_names(bots), settings.players, gauntlet and bot_names(gauntlet)[0])
    played = [PairingProgress.of(pairing, games, test) for pairing in pairs]
    ledger = Ledger(settings, out)
    total = sum(one.deals for one in played)

    def deals_done() -> int:
        return sum(one.deals if one.is_finished else one.counted for one in played)

    try:
        with worker_pool(on, processes) as pool, progress(total, f"{game.name}: deals", as_json) as done:
            run_tournament(ledger, played, pool, on_progress=lambda: done(deals_done()))
    except KeyboardInterrupt:
        where = (
            f"what was played is in {out}, and the same command goes on" if out else "nothing was kept: name a file with --out"
        )
        click.echo(f"interrupted: {where}", err=True)
        sys.exit(130)
    finally:
        ledger.close()
    table = standings(ledger, played)
    if picture is not None:
        draw_standings(game, table, picture)
    if as_json:
        print_json(table)
    else:
        _print_arena(game, table)


def _print_arena(game: Game, table: Mapping[str, Any]) -> None:
    from rich.markup import escape
    from rich.table import Table

    title = f"{game.title}: {table['matches']:,} matches, {table['players']} seats, seed {table['seed']}"
    bots = Table("bot", title=title)
    for column in ("wins", "rating", "95 %", "score", "ms a decision", "95 % within", "slowest", "faults"):
        bots.add_column(column, justify="right")
    for line in sorted(table["bots"], key=lambda line: -(line["rating"] or 0)):
        if not line["matches"]:
            continue
        rating = f"{line['rating']:.0f}" if line["rating"] is not None else "?"
        interval = "{:.0f} to {:.0f}".format(*line["interval"]) if line["interval"] else "?"
        times = [f"{line[key]:.2f}" if line[key] is not None else "" for key in ("mean_ms", "p95_ms", "max_ms")]
        cells = [f"{line['win_share']:.1%}", rating, interval, f"{line['mean_score']:.2f}", *times, str(line["faults"] or "")]
        bots.add_row(escape(line["display_name"]), *cells)
    pairs = Table("one", "against" if table["players"] == 2 else f"{table['players'] - 1} times", "matches", "wins", "95 %")
    pairs.add_column("by seat")
    pairs.add_column("settled")
    if table.get("adjusted"):
        for column in ("without luck", "95 %", "variance"):
            pairs.add_column(column, justify="right")
    names = {line["bot"]: escape(line["display_name"]) for line in table["bots"]}
    for pair in table["pairings"]:
        if not pair["matches"]:
            continue
        seats = ", ".join(f"{one['role']} {one['share']:.0%}" for one in pair["by_seat"])
        test = pair["sprt"]
        settled = "" if test is None else f"{test[test['verdict']]:g}" if test["verdict"] else f"not yet ({test['ratio']:+.2f})"
        interval = "{:.1%} to {:.1%}".format(*pair["interval"])
        cells = [str(pair["matches"]), f"{pair['share']:.1%}", interval, seats, settled]
        if (without := pair.get("adjusted")) and without["interval"]:
            ratio = "" if without["variance_ratio"] is None else f"× {without['variance_ratio']:.2f}"
            cells += [f"{without['share']:.1%}", "{:.1%} to {:.1%}".format(*without["interval"]), ratio]
        pairs.add_row(names[pair["one"]], names[pair["rest"]], *cells)
    screen = console()
    screen.print(bots)
    screen.print(pairs)
    for line in table["bots"]:
        if line["display_name"] != line["bot"]:
            screen.print(f"{names[line['bot']]}: {escape(line['bot'])}", highlight=False)
    screen.print(f"Ratings: {names[table['anchor']]} is 1000; ten times the odds are 400 points.", highlight=False)


@click.command()
@click.argument("names", metavar="[GAME]…", nargs=-1, type=GameName())
@click.option("--games", type=click.IntRange(2), default=400, show_default=True, help="Matches of a pairing, at the most.")
@click.option("--minutes", type=click.FloatRange(0), default=120, show_default=True, help="How long it may take.")
@seed_option("deals")
@processes_option
@click.option("--results", type=folder_path, help="Keep results in this folder; go on from them.")
@click.option("--out", type=file_path, default=Path("docs/strength.md"), show_default=True, help="The page to write.")
def certify(
    names: Sequence[Game],
    games: int,
    minutes: float,
    seed: int,
    processes: int,
    results: Path | None,
    out: Path,
) -> None:
    """Play the standard tournament of GAMES (all of them if none is named) and write the page about it.

    Every pairing gets its part of the time; what is settled early leaves its part to the others.
    """
    from ridotto.arena.certificate import Certificate, ratings_as_toml, write
    from ridotto.games import GAMES

    chosen = [game.name for game in names] or list(GAMES)
    folder = results if results is not None else out.with_suffix("")
    certificate = Certificate(chosen, games, seed, folder)
    given = f"--games {games} --seed {seed}"
    command = " ".join(["ridotto certify", *(game.name for game in names), given])
    try:
        with progress(len(certificate.questions), "questions") as done:
            certificate.run(minutes, processes, done)
        written = write(certificate, out, command)
        for line in ratings_as_toml(certificate):
            click.echo(line)
    except KeyboardInterrupt:
        click.echo(f"interrupted: what was played is in {folder}, and the same command goes on", err=True)
        sys.exit(130)
    finally:
        certificate.close()
    click.echo(f"written: {', '.join(map(str, written))}")


@click.command()
@click.argument("names", metavar="[GAME]…", nargs=-1, type=GameName())
@click.option("--games", type=click.IntRange(20), default=2000, show_default=True, help="Matches of each game.")
@click.option("--bot", default="search:200", show_default=True, help="Whose chances: a bot that searches.")
@seed_option("matches")
@processes_option
@click.option("--out", type=file_path, default=Path("docs/calibration.md"), show_default=True, help="The page to write.")
def calibrate(names: Sequence[Game], games: int, bot: str, seed: int, processes: int, out: Path) -> None:
    """Play GAMES (all of them if none is named) between quick bots, and write how often a review's chances come true."""
    from ridotto.bots import calibration
    from ridotto.games import GAMES

    findings = []
    for game in names or GAMES.values():
        with progress(games, f"{game.name}: matches") as done:
            forecasts = calibration.forecasts(game, games, bot, seed, processes, done)
        findings.append(calibration.Finding(game, games, bot, seed, forecasts))
    given = "".join(f" {game.name}" for game in names)
    command = f"ridotto calibrate{given} --games {games} --bot {bot} --seed {seed}"
    picture = f"pictures/{out.stem}.svg"
    (out.parent / picture).parent.mkdir(parents=True, exist_ok=True)
    calibration.draw(findings, out.parent / picture)
    out.write_text(calibration.report(findings, command, picture), "utf-8")
    for one in findings:
        if one.helps:
            click.echo(calibration.as_toml(one))
    click.echo(f"written: {out} and {out.parent / picture}")


@click.command("bench-agents")
@click.argument("agent")
@click.option("--game", "names", type=GameName(), multiple=True, help="A game; several may be given, all of ours if none is.")
@click.option("--players", type=int, multiple=True, help="A number of seats; several may be given, all if none is.")
@click.option("--deals", type=click.IntRange(1), default=50, show_default=True, help="Deals against each opponent.")
@click.option("--adjusted", is_flag=True, help="Also work out the share of the win without luck.")
@click.option("--name", "called", default="", help="What the agent is called in the report; otherwise as it is given here.")
@click.option("--out", type=file_path, help="Keep the report in this file, which `ridotto leaderboard` reads.")
@processes_option
@on_option
@json_option
def bench_agents(
    agent: str,
    names: Sequence[Game],
    players: Sequence[int],
    deals: int,
    adjusted: bool,
    called: str,
    out: Path | None,
    processes: int,
    on: str | None,
    as_json: bool,
) -> None:
    """Let AGENT, a bot by its name, play the frozen deals of the suite against its ladder of bots (see docs/research.md)."""
    from ridotto.arena import suite
    from ridotto.arena.schedule import bot_names
    from ridotto.games import GAMES

    (agent,) = bot_names(agent)
    games = names or [game for game in GAMES.values() if game.package.startswith("ridotto.")]
    tables = [(game, seats) for game in games for seats in game.seats if not players or seats in players]
    if not tables:
        raise click.UsageError(f"no game here has {', '.join(map(str, players))} seats")
    total = deals * sum(len([name for name in suite.LADDER if name != agent]) for _ in tables)
    try:
        with worker_pool(on, processes) as pool, progress(total, f"{agent}: deals", as_json) as done:
            report = suite.run(agent, tables, deals, pool, done, called=called, is_adjusted=adjusted)
    except KeyboardInterrupt:
        click.echo("interrupted: nothing was kept", err=True)
        sys.exit(130)
    if out is not None:
        suite.write(report, out)
    if as_json:
        print_json(report.json())
        return
    from rich.table import Table

    table = Table(title=f"{report.agent}: {suite.FORMAT}, {deals} deals, digest {report.digest}")
    more = ("without luck", "± 95 %") if adjusted else ()
    for column in ("game", "seats", "against", "matches", "won", "± 95 %", *more, "points above the mean", "± 95 %"):
        table.add_column(column, justify="left" if column in ("game", "against") else "right")
    for one in report.figures:
        shares = [(one.share, one.margin), (one.adjusted, one.adjusted_margin)][: 2 if adjusted else 1]
        cells = [
            cell
            for share, margin in shares
            for cell in (("", "") if share is None or margin is None else (f"{100 * share:.1f} %", f"{100 * margin:.1f}"))
        ]
        cells += [f"{one.points:+.2f}", f"{one.points_margin:.2f}"]
        table.add_row(one.game, str(one.seats), one.opponent, str(one.matches), *cells)
    console().print(table)
    click.echo(report.line())


@click.command()
@click.argument("files", type=file_path, nargs=-1, required=True)
@click.option("--out", type=file_path, default=Path("docs/leaderboard.md"), show_default=True, help="The page to write.")
def leaderboard(files: Sequence[Path], out: Path) -> None:
    """Write the page that compares agents, from FILES that `ridotto bench-agents` wrote."""
    from ridotto.arena import suite

    page = suite.leaderboard([suite.read(path) for path in files])
    try:
        out.write_text(page, "utf-8")
    except OSError as error:
        raise click.UsageError(f"cannot write {out} ({error.strerror}); name another file with --out") from None
    click.echo(f"written: {out}")
