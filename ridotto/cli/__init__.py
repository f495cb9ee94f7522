"""The command `ridotto` and what comes after it: play, serve, replay, picture, simulate, audit, arena, and more."""

from __future__ import annotations

import json
import os
import sys
import time
from collections.abc import AsyncIterator, Callable, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from ridotto.core.game import Game
from ridotto.core.match import Match
from ridotto.engine.errors import RidottoError
from ridotto.games import GAMES, find

if TYPE_CHECKING:
    from rich.console import Console

    from ridotto.arena.audit import Report
    from ridotto.arena.schedule import Faults
    from ridotto.arena.simulation import Simulation
    from ridotto.bots import Bot
    from ridotto.bots.review import Review
    from ridotto.bots.workers import WorkerPool
    from ridotto.core.protocols import Words
    from ridotto.web.storage import Storage

Command = TypeVar("Command", bound=Callable[..., Any])


# What the commands share.


class Group(click.Group):
    """Shows an error of ours as one line, never as a traceback."""

    def invoke(self, ctx: click.Context) -> Any:
        try:
            return super().invoke(ctx)
        except RidottoError as error:
            click.echo(f"ridotto: {error}", err=True)
            ctx.exit(2)
        except BrokenPipeError:
            # Whoever read our output has seen enough.
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            ctx.exit(0)


file_path = click.Path(path_type=Path, dir_okay=False)
option_option = click.option("--option", "options", multiple=True, metavar="NAME=NUMBER", help="An option of the game.")
players_option = click.option("--players", type=int, help="Number of seats; the smallest if not given.")
seed_option = click.option("--seed", type=click.IntRange(0, 2**62), help="Makes the run repeatable.")
data_option = click.option("--data", type=click.Path(path_type=Path, file_okay=False), help="Where tables are kept.")
json_option = click.option("--json", "as_json", is_flag=True, help="Figures as JSON.")
on_option = click.option("--on", metavar="WHERE", help="Play on a Ray: local:2 begins one here, ray://HOST:PORT is a cluster.")


class GameName(click.ParamType[Game]):
    """The name of a game; near misses are named."""

    name = "game"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        box = ctx.params.get("box") if ctx else None
        return find(value, box if isinstance(box, Path) else None) if isinstance(value, str) else value


def game_command(command: Command) -> Command:
    """A command about one game: its name, and the box to play with."""
    box = click.option(
        "--box",
        type=file_path,
        is_eager=True,
        help="Components to play with instead of the game's own.",
    )
    return click.argument("game", type=GameName())(box(command))


def options_of(texts: Sequence[str]) -> dict[str, int]:
    """Options given as NAME=NUMBER."""
    options = {}
    for text in texts:
        name, equals, value = text.partition("=")
        if not equals or not value.lstrip("-").isdecimal():
            raise click.BadParameter(f"{text!r} is not NAME=NUMBER, such as handicap=-1", param_hint="--option")
        options[name] = int(value)
    return options


def console() -> Console:
    """Where people read."""
    from rich.console import Console

    screen = Console()
    return screen if screen.is_terminal else Console(width=120)


@contextmanager
def progress(total: int, text: str, quiet: bool) -> Iterator[Callable[[int], None]]:
    """A progress bar on a terminal; call what you get with how much is done."""
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    screen = Console(stderr=True)
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=screen, transient=True, disable=quiet or not screen.is_terminal) as bar:
        task = bar.add_task(text, total=total)
        yield lambda done: bar.update(task, completed=min(done, total))


def worker_pool(on: str | None, processes: int) -> WorkerPool:
    """Who plays: processes here, or the workers of `local:N`, `ray://HOST:PORT` or `auto`."""
    if on is None:
        from ridotto.bots.workers import WorkerPool

        return WorkerPool(processes)
    from ridotto.rl.cluster import RayPool

    return RayPool(on)


def say_json(value: Any) -> None:
    click.echo(json.dumps(value, ensure_ascii=False, indent=2))


def spoken_by_default() -> str:
    """The language of this terminal, if we speak it."""
    from ridotto.core.narrator import LANGUAGES

    for name in ("LC_ALL", "LC_MESSAGES", "LANG"):
        if value := os.environ.get(name):
            return value[:2] if value[:2] in LANGUAGES else "en"
    return "en"


@click.group(cls=Group, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(package_name="ridotto")
def cli() -> None:
    """Three tabletop games about opera, played exactly by their rulebooks."""


# Playing and looking back.


@cli.command()
@game_command
@click.option("--seats", metavar="WHO,WHO,…", help="A comma list: 'you' or a bot (random, greedy, search:500, level:3).")
@players_option
@option_option
@seed_option
@click.option("--lang", help="en, fr or nl; the terminal's own if not given.")
@click.option("--record", "path", type=file_path, help="Save here; go on from here if it exists.")
def play(
    game: Game,
    box: Path | None,
    seats: str | None,
    players: int | None,
    options: Sequence[str],
    seed: int | None,
    lang: str | None,
    path: Path | None,
) -> None:
    """Play GAME in the terminal, against bots or people at this keyboard."""
    from ridotto import bots
    from ridotto.bots.programs import names_in
    from ridotto.core import record
    from ridotto.terminal import session as terminal

    names: list[str] | None = None
    if path is not None and path.exists():
        match, names = record.load(path, {**GAMES, game.name: game})
        if match.game.name != game.name:
            raise click.BadParameter(f"{path} is a match of {match.game.name}, not of {game.name}", param_hint="--record")
        if players is not None or options or seed is not None:
            raise click.UsageError("a match that goes on has its seats, options and draws already: leave those out")
    else:
        match = Match(game, _players(game, players, seats), options_of(options), seed=seed)
    who = names_in(seats) if seats else (names or ["you", *["search"] * (match.seats - 1)])
    if len(who) != match.seats:
        raise click.BadParameter(f"{len(who)} given, but the match has {match.seats} seats", param_hint="--seats")
    sitting: dict[int, Bot] = {seat: bots.find(name) for seat, name in enumerate(who) if name != "you"}
    language = lang or spoken_by_default()
    sys.exit(terminal.play(match, who, bots=sitting, bot_seed=seed, names=who, path=path, console=console(), language=language))


def _players(game: Game, players: int | None, seats: str | None) -> int:
    if players is None and seats:
        from ridotto.bots.programs import names_in

        return game.seat_count(len(names_in(seats)))
    return game.seat_count(players)


@cli.command()
@click.argument("file", type=file_path)
@click.option("--at", "ply", type=click.IntRange(0), help="Stop after the entry at this ply.")
@click.option("--seat", type=click.IntRange(0), help="See it with the eyes of this seat; a spectator's if not given.")
@click.option("--lang", help="en, fr or nl; the terminal's own if not given.")
@click.option("--box", type=file_path, help="The components the match was played with.")
@json_option
def replay(file: Path, ply: int | None, seat: int | None, lang: str | None, box: Path | None, as_json: bool) -> None:
    """Verify the record in FILE, replay it, and show it."""
    from ridotto.core import record
    from ridotto.terminal.screen import show

    games = {name: game.with_box(box) for name, game in GAMES.items()} if box else GAMES
    began = time.perf_counter()
    match, names = record.load(file, games)
    took = time.perf_counter() - began
    if ply is not None and ply >= match.ply:
        raise click.BadParameter(f"the match has plies 0 to {match.ply - 1}", param_hint="--at")
    shown = match if ply is None else match.after(ply + 1)
    words = match.game.words(match.game.narrator(lang or spoken_by_default(), reader=seat))
    view = shown.view(seat)
    if as_json:
        say_json({"verified": True, "plies": match.ply, "names": names, "view": view.json(words)})
        return
    screen = console()
    show(view, words, screen, whole=True)
    verified = words.say(
        "verified: {title}, {entries} entries, rules {version}, in {time} ms",
        title=match.game.title,
        entries=match.ply,
        version=match.game.version,
        time=round(took * 1000),
    )
    screen.print(verified, style="green", markup=False)


@cli.command()
@click.argument("file", metavar="RECORD", type=file_path)
@click.option("--seat", type=click.IntRange(0), help="Only the decisions of this seat.")
@click.option("--bot", default="search:2000", show_default=True, help="Who judges: a bot that searches.")
@click.option("--html", "page", type=file_path, help="Write the whole review here, as one page.")
@click.option("--lang", help="en, fr or nl; the terminal's own if not given.")
@click.option("--box", type=file_path, help="The components the match was played with.")
@json_option
def review(
    file: Path, seat: int | None, bot: str, page: Path | None, lang: str | None, box: Path | None, as_json: bool
) -> None:
    """Judge every decision of the match in RECORD, by what its seat could know, and say which cost most."""
    from ridotto.bots import review as looking
    from ridotto.core import record

    games = {name: game.with_box(box) for name, game in GAMES.items()} if box else GAMES
    match, names = record.load(file, games)
    if seat is not None and seat >= match.seats:
        raise click.BadParameter(f"there are seats 0 to {match.seats - 1}", param_hint="--seat")
    total = len(looking.decisions(match, seat))
    with progress(total, "decisions", as_json) as done:
        made = looking.review(match, bot, seat, progress=done)
    words = match.game.words(match.game.narrator(lang or spoken_by_default(), looking.names(names)))
    if page is not None:
        try:
            page.write_text(looking.page(match, words, made), "utf-8")
        except OSError as error:
            raise click.ClickException(f"cannot write {page}: {error.strerror or error}") from error
    if as_json:
        say_json(looking.document(match, words, made))
    else:
        _print_review(match, words, made)
        if page is not None:
            click.echo(f"written: {page}")


def _print_review(match: Match, words: Words, made: Review) -> None:
    from rich.text import Text

    from ridotto.bots import review as looking

    screen, say = console(), words.say
    screen.print(Text(say("{title}: review", title=match.game.title), "bold"))
    screen.print(Text(looking.note(words, made), "dim"))
    players = [match.game.player(seat, words) for seat in range(match.seats)]
    wide = max(map(len, players))
    for seat, player in enumerate(players):
        if line := looking.sparkline(made, seat):
            screen.print(Text(f"  {player:{wide}}  {line}"))
    for line in looking.summary(match, words, made):
        screen.print(Text(line))
    screen.print()
    screen.print(Text(looking.heading(words, made), "bold yellow"))
    for number, one in enumerate(made.costliest, 1):
        lesson = looking.lesson(match, words, one)
        title = looking.title_of(words, lesson)
        screen.print(Text(f"{number}. {title} ", "bold").append(say("(ply {ply})", ply=one.ply), "dim"))
        screen.print(Text("   " + say("Played: {action}", action=lesson.did)))
        screen.print(Text("   " + say("Better: {action}", action=lesson.better)))
        for reason in lesson.reasons:
            screen.print(Text(f"   {reason}", "dim"))


@cli.command()
@click.option("--host", default="127.0.0.1", show_default=True, help="Where to listen; 0.0.0.0 lets others in the network in.")
@click.option(
    "--port", type=click.IntRange(0, 65535), default=8765, show_default=True, help="Where to listen; 0: any free one."
)
@data_option
@click.option("--address", default="", metavar="URL", help="How the world reaches the server, if a proxy stands before it.")
@click.option("--workers", type=click.IntRange(1, 256), help="Processes in which bots think.")
@click.option("--servers", type=click.IntRange(1, 64), default=1, help="Processes that serve pages; several need PostgreSQL.")
@click.option(
    "--notices",
    type=click.Choice(["off", "open", "all"]),
    default="off",
    show_default=True,
    help="Tell addresses that players give of their turn: on the open internet, or all, this network's too.",
)
@click.option("--log", type=click.Path(path_type=Path, dir_okay=False, allow_dash=True), help="Where the log goes; - shows it.")
@click.option("--open", "browse", is_flag=True, help="Open the page in a browser.")
def serve(
    host: str,
    port: int,
    data: Path | None,
    address: str,
    workers: int | None,
    servers: int,
    notices: str,
    log: Path | None,
    browse: bool,
) -> None:
    """The web table: open a page and play. The environment variable DATABASE_URL names another database."""
    try:
        from ridotto.web.server import run as serving
        from ridotto.web.settings import Settings, data_folder
    except ModuleNotFoundError as error:
        raise click.ClickException(f"{error.name} is not installed: pip install 'ridotto[web]'") from error

    folder = data or data_folder()
    given: dict[str, Any] = {"servers": servers} | ({"workers": workers} if workers else {})
    given |= {"webhooks": notices != "off", "webhooks_inside": notices == "all"}
    settings = Settings(folder, os.environ.get("DATABASE_URL", ""), host, port, address, **given)
    where = None if str(log) == "-" else log or folder / "server.log"
    serving.serve(settings, browse=browse, log=where, tell=click.echo)


@cli.command()
@click.argument("file", type=file_path)
@data_option
def backup(file: Path, data: Path | None) -> None:
    """Write everything that the web table keeps to FILE (gzip if it ends in .gz), while it goes on.

    The secret of the house, secret.key in its folder, is not in it: keep a copy apart.
    """
    import asyncio

    async def write() -> Mapping[str, int]:
        from ridotto.web.storage import backup

        async with _kept(data) as storage:
            return await backup.write(storage.database, file)

    click.echo(f"written: {file} ({_counted(asyncio.run(write()))})")


@cli.command()
@click.argument("file", type=file_path)
@data_option
@click.option("--force", is_flag=True, help="Replace what is there.")
def restore(file: Path, data: Path | None, force: bool) -> None:
    """Put what `ridotto backup` wrote to FILE back, and verify every record. Servers must be stopped."""
    import asyncio

    async def read() -> tuple[Mapping[str, int], int, Mapping[str, str]]:
        from ridotto.web.storage import backup

        async with _kept(data, new=True) as storage:
            return await backup.restore(storage.database, file, force=force), *await backup.verify(storage)

    counts, right, wrong = asyncio.run(read())
    click.echo(f"restored: {_counted(counts)}; records verified: {right}")
    for table, why in wrong.items():
        click.echo(f"ridotto: the record of table {table} does not verify: {why}", err=True)
    if wrong:
        sys.exit(1)


def _counted(counts: Mapping[str, int]) -> str:
    return ", ".join(f"{name} {count}" for name, count in sorted(counts.items())) or "nothing"


@asynccontextmanager
async def _kept(data: Path | None, new: bool = False) -> AsyncIterator[Storage]:
    """The storage of a data folder, or of DATABASE_URL; `new` if it need not be there yet."""
    try:
        from ridotto.web.settings import Settings, data_folder
        from ridotto.web.storage import Storage
    except ModuleNotFoundError as error:
        raise click.ClickException(f"{error.name} is not installed: pip install 'ridotto[web]'") from error

    settings = Settings(data or data_folder(), os.environ.get("DATABASE_URL", ""))
    if not settings.database:
        if not new and not (settings.data / "ridotto.db").exists():
            raise RidottoError(f"there is no database in {str(settings.data)!r}: name its folder with --data")
        settings.data.mkdir(parents=True, exist_ok=True)
    storage = Storage(settings.url)
    try:
        yield storage
    finally:
        await storage.close()


@cli.command()
@click.argument("file", metavar="RECORD", type=file_path)
@click.option("--at", "ply", type=click.IntRange(0), help="Stop after the entry at this ply.")
@click.option("--seat", type=click.IntRange(0), help="Drawn for the eyes of this seat; a spectator's if not given.")
@click.option("--theme", type=click.Choice(["dark", "light"]), default="dark", show_default=True)
@click.option("--lang", help="en, fr or nl; the terminal's own if not given.")
@click.option("--box", type=file_path, help="The components the match was played with.")
@click.option("--out", type=file_path, required=True, help="Write here; the name ends in .svg or .png.")
def picture(file: Path, ply: int | None, seat: int | None, theme: str, lang: str | None, box: Path | None, out: Path) -> None:
    """Draw the table of the match in RECORD."""
    from ridotto.core import drawing, record
    from ridotto.core.narrator import language

    if out.suffix not in (".svg", ".png"):
        raise click.BadParameter(f"{out} ends in neither .svg nor .png", param_hint="--out")
    games = {name: game.with_box(box) for name, game in GAMES.items()} if box else GAMES
    match, _ = record.load(file, games)
    if ply is not None and ply >= match.ply:
        raise click.BadParameter(f"the match has plies 0 to {match.ply - 1}", param_hint="--at")
    shown = match if ply is None else match.after(ply + 1)
    with language(lang or spoken_by_default()):
        view = shown.view(seat)
        drawn = match.game.picture
        svg = drawing.compose(match.game.panels(view, match.game.words_now()), drawn.COLUMNS, drawn.STYLE, theme)
    try:
        if out.suffix == ".svg":
            out.write_text(svg + "\n", "utf-8")
        else:
            out.write_bytes(_png(svg))
    except OSError as error:
        raise click.ClickException(f"cannot write {out}: {error.strerror or error}") from error
    click.echo(f"written: {out}")


def _png(svg: str) -> bytes:
    """A picture as points, twice as many each way as it has units."""
    try:
        import resvg_py
    except ModuleNotFoundError as error:
        raise click.ClickException("a .png needs resvg_py: pip install 'ridotto[pictures]', or write a .svg") from error
    return bytes(resvg_py.svg_to_bytes(svg_string=svg, zoom=2))


# Figures.


@cli.command()
@game_command
@players_option
@option_option
@click.option("--games", type=click.IntRange(1), default=100_000, show_default=True, help="Matches to play.")
@click.option("--seed", type=click.IntRange(0, 2**62), default=1, show_default=True, help="Which matches.")
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

    simulation = Simulation(game, game.seat_count(players), game.settle(options_of(options)), seed)
    simulation.run(1, 1)  # compiles
    with _runner(simulation, games, threads, on) as run, progress(repeat, f"{game.name}: {games} matches", as_json) as done:
        runs = []
        for i in range(repeat):
            runs.append(run())
            done(i + 1)
    best = max(runs, key=lambda run: run["decisions_per_second"])
    best |= simulation.compared(best["decisions_per_second"], repeat)
    if as_json:
        say_json(best)
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
    """What plays the matches of a simulation: threads here, or the workers of a Ray."""
    if on is None:
        yield lambda: simulation.run(games, threads)
        return
    with worker_pool(on, threads) as pool:
        yield lambda: simulation.run_on(pool, games)


@cli.command()
@game_command
@players_option
@option_option
@click.option("--pairs", type=click.IntRange(1), default=10_000, show_default=True, help="Pairs of worlds to compare.")
@click.option("--seed", type=click.IntRange(0, 2**62), default=1, show_default=True, help="Which matches.")
@click.option("--bots", default="random,greedy,search:50", show_default=True, help="Bots to ask, with playout budgets.")
@click.option("--processes", type=click.IntRange(1, 256), default=os.cpu_count() or 1, help="Processes at a time.")
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

    Exits with 1 if anything leaked, or if a hidden field never differed, so that nothing was proved about it.
    """
    from ridotto.arena.audit import Report, reports
    from ridotto.bots import find as find_bot
    from ridotto.bots.programs import names_in

    asked = names_in(bots) if bots else []
    for name in asked:
        find_bot(name)
    total = Report()
    given = {
        "name": game.name,
        "box": box,
        "players": game.seat_count(players),
        "options": game.settle(options_of(options)),
    }
    with progress(pairs, f"{game.name}: pairs of worlds", as_json) as done:
        for report in reports(given, seed, asked, pairs, processes):
            total.add(report)
            done(total.pairs)
    if as_json:
        say_json({"game": game.name, "players": given["players"], "seed": seed} | total.json())
    else:
        _print_audit(game, total)
    sys.exit(0 if total.clean else 1)


def _print_audit(game: Game, report: Report) -> None:
    from rich.markup import escape
    from rich.table import Table

    screen = console()
    table = Table(title=f"{game.title}: worlds that a seat cannot tell apart", show_header=False)
    table.add_row("pairs compared", f"{report.pairs:,}")
    table.add_row("information sets", f"{len(report.information_sets):,}")
    table.add_row("choices of bots compared", f"{report.bot_pairs:,}")
    for name in sorted(report.hidden):
        table.add_row(f"hidden field {name!r} differed in", f"{report.differed[name]:,}")
    for where, count in report.leaks.most_common():
        table.add_row(f"[red]leak in {escape(where)}", f"{count:,}: {escape(report.examples[where])}")
    screen.print(table)
    for name in report.unproven:
        screen.print(f"[red]nothing was proved about {name!r}: it never differed")
    if report.clean:
        screen.print("[green]no leak")


@cli.command()
@game_command
@players_option
@option_option
@click.option("--seed", type=click.IntRange(0, 2**62), default=1, show_default=True, help="Which deal.")
@click.option("--depth", type=click.IntRange(1, 64), default=3, show_default=True, help="Length of the sequences.")
@json_option
def counts(
    game: Game, box: Path | None, players: int | None, options: Sequence[str], seed: int, depth: int, as_json: bool
) -> None:
    """Count the sequences of actions from a deal of GAME, by their first action."""
    from ridotto.arena.simulation import count

    match = Match(game, game.seat_count(players), options_of(options), seed=seed)
    found = {}
    with progress(len(match.legal(match.to_act[0])), f"{game.name}: depth {depth}", as_json) as done:
        for first, nodes in count(match, depth):
            found[first] = nodes
            done(len(found))
    total = sum(found.values())
    if as_json:
        say_json({"game": game.name, "players": match.seats, "seed": seed, "depth": depth, "nodes": total, "by_action": found})
        return
    for first, nodes in found.items():
        click.echo(f"{first:<24}{nodes:>16,}")
    click.echo(f"{'total':<24}{total:>16,}")


@cli.command()
@game_command
@click.option("--tensors", is_flag=True, help="Show how a view becomes an array of numbers for learners instead.")
@players_option
@json_option
def layout(game: Game, box: Path | None, tensors: bool, players: int | None, as_json: bool) -> None:
    """Show how GAME is written down: fields, actions, events, options, endings."""
    if tensors:
        _show_tensors(game, players, as_json)
        return
    data = _layout(game)
    if as_json:
        say_json(data)
        return
    from rich import box as boxes
    from rich.markup import escape
    from rich.table import Table

    screen = console()
    credit = f"{game.authors}, {game.publisher} {game.year}"
    screen.print(f"[bold]{game.title}[/bold] ({credit}), rules {game.version}, box {data['box'][:12]}")
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


def _show_tensors(game: Game, players: int | None, as_json: bool) -> None:
    """The pieces of the array that a view is for learners."""
    from rich import box as boxes
    from rich.markup import escape
    from rich.table import Table

    from ridotto.rl import Tensors

    tensors = Tensors(game, players)
    pieces = [
        {
            "at": piece.start,
            "piece": piece.name,
            "shape": list(piece.shape),
            "axes": list(piece.axes),
            "labels": list(piece.labels),
            "meaning": piece.meaning,
        }
        for piece in tensors.pieces
    ]
    if as_json:
        say_json({"game": game.name, "seats": tensors.seats, "size": tensors.size, "pieces": pieces})
        return
    counted = "from the viewer" if tensors.is_symmetric else "as they are"
    screen = console()
    screen.print(f"[bold]{game.title}[/bold], {tensors.seats} seats: {tensors.size} numbers; seats are counted {counted}")
    table = Table(box=boxes.SIMPLE)
    for column in ("at", "piece", "shape", "axes", "meaning"):
        table.add_column(column, no_wrap=column != "meaning", justify="right" if column == "at" else "left")
    for one in tensors.pieces:
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


@cli.command()
@game_command
@option_option
@click.option("--games", type=click.IntRange(50), default=2000, show_default=True, help="Matches for each number of seats.")
@click.option("--seed", type=click.IntRange(0, 2**62), default=1, show_default=True, help="Which matches.")
@click.option("--out", type=file_path, help="Write the note here (Markdown), and its picture into pictures/ beside it.")
def balance(game: Game, box: Path | None, options: Sequence[str], games: int, seed: int, out: Path | None) -> None:
    """Play GAME between equal bots at every number of seats, and report what goes with winning."""
    from ridotto.arena.balance import contests, draw, report

    held = []
    with progress(len(game.seats), f"{game.name}: {games} matches a table", quiet=False) as done:
        for contest in contests(game, games, seed, options_of(options)):
            held.append(contest)
            done(len(held))
    given = "".join(f" --option {text}" for text in options) + (f" --box {box.name}" if box else "")
    command = f"ridotto balance {game.name} --games {games} --seed {seed}{given}"
    picture = f"pictures/{(out.stem if out else game.name)}-balance.svg"
    text = report(game, held, command, picture)
    if out is None:
        click.echo(text)
        return
    draw(game, held, out.parent / picture)
    out.write_text(text, "utf-8")
    click.echo(f"written: {out} and {out.parent / picture}")


@cli.command()
@click.argument("names", metavar="[GAME]…", nargs=-1, type=GameName())
@click.option("--games", type=click.IntRange(20), default=2000, show_default=True, help="Matches of each game.")
@click.option("--bot", default="search:200", show_default=True, help="Whose chances: a bot that searches.")
@click.option("--seed", type=click.IntRange(0, 2**62), default=1, show_default=True, help="Which matches.")
@click.option("--processes", type=click.IntRange(1, 1024), default=os.cpu_count() or 1, help="Matches at a time.")
@click.option("--out", type=file_path, default=Path("docs/calibration.md"), show_default=True, help="The page to write.")
def calibrate(names: Sequence[Game], games: int, bot: str, seed: int, processes: int, out: Path) -> None:
    """Play GAMES (all of them if none is named) between quick bots, and write how often a review's chances come true."""
    from ridotto.bots import calibration

    findings = []
    for game in names or GAMES.values():
        with progress(games, f"{game.name}: matches", quiet=False) as done:
            found = calibration.forecasts(game, games, bot, seed, processes, done)
        findings.append(calibration.Finding(game, games, bot, seed, found))
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


# Tournaments.


@cli.command()
@game_command
@click.option("--bots", required=True, metavar="BOT,BOT,…", help="Who plays; 'cmd:python mybot.py' is an outside program.")
@players_option
@option_option
@click.option(
    "--games", type=click.IntRange(1), default=100, show_default=True, help="Matches of each pairing, in whole deals."
)
@click.option("--seed", type=click.IntRange(0, 2**62), default=1, show_default=True, help="Which deals.")
@click.option("--gauntlet", metavar="BOT", help="This bot against each of the others, instead of all against all.")
@click.option("--time", "seconds", metavar="MOVE[/MATCH]", default="10s", show_default=True, help="For programs: 500ms, 2s/5m.")
@click.option("--faults", type=click.Choice(["resign", "random", "stop"]), default="resign", show_default=True)
@click.option("--sprt", metavar="LOW:HIGH", help="Stop a pairing once its win share is settled to be one of these.")
@click.option("--processes", type=click.IntRange(1, 1024), default=os.cpu_count() or 1, help="Matches at a time.")
@click.option("--out", type=file_path, help="Keep results here, line by line; go on from here if it exists.")
@click.option("--picture", type=file_path, help="Draw the table as SVG.")
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
    processes: int,
    out: Path | None,
    picture: Path | None,
    on: str | None,
    as_json: bool,
) -> None:
    """Hold a tournament of GAME between bots: shares of wins, ratings, times.

    Each deal is played from every seat by either side. At more than two seats, one bot plays a table full of another. What
    becomes of an outside program at fault (late, gone, nonsense): it resigns the match, plays on at random, or all stops.
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
        game.settle(options_of(options)),
        seed,
        box,
        parse_seconds(move),
        parse_seconds(match) if slash else None,
        faults,
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
        say_json(table)
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
    names = {line["bot"]: escape(line["display_name"]) for line in table["bots"]}
    for pair in table["pairings"]:
        if not pair["matches"]:
            continue
        seats = ", ".join(f"{one['role'] or one['seat']} {one['share']:.0%}" for one in pair["by_seat"])
        test = pair["sprt"]
        settled = "" if test is None else f"{test[test['verdict']]:g}" if test["verdict"] else f"not yet ({test['ratio']:+.2f})"
        interval = "{:.1%} to {:.1%}".format(*pair["interval"])
        cells = [str(pair["matches"]), f"{pair['share']:.1%}", interval, seats, settled]
        pairs.add_row(names[pair["one"]], names[pair["rest"]], *cells)
    screen = console()
    screen.print(bots)
    screen.print(pairs)
    for line in table["bots"]:
        if line["display_name"] != line["bot"]:
            screen.print(f"{names[line['bot']]}: {escape(line['bot'])}", highlight=False)
    screen.print(f"Ratings: {names[table['anchor']]} is 1000; ten times the odds are 400 points.", highlight=False)


@cli.command()
@click.argument("names", metavar="[GAME]…", nargs=-1, type=GameName())
@click.option("--games", type=click.IntRange(2), default=400, show_default=True, help="Matches of a pairing, at the most.")
@click.option("--minutes", type=click.FloatRange(0), default=120, show_default=True, help="How long it may take.")
@click.option("--seed", type=click.IntRange(0, 2**62), default=1, show_default=True, help="Which deals.")
@click.option("--processes", type=click.IntRange(1, 1024), default=os.cpu_count() or 1, help="Matches at a time.")
@click.option(
    "--results", type=click.Path(path_type=Path, file_okay=False), help="Keep results in this folder; go on from them."
)
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

    chosen = [game.name for game in names] or list(GAMES)
    folder = results if results is not None else out.with_suffix("")
    certificate = Certificate(chosen, games, seed, folder)
    given = f"--games {games} --seed {seed}"
    command = " ".join(["ridotto certify", *(game.name for game in names), given])
    try:
        with progress(len(certificate.asked), "questions", quiet=False) as done:
            certificate.ask(minutes, processes, done)
        written = write(certificate, out, command)
        for line in ratings_as_toml(certificate):
            click.echo(line)
    except KeyboardInterrupt:
        click.echo(f"interrupted: what was played is in {folder}, and the same command goes on", err=True)
        sys.exit(130)
    finally:
        certificate.close()
    click.echo(f"written: {', '.join(map(str, written))}")


@cli.command()
@game_command
@click.option("--games", type=click.IntRange(1), required=True, help="Matches to play.")
@click.option("--bots", required=True, metavar="BOT,BOT,…", help="Who plays; they move on by a seat from match to match.")
@click.option("--out", type=click.Path(path_type=Path, file_okay=False), required=True, help="A folder, new or begun before.")
@players_option
@option_option
@click.option("--seed", type=click.IntRange(0, 2**62), default=1, show_default=True, help="Which matches.")
@click.option("--each", type=click.IntRange(1, 100_000), default=500, show_default=True, help="Matches to a file.")
@click.option("--processes", type=click.IntRange(1, 1024), default=os.cpu_count() or 1, help="Matches at a time.")
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

    setup = MatchSetup(game.name, game.seat_count(players), game.settle(options_of(options)), seed, box)
    planned = plan(setup, bots, games, each)
    if not planned.is_repeatable:
        click.echo("not repeatable: a bot goes by time, or is an outside program", err=True)
    try:
        with worker_pool(on, processes) as pool, progress(games, f"{game.name}: matches", quiet=False) as done:
            make(planned, out, pool, done)
    except KeyboardInterrupt:
        click.echo(f"interrupted: what is in {out} is whole, and the same command goes on", err=True)
        sys.exit(130)
    click.echo(f"written: {out}, {games} matches in {len(planned.shards)} pairs of files")


# For programs, and for the compiler.


@cli.command()
@game_command
def referee(game: Game, box: Path | None) -> None:
    """GAME for other programs: one JSON object per line in, one out (see docs/referee.md)."""
    from ridotto.core.referee import serve

    serve(game, sys.stdin.buffer, sys.stdout.buffer)


@cli.command()
@click.argument("games", nargs=-1, type=GameName())
@click.option("--everything", is_flag=True, help="Also what playing does not need: simulation, counting, batches.")
def warm(games: Sequence[Game], everything: bool) -> None:
    """Compile GAMES (all of them if none is named), each in a process of its own, so that nobody waits for it later."""
    from concurrent.futures import ProcessPoolExecutor, as_completed
    from multiprocessing import get_context

    from ridotto.arena import simulation

    chosen = [game.name for game in games or GAMES.values()]
    with (
        progress(len(chosen), "compiling the games (once)", quiet=False) as done,
        ProcessPoolExecutor(min(len(chosen), os.cpu_count() or 1), get_context("spawn")) as pool,
    ):
        jobs = [pool.submit(simulation.compile_game, name, everything) for name in chosen]
        for i, _ in enumerate(as_completed(jobs), 1):
            done(i)
        for name, job in zip(chosen, jobs, strict=True):
            click.echo(f"{name}: ready in {job.result():.1f} s")


def main() -> None:
    """Run the command; an interrupt is not an error to report."""
    try:
        cli(standalone_mode=True)
    except KeyboardInterrupt:
        sys.exit(130)
