"""Commands for the record of a match: replay, review, verification of draws, luck, pictures."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ridotto.cli.options import file_path, json_option, language_option, record_box_option, terminal_language
from ridotto.cli.output import console, print_json, progress
from ridotto.present import views
from ridotto.present.ui import ui

if TYPE_CHECKING:
    from ridotto.bots.review import Review
    from ridotto.core.game import Game
    from ridotto.core.match import Match
    from ridotto.core.verify import Verification
    from ridotto.present.narrator import Narrator
    from ridotto.present.words import Words


class _GamesWithBox(Mapping[str, "Game"]):
    """All games, each with the components of one file; only the game that the record names is looked up."""

    def __init__(self, box: Path) -> None:
        self.box = box

    def __getitem__(self, name: str) -> Game:
        from ridotto.games import GAMES

        return GAMES[name].with_box(self.box)

    def __iter__(self) -> Iterator[str]:
        from ridotto.games import GAMES

        return iter(GAMES)

    def __len__(self) -> int:
        from ridotto.games import GAMES

        return len(GAMES)


def _load(file: Path, box: Path | None) -> tuple[Match, list[str]]:
    """The match in a file, verified and replayed with these components, and the names of its people."""
    from ridotto.core import record
    from ridotto.games import GAMES

    return record.load(file, _GamesWithBox(box) if box else GAMES)


@click.command()
@click.argument("file", type=file_path)
@click.option("--at", "ply", type=click.IntRange(0), help="Stop after the entry at this ply.")
@click.option("--seat", type=click.IntRange(0), help="See it with the eyes of this seat; a spectator's if not given.")
@language_option
@record_box_option
@json_option
def replay(file: Path, ply: int | None, seat: int | None, language: str | None, box: Path | None, as_json: bool) -> None:
    """Verify the record in FILE, replay it, and show it."""
    from ridotto.core import record
    from ridotto.terminal.screen import show

    began = time.perf_counter()
    match, names = _load(file, box)
    took = time.perf_counter() - began
    if ply is not None and ply >= match.ply:
        raise click.BadParameter(f"the match has plies 0 to {match.ply - 1}", param_hint="--at")
    shown = match if ply is None else match.after(ply + 1)
    words = ui(match.game).words(ui(match.game).narrator(language or terminal_language(), reader=seat))
    view = shown.view(seat)
    if as_json:
        box_name = {record.BOX_NAME: match.game.box_name} if match.game.box_name else {}
        print_json({"verified": True, "plies": match.ply, "names": names, **box_name, "view": views.as_json(view, words)})
        return
    screen = console()
    show(view, words, screen, whole=True)
    verified = words.say(
        "verified: {title}, {entries} entries, rules {version}, in {time} ms",
        title=match.game.title,
        entries=match.ply,
        version=match.version,
        time=round(took * 1000),
    )
    screen.print(verified, style="green", markup=False)


@click.command()
@click.argument("file", metavar="RECORD", type=file_path)
@click.option("--seat", type=click.IntRange(0), help="Only the decisions of this seat.")
@click.option("--bot", default="search:2000", show_default=True, help="Who judges: a bot that searches.")
@click.option("--html", "page", type=file_path, help="Write the whole review here, as one page.")
@language_option
@record_box_option
@json_option
def review(
    file: Path, seat: int | None, bot: str, page: Path | None, language: str | None, box: Path | None, as_json: bool
) -> None:
    """Judge every decision of the match in RECORD, by what its seat could know, and say which cost most."""
    from ridotto.bots import account, review_page, review_words
    from ridotto.bots import review as reviews

    match, names = _load(file, box)
    if seat is not None and seat >= match.seats:
        raise click.BadParameter(f"there are seats 0 to {match.seats - 1}", param_hint="--seat")
    total = len(reviews.decisions(match, seat))
    with progress(total, "decisions", as_json) as done:
        judged = reviews.review(match, bot, seat, progress=done)
    words = ui(match.game).words(ui(match.game).narrator(language or terminal_language(), review_words.display_names(names)))
    if page is not None:
        try:
            page.write_text(review_page.page(match, words, judged, account=account.html(match, words, judged)), "utf-8")
        except OSError as error:
            raise click.ClickException(f"cannot write {page}: {error.strerror or error}") from error
    if as_json:
        print_json(review_words.document(match, words, judged))
    else:
        _print_review(match, words, judged)
        if page is not None:
            click.echo(f"written: {page}")


@click.command()
@click.argument("file", metavar="[RECORD]", type=file_path, required=False)
@click.option("--page", type=file_path, help="Write a page here that does the same in a browser, without a network.")
@click.option("--receipt", type=file_path, help="What your browser was told before the deal: a file that its table saves.")
@language_option
@record_box_option
@json_option
def verify(
    file: Path | None, page: Path | None, receipt: Path | None, language: str | None, box: Path | None, as_json: bool
) -> None:
    """Work out every draw of the match in RECORD again, to see that nobody chose them.

    Without a receipt, it is shown that the draws follow from the secret and the shares in the record. With it, that the server
    had committed to this secret before it knew the shares. Ends with 1 if something is wrong.
    """
    from ridotto.core import record
    from ridotto.core import verify as verifying
    from ridotto.games import GAMES
    from ridotto.present.narrator import Narrator
    from ridotto.present.reasons import discrepancy

    narrator = Narrator(language or terminal_language())
    if page is not None:
        _write_page(page, narrator)
    if file is None:
        if page is None:
            raise click.UsageError("name the record of a match, or with --page a file to write")
        return
    given = None
    if receipt is not None:
        try:
            given = verifying.read_receipt(record.parse_json(record.read_text(receipt)))
        except record.BadJson as error:
            raise verifying.BadReceipt(f"not a receipt: {error}") from error
    document = record.parse(record.read_text(file))
    verification = verifying.verify(document, _GamesWithBox(box) if box else GAMES, given)
    wrong = [discrepancy(one, narrator.say) for one in verification.discrepancies]
    if as_json:
        print_json(
            {
                "verified": verification.is_right,
                "draws": verification.draws,
                "receipt": given is not None,
                "from_position": verification.is_from_position,
                "server_shares": list(verification.server_shares),
                "wrong": wrong,
            }
        )
    else:
        _print_verification(verification, wrong, given is not None, narrator)
    if wrong:
        raise SystemExit(1)


@click.command()
@click.argument("file", metavar="RECORD", type=file_path)
@click.option(
    "--playouts", type=click.IntRange(1), default=64, show_default=True, help="Of which a position's worth is the mean."
)
@click.option("--bot", default="search:2000", show_default=True, help="Who judges decisions: a bot that searches.")
@language_option
@record_box_option
@json_option
def luck(file: Path, playouts: int, bot: str, language: str | None, box: Path | None, as_json: bool) -> None:
    """Say what chance, and what decisions, brought each seat of the match in RECORD.

    For every seat, luck + decisions + the rest = result - start. See docs/luck.md: a draw's luck is what it was worth, less the
    mean of everything that could have been drawn instead.
    """
    from ridotto.bots import account, review_words
    from ridotto.bots import review as reviews

    match, names = _load(file, box)
    with progress(len(reviews.decisions(match)), "decisions", as_json) as done:
        judged = reviews.review(match, bot, progress=done, luck_playouts=playouts)
    assert judged.luck is not None
    if as_json:
        listed = [
            {"ply": one.ply, "number": one.number, "outcomes": one.outcomes, "outcome": one.outcome, "luck": list(one.luck)}
            for one in judged.luck.draws
        ]
        totals = [sum(one.luck[seat] for one in judged.luck.draws) for seat in range(match.seats)]
        decided = [
            {"ply": one.ply, "seat": one.seat, "brought": list(account.decision_gains(one))} for one in judged.judgements
        ]
        print_json(
            {
                "game": match.game.name,
                "names": names,
                "playouts": playouts,
                "bot": bot,
                "luck": totals,
                "account": account.document(judged),
                "draws": listed,
                "decisions": decided,
            }
        )
        return
    words = ui(match.game).words(ui(match.game).narrator(language or terminal_language(), review_words.display_names(names)))
    _print_account(match, words, judged)


def _print_account(match: Match, words: Words, judged: Review) -> None:
    """The account of every seat as a table, luck over time, and the luckiest draws."""
    from rich.table import Table
    from rich.text import Text

    from ridotto.bots import account, review_words

    screen = console()
    accounts = account.account(judged)
    if accounts:
        table = Table(box=None)
        table.add_column("")
        for title in account.titles(words):
            table.add_column(title, justify="right")
        for seat, one in enumerate(accounts):
            table.add_row(review_words.name_of(match, words, seat), *account.numbers(one))
        screen.print(table)
    for seat in range(match.seats):
        screen.print(Text(f"{account.strip(judged, seat)}  ").append(review_words.name_of(match, words, seat)))
    if line := account.sum_sentence(match, words, judged):
        screen.print(Text(line, "bold"))
    for ply, line in account.lucky_lines(match, words, judged):
        screen.print(Text(line).append(" " + words.say("(ply {ply})", ply=ply), "dim"))


def _write_page(page: Path, narrator: Narrator) -> None:
    try:
        from ridotto.web.pages.site import verify_alone
    except ModuleNotFoundError as error:
        raise click.ClickException(f"--page needs {error.name}: pip install 'ridotto[web]'") from error
    try:
        page.write_text(verify_alone(narrator), "utf-8")
    except OSError as error:
        raise click.ClickException(f"cannot write {page}: {error.strerror or error}") from error
    click.echo(f"written: {page}")


def _print_verification(verification: Verification, wrong: Sequence[str], has_receipt: bool, narrator: Narrator) -> None:
    screen, say = console(), narrator.say
    for line in wrong:
        screen.print(line, style="bold red", markup=False)
    if not wrong:
        every = narrator.count("{number} draw is as it must be.", "All {number} draws are as they must be.", verification.draws)
        screen.print(every, style="green", markup=False)
    if verification.is_from_position:
        screen.print(say("The match began from a position, which is taken as given."), style="dim", markup=False)
    if verification.server_shares:
        seats = narrator.listed([str(seat) for seat in verification.server_shares])
        sentence = narrator.count(
            "The server's own share stands in for seat {seats}.",
            "The server's own shares stand in for seats {seats}.",
            len(verification.server_shares),
            seats=seats,
        )
        screen.print(sentence, style="dim", markup=False)
    if not has_receipt:
        only = say("Only a receipt shows that the server committed to its secret before it knew the shares.")
        screen.print(only, style="dim", markup=False)


def _print_review(match: Match, words: Words, judged: Review) -> None:
    from rich.text import Text

    from ridotto.bots import account, review_page, review_words

    screen, say = console(), words.say
    screen.print(Text(say("{title}: review", title=match.game.title), "bold"))
    screen.print(Text(review_words.turning_point(match, words, judged)))
    if line := account.sum_sentence(match, words, judged):
        screen.print(Text(line))
    screen.print(Text(review_words.note(words, judged), "dim"))
    players = [ui(match.game).player(seat, words) for seat in range(match.seats)]
    wide = max(map(len, players))
    for seat, player in enumerate(players):
        if line := review_page.sparkline(judged, seat):
            screen.print(Text(f"  {player:{wide}}  {line}"))
    for line in review_words.summary(match, words, judged):
        screen.print(Text(line))
    screen.print()
    screen.print(Text(review_words.heading(words, judged), "bold yellow"))
    for number, one in enumerate(judged.costliest, 1):
        explained = review_words.explain(match, words, one)
        title = review_words.title_of(words, explained)
        screen.print(Text(f"{number}. {title} ", "bold").append(say("(ply {ply})", ply=one.ply), "dim"))
        screen.print(Text("   " + say("Played: {action}", action=explained.did)))
        screen.print(Text("   " + say("Better: {action}", action=explained.better)))
        for reason in explained.reasons:
            screen.print(Text(f"   {reason}", "dim"))


@click.command()
@click.argument("file", metavar="RECORD", type=file_path)
@click.option("--at", "ply", type=click.IntRange(0), help="Stop after the entry at this ply.")
@click.option("--seat", type=click.IntRange(0), help="Drawn for the eyes of this seat; a spectator's if not given.")
@click.option("--theme", type=click.Choice(["dark", "light"]), default="dark", show_default=True, help="Its colours.")
@language_option
@record_box_option
@click.option("--out", type=file_path, required=True, help="Write here; the name ends in .svg or .png.")
def picture(
    file: Path, ply: int | None, seat: int | None, theme: str, language: str | None, box: Path | None, out: Path
) -> None:
    """Draw the table of the match in RECORD."""
    if out.suffix not in (".svg", ".png"):
        raise click.BadParameter(f"{out} ends in neither .svg nor .png", param_hint="--out")
    match, _ = _load(file, box)
    if ply is not None and ply >= match.ply:
        raise click.BadParameter(f"the match has plies 0 to {match.ply - 1}", param_hint="--at")
    shown = match if ply is None else match.after(ply + 1)
    words = ui(match.game).words(ui(match.game).narrator(language or terminal_language(), reader=seat))
    svg = ui(match.game).file(shown.view(seat), words, theme)
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
