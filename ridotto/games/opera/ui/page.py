"""Opera at the web table: bids and roles in short, and the workshop, a sheet on which a seat rearranges all its halls."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from ridotto.core.errors import BadSeries
from ridotto.core.view import View
from ridotto.engine.fields import Kind, Row, Seat
from ridotto.games.opera import rules
from ridotto.games.opera.ai.programme import Programme, best, forecast, programme_of, values_in_great_halls
from ridotto.games.opera.components import FEE, HALLS
from ridotto.games.opera.inputs import arrangement
from ridotto.games.opera.rules import A, F
from ridotto.games.opera.ui.legend import legend
from ridotto.games.opera.ui.picture.budget import places
from ridotto.games.opera.ui.picture.composition import compositions
from ridotto.games.opera.ui.picture.facts import asks
from ridotto.games.opera.ui.picture.houses import halls_in
from ridotto.games.opera.ui.picture.marks import medallion, unit
from ridotto.games.opera.ui.sketch import CHIPS
from ridotto.games.opera.ui.words import Words
from ridotto.present import protocols
from ridotto.present.answers import Caption, answers
from ridotto.present.composition import Compositions
from ridotto.present.html import Html, el, join
from ridotto.present.kit.foresight import foresee
from ridotto.present.narrator import opening
from ridotto.present.protocols import Sign
from ridotto.present.svg import Svg, tag


class Page(protocols.Page[Words]):
    """The web table of Opera."""

    usual_seats = 3
    is_forced_known = True

    def answers(self, view: View, words: Words) -> Html | None:
        """Bids are numbers, roles have their fees, and halls are rearranged on one sheet, or piece by piece."""
        actions = rules.ACTIONS
        captions = {
            "bid": Caption(words.say("Ducats to bid, and your place:"), lambda action: actions.notation(action).split()[1]),
            "move": Caption(words.say("Go to:"), lambda action: words.city(actions.argument(action))),
            "buy": Caption(words.say("Buy:"), lambda action: opening(words.composer(actions.argument(action)))),
            "hire": Caption(
                words.say("Hire, for so many levels:"),
                lambda action: f"{opening(words.role(actions.argument(action)))} · {FEE[actions.argument(action)]}",
            ),
            "build": Caption(
                words.say("Build, for ducats and as many points:"),
                lambda action: (
                    f"{opening(words.part(actions.argument(action)))} · {rules.A_HALL * HALLS[actions.argument(action)]}"
                ),
            ),
        }
        sheet = workshop(view, words)
        folded = (words.say("Piece by piece"), ("place",)) if sheet else ("", ())
        return answers(
            view, words, captions=captions, first=sheet, folded=folded, effect=lambda action: effect(view, words, action)
        )

    def compositions(self, view: View) -> Compositions:
        """The cities in the middle; closed ones are a strip of curtains."""
        return compositions(view)

    def purse(self, view: View, words: Words) -> str:
        """The reader's ducats and points."""
        assert view.seat is not None
        return f"{words.ducats(view.row[F.ducats + view.seat])} · {words.points(view.row[F.points + view.seat])}"

    def legend(self, words: Words) -> Sequence[Sign]:
        """Markers and roles, fame, houses and halls."""
        return legend(words)

    def compose(self, view: View, words: Words, text: str) -> Mapping[str, Any] | None:
        """The worth of a programme, or everything about the halls as they stand."""
        if view.seat is None:
            return None
        if text in WISHES:
            return trial(view, words, text_of(best(view.row, view.seat, by_points=text == "points")))
        return trial(view, words, text) if text else programmes(view, words)

    def target(self, kind: Kind) -> str:
        """A piece is by a composer, and a source may be a city; sums, steps and parts are nothing that is pointed at."""
        same = {"piece": "composer", "source": "city", "steps": "", "stake": "", "payment": "", "part": ""}
        return same.get(kind.name, kind.name)

    def distance(self, view: View, kind: Kind, one: str, other: str) -> int | None:
        """Composers are so many steps of fame apart, roles so many levels."""
        if kind in (rules.COMPOSER, rules.PIECE):
            fame = [view.row[F.fame + kind.names.index(name)] if name != "house" else 0 for name in (one, other)]
            return int(abs(fame[0] - fame[1]))
        if kind == rules.ROLE:
            return abs(FEE[kind.names.index(one)] - FEE[kind.names.index(other)]) + 1
        return None


# What an answer surely brings.


def effect(view: View, words: Words, action: int) -> str:
    """The place in the table after a bid; what a figure, a purchase or a score brings and takes, as far as it is certain."""
    row, seat = view.row, view.seat
    assert seat is not None
    if A.bid <= action < A.hire:
        best, worst = places(view, seat, row[F.level + seat] + action - A.bid)
        if best < worst:
            return f"{best}–{worst}"
        return words.say("first for certain") if best == 1 else words.say("{place} for certain", place=best)
    if not (A.buy <= action < A.build or A.move <= action < A.withhold or action == A.score):
        return ""
    return ", ".join(_gains(list(row), list(foresee(view, action).row), seat, words))


def _gains(before: Row, after: Row, seat: Seat, words: Words) -> Iterator[str]:
    """The differences between two rows for a seat: points, ducats, the coming income, and pieces that it loses."""
    if points := after[F.points + seat] - before[F.points + seat]:
        yield words.points(points) if points < 0 else f"+{words.points(points)}"
    if ducats := after[F.ducats + seat] - before[F.ducats + seat]:
        yield f"{_signed(ducats)} {unit(words.ducats(abs(ducats)))}"
    if income := forecast(after, seat).income - forecast(before, seat).income:
        yield f"{_signed(income)} {words.say('income')}"
    for piece in range(7):
        if rules.copies_of(after, seat, piece) < rules.copies_of(before, seat, piece):
            yield words.say("{piece} leaves", piece=opening(words.piece(piece)))


# The workshop.

WISHES: Final = ("income", "points")
"""Aims of a suggested programme."""


def workshop(view: View, words: Words) -> Html:
    """A button that opens the sheet on which halls are rearranged, and the sheet; nothing where it is not asked for."""
    if view.row[F.asked] != rules.REARRANGE or view.seat not in view.to_act:
        return Html("")
    data = _halls_and_pieces(view, words)
    if not data["asked"] or not data["houses"]:
        return Html("")
    now = data["now"]
    starts = (  # the best are worked out when they are asked for
        el("button", words.say("Best for income"), type="button", cls="button", data_wish="income"),
        el("button", words.say("Best for points"), type="button", cls="button", data_wish="points"),
        el("button", words.say("As it was"), type="button", cls="button", data_composed=now["text"]),
    )
    spares = [el("li", _chip(data, name), cls="spare") for name in data["screen"]]
    aside = el("button", words.say("put behind the screen"), type="button", cls="void aside", data_void=True)
    sheet = el(
        "div",
        el("h2", words.say("The workshop"), id="sheet-title"),
        el("p", words.say("Drag a piece, or choose one and then its place. Two pieces change places."), cls="note"),
        el("div", *starts, cls="starts"),
        _fame(view, words),
        el("div", *(_house(data, house, words) for house in data["houses"]), cls="sheet-groups"),
        el(
            "section",
            el("h3", words.say("Behind your screen")),
            el("ul", el("li", aside), *spares, cls="spares", data_spares=True),
            cls="tray",
            data_tray=True,
        ),
        el(
            "div",
            el(
                "output",
                *(el("span", el("b", number), f" {unit}") for number, unit in now["worth"]),
                cls="worth",
                data_worth=True,
            ),
            el(
                "div",
                el("button", words.say("Cancel"), type="button", cls="button", data_close=True),
                el("button", words.say("Arrange it so"), type="button", cls="button main", data_send="arrange"),
            ),
            cls="sheet-foot",
        ),
        cls="sheet-body",
    )
    return join(
        el("button", words.say("Rearrange on one sheet"), type="button", cls="button main", data_sheet=True),
        el("template", sheet),
    )


def _fame(view: View, words: Words) -> Html:
    """The fame of each composer, the highest first, and what the piece brings in a great hall at the next count."""
    fame, values = view.row[F.fame : F.fame + 6], values_in_great_halls(view.row)
    steps = [
        el(
            "li",
            el("b", str(fame[composer])),
            Html(tag("svg", Svg(medallion(composer, 30)), viewBox="-16 -16 32 32", cls="drawing token")),
            el("span", _signed(values[composer]), aria_label=words.say("in a great hall, at the next count")),
            title=opening(words.piece(composer)),
        )
        for composer in sorted(range(6), key=lambda one: -fame[one])
    ]
    title = words.say("Fame, and what a piece brings in a great hall:")
    return el("div", el("span", title, cls="note"), el("ol", *steps), cls="sheet-fame")


def _house(data: Mapping[str, Any], house: Mapping[str, Any], words: Words) -> Html:
    """The halls of one city on the sheet."""
    halls = []
    for at, hall in enumerate(house["halls"]):
        kind = words.say("great hall") if hall["great"] else words.say("hall {number}", number=at + 1)
        empty = words.say("{hall}: empty", hall=f"{house['name']}, {kind}")
        halls.append(
            el(
                "li",
                el("button", type="button", cls="void", aria_label=empty, data_void=True),
                _chip(data, hall["piece"]) if hall["piece"] else "",
                cls="slot great" if hall["great"] else "slot",
                data_slot=True,
                data_empty="-" if hall["great"] else "",
            )
        )
    title = el("h3", house["name"], el("small", words.say("the Maestro doubles it")) if house["maestro"] else "")
    return el("section", title, el("ul", *halls, cls="slots"), cls="sheet-group", data_group=house["city"])


def _chip(data: Mapping[str, Any], name: str) -> Html:
    """A piece that can be moved about on the sheet."""
    token = Svg(medallion(rules.PIECE.names.index(name), 40, data["seat"]))
    return el(
        "button",
        Html(tag("svg", token, viewBox="-21 -21 42 42", cls="drawing token")),
        type="button",
        cls="chip",
        draggable="true",
        data_chip=name,
        aria_pressed="false",
        aria_label=data["pieces"][name]["name"],
    )


# Programmes: what stands in which hall.


def programmes(view: View, words: Words) -> dict[str, Any]:
    """The reader's halls and pieces as plain data, their worth, and two programmes to start from.

    `now` and each of `suggestions` is a `trial` of a programme; its `text` is what `arrange …` takes. `asked` tells
    whether such a text may be handed in now; until then the sheet is for planning.
    """
    assert view.seat is not None
    texts = {wish: text_of(best(view.row, view.seat, by_points=wish == "points")) for wish in WISHES}
    return {**_halls_and_pieces(view, words), "suggestions": {wish: trial(view, words, text) for wish, text in texts.items()}}


def _halls_and_pieces(view: View, words: Words) -> dict[str, Any]:
    """The reader's halls and pieces as plain data, and what they bring as they stand."""
    assert view.seat is not None
    seat, row = view.seat, list(view.row)
    houses = []
    for city in range(6):
        built, great, side = (row[field + seat * 6 + city] for field in (F.built, F.great, F.side))
        halls = [one for one in halls_in(city, built, great, side) if one.built]
        if halls:
            pieces = [{"great": one.great, "piece": rules.PIECE.to_json(one.piece)} for one in halls]
            maestro = row[F.figure] == city
            houses.append({"city": rules.CITY.names[city], "name": words.city(city), "maestro": maestro, "halls": pieces})
    values = values_in_great_halls(row)
    kinds = [number for number in range(7) if rules.pieces_of(row, seat) >> number & 1]
    return {
        "seat": seat,
        "asked": asks(view, rules.REARRANGE),
        "houses": houses,
        "screen": [rules.PIECE.names[number] for number in kinds for _ in range(row[F.screen + seat * 7 + number])],
        "pieces": {
            rules.PIECE.names[number]: {
                "name": opening(words.piece(number)),
                "monogram": CHIPS[number].strip(),
                "great": values[number],
            }
            for number in kinds
        },
        "now": trial(view, words, text_of(programme_of(row, seat))),
    }


def trial(view: View, words: Words, text: str) -> dict[str, Any]:
    """The worth of a programme, as `arrange …` takes it, worked out on a copy of the row.

    Either `fault` says why it cannot be, or `text` is the whole programme, with its income and points by their parts, and
    what people read of them.
    """
    assert view.seat is not None
    seat, row = view.seat, list(view.row)
    row[F.asked], row[F.turn], row[F.city], row[F.hall] = rules.REARRANGE, seat, 0, 0
    events = view.game.build().events(muted=True)
    try:
        actions = arrangement(row, seat, text)
    except BadSeries as error:
        return {"fault": f"{words.fault(row, seat, error)} (§{error.section})"}
    for action in actions:
        if action == rules.A.empty:
            rules.leave_empty(row, seat, events)
        else:
            rules.place(row, seat, action - rules.A.place, events)
    coming = forecast(row, seat)
    worth = [
        (_signed(coming.income), words.say("income")),
        (_signed(coming.points), words.say("next count")),
        (str(coming.empty), words.count("empty hall", "empty halls", coming.empty)),
    ]
    return {"text": text_of(programme_of(row, seat)), **coming._asdict(), "points": coming.points, "worth": worth}


def _signed(number: int) -> str:
    return f"−{-number}" if number < 0 else f"+{number}"


def text_of(programme: Programme) -> str:
    """A programme as `arrange …` takes it."""
    return "; ".join(
        " ".join((rules.CITY.names[city], *("-" if piece == rules.NONE else rules.PIECE.names[piece] for piece in pieces)))
        for city, pieces in programme.items()
    )
