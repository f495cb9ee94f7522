"""The pages: each made from its view model by a template, in the reader's language.

There is no script and no style inside a page; everything is in the files that `assets` names.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any, Final, NamedTuple

from ridotto.bots import puzzles
from ridotto.core.game import Game
from ridotto.core.view import Seen
from ridotto.engine.fields import Option, Seat
from ridotto.games import GAMES
from ridotto.present.html import Html
from ridotto.present.html import join as joined
from ridotto.present.lesson import lesson
from ridotto.present.narrator import LEVELS, Narrator, mark, opening
from ridotto.present.owner import owner
from ridotto.present.protocols import Moment
from ridotto.present.scene import difference, replaced
from ridotto.present.ui import ui
from ridotto.present.words import OptionText, Words
from ridotto.web.clocks import MOST_ADDED
from ridotto.web.pages import (
    aids,
    around,
    art,
    assets,
    home,
    table_log,
    table_panels,
    table_parts,
    table_people,
    table_question,
    table_result,
)
from ridotto.web.pages import table as tabletop
from ridotto.web.pages.boards import board_of
from ridotto.web.pages.legend import legend
from ridotto.web.pages.models import (
    Choice,
    GameCard,
    LobbyPage,
    OptionField,
    QuickStart,
    Reader,
    SeatChoice,
    SeatView,
    TablePage,
)
from ridotto.web.pages.render import render
from ridotto.web.pages.rulebook import Rulebook
from ridotto.web.storage.chat import LONGEST

EASY: Final = 2
"""The level of the bots that one plays against, unless one asks for others."""


def page(template: str, reader: Reader, narrator: Narrator, /, **values: Any) -> str:
    """A whole page."""
    return render(template, narrator, reader=reader, site=assets.site(), **values)


# The start page.


def lobby(lobby: LobbyPage) -> str:
    """The start page: the games, a form for each, and the tables there are."""
    narrator = lobby.reader.narrator
    return page(
        "lobby.html",
        lobby.reader,
        narrator,
        lobby=lobby,
        hero=Html(art.hero()),
        hints={wish: opening(narrator.say(text)) for wish, text in aids.HINTS.items()},
        takebacks={wish: opening(narrator.say(text)) for wish, text in around.TAKEBACKS.items()},
        clocks=around.clocks_offered(narrator),
        most_added=MOST_ADDED,
        introduce=lambda place: introduce(place, narrator),
    )


def introduce(place: SeatView, narrator: Narrator) -> str:
    """Somebody by name, a bot with its level, a member with the rating if there is one."""
    if place.standing is not None:
        return f"{place.display_name} ({table_parts.rating_text(place.standing.points, place.standing.error)})"
    return f"{place.display_name} ({narrator.rank(place.name)})" if place.kind == "bot" else place.display_name


@cache
def game_card(game: Game, language: str) -> GameCard:
    """A game as the lobby shows it: what it is, a match against bots at once, and what a new table can be like."""
    words = ui(game).words(ui(game).narrator(language))
    fewest, most = game.seats[0], game.seats[-1]
    usual = ui(game).page.usual_seats or fewest
    seating = ("me", *[f"bot:level:{EASY}"] * (usual - 1))
    return GameCard(
        name=game.name,
        title=game.title,
        pitch=words.say(game.pitch),
        players=str(fewest) if fewest == most else f"{fewest}–{most}",
        minutes=game.minutes,
        authors=game.authors,
        year=game.year,
        vignette=Html(art.vignette(game, language)),
        quick_starts=_quick_starts(game, words, usual),
        counts=choices(
            {str(seats): words.count("{number} player", "{number} players", seats) for seats in game.seats}, str(usual)
        )
        if len(game.seats) > 1
        else (),
        levels=choices(
            {str(level): words.say("bots of level {level}", level=level) for level in range(1, len(LEVELS) + 1)}, str(EASY)
        ),
        seats=tuple(_seat_choice(game, words, seat, seating) for seat in range(most)),
        options=tuple(_option_field(option, words) for option in game.rules.OPTIONS),
        has_lesson=lesson(game) is not None,
        has_puzzles=bool(puzzles.load(game)),
        box_name=game.box_name,
    )


def _quick_starts(game: Game, words: Words, usual: int) -> tuple[QuickStart, ...]:
    """One click to a match against bots; where seats differ, one for each."""
    if ui(game).page.play_as(words, 0):
        return tuple(QuickStart(ui(game).page.play_as(words, seat), seat) for seat in range(usual))
    text = words.say("Play against a bot") if usual == 2 else words.say("Play against bots")
    return (QuickStart(text, 0),)


def _seat_choice(game: Game, words: Words, seat: int, seating: tuple[str, ...]) -> SeatChoice:
    """The sitters that a seat of a new table may have."""
    usual = seating[seat] if seat < len(seating) else ""
    kinds = {"": words.say("no player")} if seat >= game.seats[0] else {}
    kinds |= {"me": words.say("me"), "here": words.say("somebody at this device")}
    if not home.in_tab():
        kinds |= {"friend": words.say("a friend, by link"), "open": words.say("open to anyone")}
    by_seats = {seats: opponents(game, words.narrator, seats) for seats in game.seats}
    bots = [
        Choice(bot, text, bot == usual, {seats: texts[bot] for seats, texts in by_seats.items()} if game.tuning.ratings else {})
        for bot, text in by_seats[len(seating)].items()
    ]
    role = opening(ui(game).role(seat, words))
    return SeatChoice(seat, role, (*choices(kinds, usual), *bots))


def opponents(game: Game, narrator: Narrator, seats: int) -> dict[str, str]:
    """The bots that people may play, weakest first: what a form calls each, and what people read, with its strength there."""
    rated, say = game.tuning.ratings.get(seats), narrator.say
    return {
        f"bot:level:{level}": say("bot {level}: {name} ({rating} Elo)", level=level, name=say(name), rating=rated[level - 1])
        if rated
        else say("bot {level}: {name}", level=level, name=say(name))
        for level, name in enumerate(LEVELS, 1)
    }


def choices(values: dict[str, str], chosen: str) -> tuple[Choice, ...]:
    """The choices of a field."""
    return tuple(Choice(value, text, value == chosen) for value, text in values.items())


def _option_field(option: Option, words: Words) -> OptionField:
    """A choice made before the deal, with its explanation and its §."""
    title, explanation = option_text(option, words)
    return OptionField(option.name, title, explanation, option.section, option.low, option.high, option.default)


def option_text(option: Option, words: Words) -> OptionText:
    """The title and explanation of an option: in the game's words, else as the rules declare it."""
    return words.option(option.name) or OptionText(option.name, option.sentence)


# The table.


def table(table: TablePage) -> str:
    """A whole table: what changes stands in elements that are named as `fragments` names it."""
    return page(
        "table.html",
        table.reader,
        table.narrator,
        table=table,
        live=parts(table),
        heading=heading(table),
        announcement=announcement(table, table.since),
        options=_unusual_options(table),
        is_seated=table_parts.is_seated(table),
        has_guide=bool(table.view.to_act and table.words.guide(table.view.row, table.view.to_act[0])),
        longest=LONGEST,
        looks=board.address if (board := board_of(table.game, table.view, table.words)).looks else "",
    )


def _unusual_options(table: TablePage) -> list[OptionText]:
    """The options of this table that are not as usual."""
    usual = {option.name: option for option in table.game.rules.OPTIONS}
    say, texts = table.narrator.say, []
    if table.agreement.rated:
        meaning = say("Members alone play here, besides bots; there are no takebacks and no hints.")
        texts.append(OptionText(say("Rated"), meaning))
    for name, value in table.options.items():
        if name in usual and value != usual[name].default:
            title, explanation = option_text(usual[name], table.words)
            texts.append(OptionText(title if usual[name].high == 1 else f"{title}: {value}", explanation))
    return texts


def parts(table: TablePage) -> dict[str, Html]:
    """The parts of a table that change, by the id of their element: what is inside it."""
    if table.handover is not None:
        return {**small_parts(table), "board": Html(""), "since": Html(""), "log": Html("")}
    whole = {"board": table_panels.board(table), "since": table_log.since(table), "log": table_log.log(table)}
    return {"people": table_people.people(table), **small_parts(table), **whole}


def small_parts(table: TablePage) -> dict[str, Html]:
    """Those of them that a live message brings whole if they have changed; the others are sent by what changed in them."""
    if table.handover is not None:
        hidden = dict.fromkeys(("people", "jumps", "turning", "result", "links", "extras"), Html(""))
        return {**hidden, "ask": around.handover(table)}
    return {
        **changing_parts(table),
        "jumps": table_panels.jumps(table),
        "turning": table_result.turning(table),
        "result": table_result.result(table),
    }


def changing_parts(table: TablePage) -> dict[str, Html]:
    """Those of the small parts that depend on who is there."""
    return {"ask": asking(table), "links": table_question.links(table), "extras": around.extras(table)}


def asking(table: TablePage) -> Html:
    """The question, with what has to be answered before it and the aids below it."""
    return joined(around.banner(table), table_question.ask(table), aids.buttons(table, around.take_back(table)))


def heading(table: TablePage) -> str:
    """The title of the tab."""
    return around.passing(table) if table.handover is not None else tabletop.heading(table)


def announcement(table: TablePage, since: int) -> str:
    """The changes since a ply in words, for screen readers."""
    return around.passing(table) if table.handover is not None else tabletop.announcement(table, since)


def moments(table: TablePage, seen: Sequence[Seen]) -> list[dict[str, Any]]:
    """The moments of some events, the end of the match included."""
    if not seen:
        return []
    drawn = [_moment(table, one) for one in ui(table.game).stage.moments(table.view, table.words, seen)]
    return [*drawn, {"html": table_result.curtain(table), "holds": True}] if table.view.outcome is not None else drawn


def _moment(table: TablePage, moment: Moment) -> dict[str, Any]:
    """A moment as a page is sent it; with its panel, if it stands beside the board, and whether the board changes first."""
    sent: dict[str, Any] = {"html": render("moment.html", table.narrator, moment=moment), "holds": moment.holds}
    if moment.panel:
        sent["panel"] = moment.panel
    if moment.is_late:
        sent["late"] = True
    return sent


def preview(table: TablePage, notation: str) -> dict[str, Any]:
    """The changes of the board by an action, where the game previews it, and those that undo them."""
    action = table.game.rules.ACTIONS.parse(notation)
    if action not in table.view.legal:
        return {}
    panels = ui(table.game).picture.preview(table.view, table.words, action)
    if not panels:
        return {}
    would_be = replaced(table.scene, panels)
    return {"there": difference(table.scene, would_be), "back": difference(would_be, table.scene)}


def draft(table: TablePage, drafted: TablePage) -> dict[str, Any]:
    """The page while a turn is drafted: the question that is left, and how the board changes there and back."""
    assert drafted.draft is not None
    latest = (*drafted.draft.told, *drafted.draft.noted)[-1:]
    return {
        "ply": table.view.ply,
        "decisions": drafted.draft.decisions,
        "whole": drafted.draft.is_whole,
        "ask": small_parts(drafted)["ask"],
        "there": table_panels.changes(table.scene, drafted),
        "back": table_panels.changes(drafted.scene, table),
        "announcement": " ".join((*(f"{line.rstrip('.')}." for line in latest), table_question.question(drafted))),
    }


def join(table: TablePage, place: SeatView) -> str:
    """An invitation: who asks, to what, and a name to sit down with."""
    game, words, narrator = table.game, table.words, table.narrator
    return page(
        "join.html",
        table.reader,
        narrator,
        game=game,
        vignette=Html(art.vignette(game, narrator.language)),
        role=opening(ui(game).role(place.seat, words)),
        others=[introduce(one, narrator) for one in table.seats if one.kind != "free"],
        pitch=words.say(game.pitch),
        terms=around.clock_terms(table.agreement.clock, table.agreement.plays_on, narrator),
        takebacks=around.takeback_terms(table.agreement.takebacks, narrator),
        card=table.links.card,
    )


def private_link(reader: Reader, game: Game, seat: Seat | None) -> str:
    """A private link to a seat, or (None) to a table to watch: what it is for, and the button that uses it."""
    words = ui(game).words(ui(game).narrator(reader.language))
    vignette = Html(art.vignette(game, reader.language))
    role = "" if seat is None else opening(ui(game).role(seat, words))
    return page("link.html", reader, words.narrator, game=game, vignette=vignette, role=role)


# The rest.


def rules(reader: Reader, game: Game, book: Rulebook | None) -> str:
    """A rulebook with its contents beside it, and the legend at its end."""
    return page(
        "rules.html",
        reader,
        reader.narrator,
        game=game,
        book=book,
        games=GAMES.values(),
        has_questions=owner(game) is not None,
        legend=legend(game, reader.language),
    )


def verify(reader: Reader) -> str:
    """The page on which the browser computes the draws of a match again."""
    return page("verify.html", reader, reader.narrator)


def verify_alone(narrator: Narrator) -> str:
    """The same as one file, which works without a server."""
    return render("verify_alone.html", narrator, script=Html(assets.classic_script("fair.js", "verify.js")))


def about(reader: Reader) -> str:
    """The page about Ridotto, with acknowledgements."""
    return page("about.html", reader, reader.narrator, games=GAMES.values())


class Kept(NamedTuple):
    """For how many days something is kept; 0: until somebody deletes it."""

    over: int
    open: int
    people: int


def privacy(reader: Reader, kept: Kept, has_addresses: bool) -> str:
    """The page about the data stored of people, and for how long."""
    return page("privacy.html", reader, reader.narrator, kept=kept, has_addresses=has_addresses)


def host(reader: Reader, lists: Mapping[str, Sequence[Mapping[str, Any]]]) -> str:
    """For whoever runs the server: reports, tables, people, and what can be done about them."""
    titles = {game.name: game.title for game in GAMES.values()}
    return page("host.html", reader, reader.narrator, titles=titles, **lists)


def host_key(reader: Reader, fault: str = "") -> str:
    """The form for the key of whoever runs the server."""
    return page("host_key.html", reader, reader.narrator, fault=fault)


def account(reader: Reader, tables: int, is_signed_out: bool = False) -> str:
    """The account page: the data stored of the reader, and forms to sign out elsewhere and to be deleted."""
    return page("account.html", reader, reader.narrator, tables=tables, is_signed_out=is_signed_out)


def farewell(reader: Reader) -> str:
    """The reader is forgotten."""
    return page("farewell.html", reader, reader.narrator)


FAULTS: Final = {
    400: mark("That did not work"),
    403: mark("You may not do that"),
    404: mark("Not found"),
    409: mark("That is not possible now"),
    413: mark("Too much at once"),
    429: mark("A little slower, please"),
    500: mark("Something went wrong"),
    503: mark("Back in a moment"),
}


def fault(reader: Reader, status: int, message: str, proposal: str = "", came_from: str = "/") -> str:
    """Something could not be done: what, and the way back; where a name was taken, one that can be had."""
    title = FAULTS.get(status, FAULTS[500 if status >= 500 else 400])
    values = {"title": reader.narrator.say(title), "message": message, "proposal": proposal, "came_from": came_from}
    return page("fault.html", reader, reader.narrator, status=status, **values)
