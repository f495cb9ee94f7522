"""The pages: each made from its view model by a template, in the reader's language.

There is no script and no style inside a page; everything is in the files that `assets` names.
"""

from __future__ import annotations

from functools import cache
from typing import Any, Final

from ridotto.core.game import Game
from ridotto.core.lesson import lesson
from ridotto.core.markup import Html
from ridotto.core.markup import join as joined
from ridotto.core.narrator import LEVELS, Narrator, mark, opening
from ridotto.core.protocols import OptionText, Words
from ridotto.engine.fields import Option
from ridotto.games import GAMES
from ridotto.web.clocks import MOST_ADDED
from ridotto.web.pages import aids, around, art, assets
from ridotto.web.pages import table as tabletop
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
        clocks=around.clocks_offered(narrator),
        most_added=MOST_ADDED,
        introduce=lambda place: introduce(place, narrator),
    )


def introduce(place: SeatView, narrator: Narrator) -> str:
    """Somebody by name, a bot with its level."""
    return f"{place.display_name} ({narrator.rank(place.name)})" if place.kind == "bot" else place.display_name


@cache
def game_card(game: Game, language: str) -> GameCard:
    """A game as the lobby shows it: what it is, a match against bots at once, and what a new table can be like."""
    words = game.words(game.narrator(language))
    fewest, most = game.seats[0], game.seats[-1]
    seating = ("me", *["bot:level:2"] * ((game.page.usual_seats or fewest) - 1))
    return GameCard(
        name=game.name,
        title=game.title,
        pitch=words.say(game.pitch),
        players=str(fewest) if fewest == most else f"{fewest}–{most}",
        minutes=game.minutes,
        authors=game.authors,
        year=game.year,
        vignette=Html(art.vignette(game, language)),
        quick_starts=_quick_starts(game, words, seating),
        opponents=words.say("Your opponent: a friendly bot, level 2 of 5")
        if len(seating) == 2
        else words.say("Your opponents: friendly bots, level 2 of 5"),
        seats=tuple(_seat_choice(game, words, seat, seating) for seat in range(most)),
        options=tuple(_option_field(option, words) for option in game.rules.OPTIONS),
        has_lesson=lesson(game) is not None,
    )


def _quick_starts(game: Game, words: Words, seating: tuple[str, ...]) -> tuple[QuickStart, ...]:
    """One click to a match against bots; where seats differ, one for each."""
    if game.page.play_as(words, 0):
        return tuple(
            QuickStart(game.page.play_as(words, seat), (*seating[1 : seat + 1], "me", *seating[seat + 1 :]))
            for seat in range(len(seating))
        )
    text = words.say("Play against a bot") if len(seating) == 2 else words.say("Play against bots")
    return (QuickStart(text, seating),)


def _seat_choice(game: Game, words: Words, seat: int, seating: tuple[str, ...]) -> SeatChoice:
    """Who may sit on a seat of a new table."""
    usual = seating[seat] if seat < len(seating) else ""
    kinds = {"": words.say("no player")} if seat >= game.seats[0] else {}
    kinds |= {"me": words.say("me"), "here": words.say("somebody at this device"), "friend": words.say("a friend, by link")}
    kinds |= {"open": words.say("anyone who comes")} | opponents(game, words.narrator)
    role = opening(game.role(seat, words))
    return SeatChoice(seat, role, choices(kinds, usual))


def opponents(game: Game, narrator: Narrator) -> dict[str, str]:
    """The bots that people may play, weakest first: what a form calls each, and what people read, with its strength."""
    rated, say = game.tuning.ratings.get(2), narrator.say
    return {
        f"bot:level:{level}": say("bot {level}: {name} ({rating} Elo)", level=level, name=say(name), rating=rated[level - 1])
        if rated
        else say("bot {level}: {name}", level=level, name=say(name))
        for level, name in enumerate(LEVELS, 1)
    }


def choices(values: dict[str, str], chosen: str) -> tuple[Choice, ...]:
    """What a field of a form offers."""
    return tuple(Choice(value, text, value == chosen) for value, text in values.items())


def _option_field(option: Option, words: Words) -> OptionField:
    """A choice made before the deal, with its explanation and its §."""
    title, explanation = option_text(option, words)
    return OptionField(option.name, title, explanation, option.section, option.low, option.high, option.default)


def option_text(option: Option, words: Words) -> OptionText:
    """What an option is called and means: in the game's words, else as the rules declare it."""
    return words.option(option.name) or OptionText(option.name, option.sentence)


# The table.


def table(table: TablePage) -> str:
    """A whole table: what changes stands in elements that are named as `fragments` names it."""
    return page(
        "table.html",
        table.reader,
        table.narrator,
        table=table,
        live={name: Html(text) for name, text in fragments(table).items()},
        panels=tabletop.drawn(table),
        heading=heading(table),
        announcement=announcement(table),
        options=_unusual_options(table),
        is_seated=tabletop.is_seated(table),
        longest=LONGEST,
    )


def _unusual_options(table: TablePage) -> list[OptionText]:
    """The options of this table that are not as usual."""
    usual = {option.name: option for option in table.game.rules.OPTIONS}
    found = []
    for name, value in table.options.items():
        if name in usual and value != usual[name].default:
            title, explanation = option_text(usual[name], table.words)
            found.append(OptionText(title if usual[name].high == 1 else f"{title}: {value}", explanation))
    return found


def fragments(table: TablePage) -> dict[str, str]:
    """The parts of a table that change, by the id of their element: what is inside it."""
    if table.handover is not None:
        hidden = dict.fromkeys(("people", "board", "log", "result", "links", "extras"), "")
        return {**hidden, "ask": around.handover(table)}
    return {
        "people": tabletop.people(table),
        "ask": joined(around.banner(table), tabletop.ask(table), aids.buttons(table, around.take_back(table))),
        "board": tabletop.board(table),
        "log": tabletop.log(table),
        "result": tabletop.result(table),
        "links": tabletop.links(table),
        "extras": around.extras(table),
    }


def heading(table: TablePage) -> str:
    """The title of the tab."""
    return around.passing(table) if table.handover is not None else tabletop.heading(table)


def announcement(table: TablePage) -> str:
    """What changed, in words, for whoever listens to the page."""
    return around.passing(table) if table.handover is not None else tabletop.announcement(table)


def preview(table: TablePage, notation: str) -> dict[str, str]:
    """The panels as they would stand after an action, by the id of their element, where the game draws such a thing."""
    action = table.game.rules.ACTIONS.parse(notation)
    if action not in table.view.legal:
        return {}
    drawn = table.game.picture.preview(table.view, table.words, action)
    return {f"pane-{panel.name}": tabletop.framed(panel) for panel in drawn}


def join(table: TablePage, place: SeatView) -> str:
    """An invitation: who asks, to what, and a name to sit down with."""
    game, words, narrator = table.game, table.words, table.narrator
    return page(
        "join.html",
        table.reader,
        narrator,
        game=game,
        vignette=Html(art.vignette(game, narrator.language)),
        role=opening(game.role(place.seat, words)),
        others=[introduce(one, narrator) for one in table.seats if one.kind != "free"],
        pitch=words.say(game.pitch),
        terms=around.clock_terms(table.terms, narrator),
    )


# The rest.


def rules(reader: Reader, game: Game, book: Rulebook | None) -> str:
    """A rulebook with its contents beside it."""
    return page("rules.html", reader, reader.narrator, game=game, book=book, games=GAMES.values())


def about(reader: Reader) -> str:
    """What Ridotto is, and whom it owes thanks."""
    return page("about.html", reader, reader.narrator, games=GAMES.values())


def account(reader: Reader, tables: int) -> str:
    """What is known of the reader, who has a seat at so many tables, and a form to be forgotten."""
    return page("account.html", reader, reader.narrator, tables=tables)


def farewell(reader: Reader) -> str:
    """The reader is forgotten."""
    return page("farewell.html", reader, reader.narrator)


FAULTS: Final = {
    400: mark("That did not work"),
    403: mark("That is not for you"),
    404: mark("There is nothing here"),
    409: mark("That is not possible now"),
    413: mark("That is too much"),
    429: mark("That was too fast"),
    500: mark("Something went wrong"),
    503: mark("The house is closed for a moment"),
}


def fault(reader: Reader, status: int, message: str) -> str:
    """Something could not be done: what, and the way back."""
    title = FAULTS.get(status, FAULTS[500 if status >= 500 else 400])
    return page("fault.html", reader, reader.narrator, status=status, title=reader.narrator.say(title), message=message)
