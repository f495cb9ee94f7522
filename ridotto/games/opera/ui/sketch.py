"""A view of Opera drawn: as text for a terminal, in Rich's markup, no wider than 80 columns.

Everything is worked out from the view's own row. At a table with closed screens other people's ducats and the pieces
behind their screens are not drawn.
"""

from __future__ import annotations

from typing import Final

from ridotto.core.view import View
from ridotto.games.opera import components, rules
from ridotto.games.opera.ai.programme import forecast
from ridotto.games.opera.rules import F
from ridotto.games.opera.ui.messages import COUNTED
from ridotto.games.opera.ui.words import Words
from ridotto.present.lines import Line, Piece, flow, markup
from ridotto.present.narrator import distinct, opening

ROMAN: Final = ("I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX")
CHIPS: Final = ("Mv", "Ha", "Be", "Mz", "Wa", "Ve", "⌂")
"""The monograms of the composers, and the sign of a house piece."""
INKS: Final = (
    "black on orange1",
    "white on red3",
    "black on yellow3",
    "white on dodger_blue3",
    "white on dark_green",
    "white on purple4",
    "black on grey66",
)
SEATS: Final = ("bold white on red3", "bold white on blue3", "bold black on yellow1", "bold white on green4")
QUIET, HEAD, LIT = "dim", "bold yellow", "bold black on yellow"


def text(view: View, words: Words) -> str:
    """The rounds, the ladder with the offer, roles and budgets, the cities, and every player's houses."""
    blocks = [_rounds(view, words) + _ladder(view, words), _budget(view, words) + _roles(view, words), _cities(view, words)]
    blocks += [_player(view, words, seat) for seat in range(view.seats)]
    return "\n\n".join("\n".join(map(markup, lines)) for lines in blocks)


def _chip(piece: int) -> Piece:
    return f" {CHIPS[piece]:<2} ", INKS[piece]


def _chips(bits: int) -> Line:
    """A set of pieces as a row of chips."""
    return [_chip(piece) for piece in range(7) if bits >> piece & 1] or [("–", QUIET)]


def _seat(words: Words, seat: int) -> Piece:
    return f" {letters(words, seat)} ", SEATS[seat]


def letters(words: Words, seat: int) -> str:
    """As many letters of a seat's colour as tell it from the others."""
    return distinct(words.colour(seat), [words.colour(one) for one in range(rules.MOST_SEATS)])


def _choices(view: View, verb: str) -> set[int]:
    """The first arguments of the legal actions of a verb."""
    actions = view.game.rules.ACTIONS
    legal = [i for i in view.legal if actions.family(i).verb == verb]
    sizes = [1 if len(actions.family(i).of) < 2 else len(actions.family(i).of[1]) for i in legal]
    return {actions.argument(i) // size for i, size in zip(legal, sizes, strict=True)}


# The board.


def _rounds(view: View, words: Words) -> list[Line]:
    """The track of rounds, with the Composers of the Century after each episode."""
    row = view.row
    counted = COUNTED[row[F.seven_rounds]]
    line: Line = [(words.say("Rounds"), HEAD), (" ", "")]
    for number in range(1, counted[-1] + 1):
        now = number == row[F.round] and view.outcome is None
        line += [(f" {ROMAN[number - 1]} ", LIT if now else QUIET if number < row[F.round] else "")]
        if number in counted:
            count = counted.index(number)
            chip = _chip(row[F.century + count])
            line += [(" ", ""), (f"{chip[0][:-1]} +{count + 1} ", QUIET if count < row[F.counts] else chip[1]), (" ", "")]
    return [line]


def _ladder(view: View, words: Words) -> list[Line]:
    """The fame ladder from the top: each composer with the pieces on offer and the pieces performed."""
    row = view.row
    broad = max(len(words.composer(composer)) for composer in range(6))
    buyable = _choices(view, "buy")
    lines: list[Line] = [[(words.say("Fame, price in ducats, pieces on offer, pieces performed"), HEAD)]]
    for fame in range(6, 0, -1):
        composer = next(one for one in range(6) if row[F.fame + one] == fame)
        name = words.composer(composer).ljust(broad)
        offer, times = "■" * row[F.offer + composer], performed(view, composer)
        line: Line = [(f" {fame} ", "bold"), _chip(composer), (f" {name} ", LIT if composer in buyable else "")]
        line += [(f" {offer:<4}", "bold"), (f" ♪ {times:<3}", QUIET)]
        if row[F.palazzo] >> composer & 1:
            line.append((words.say("at the Palazzo"), QUIET))
        lines.append(line)
    lines.append([("   ", ""), _chip(rules.HOUSE), (f" {words.piece(rules.HOUSE)}", QUIET)])
    places = max(3, view.seats)
    lines.append([(words.say("Palazzo"), HEAD), (" ", ""), *_chips(row[F.palazzo])])
    lines[-1].append((f" {row[F.palazzo].bit_count()}/{places}", QUIET))
    deck, discard = (sum(row[field : field + 6]) for field in (F.deck, F.discard))
    lines[-1].append(("   " + words.say("deck: {deck}, discard pile: {discard}", deck=deck, discard=discard), QUIET))
    return lines


def performed(view: View, piece: int) -> int:
    """The number of houses in which a piece is performed."""
    row = list(view.row)
    houses = [rules.house(row, seat, city) for seat in range(view.seats) for city in range(6)]
    return sum(there >> piece & 1 for there in houses)


def _budget(view: View, words: Words) -> list[Line]:
    """The budget table from the top: who stands on which level; a cross for done, a disc for ended."""
    row = view.row
    items: list[Line] = []
    level = None
    for place in range(view.seats):
        seat = row[F.order + place]
        if row[F.level + seat] != level:
            level = row[F.level + seat]
            items.append([(f"{level} ", "bold")])
        items[-1].append(_seat(words, seat))
        if row[F.passed] >> seat & 1:
            items[-1].append(("● ", QUIET))
        elif row[F.flipped] >> seat & 1:
            items[-1].append(("× ", QUIET))
    if row[F.asked] == rules.BID:
        items.append([(words.say("still to bid: {players}", players=words.names(view.to_act)), QUIET)])
        if view.seat is not None and row[F.has_bid] >> view.seat & 1:
            items.append([(words.say("your bid: {ducats}", ducats=row[F.bid + view.seat]), "bold")])
    return flow([[(words.say("Budget"), HEAD)], *items], 2)


def _roles(view: View, words: Words) -> list[Line]:
    """The role cards with their fees: taken, being played, or to be hired."""
    row, legal = view.row, _choices(view, "hire")
    items: list[Line] = [[(words.say("Roles"), HEAD)]]
    for role in range(6):
        name = f" {opening(words.role(role))} {components.FEE[role]} "
        playing = row[F.role] == role
        style = "bold reverse" if playing else QUIET if row[F.taken] >> role & 1 else LIT if role in legal else ""
        items.append([(name, style)])
    return flow(items, 2)


def _cities(view: View, words: Words) -> list[Line]:
    """The parts left to build in each city, and the figures that stand there."""
    row, box = view.row, components
    broad = max(len(words.city(city)) for city in range(6))
    lit = _choices(view, "move") | _choices(view, "build")
    lines: list[Line] = [[(words.say("Cities: halls × copies left of each main (▣) and wing (+)"), HEAD)]]
    for city in range(6):
        closed = box.OPENS_AFTER[city] > row[F.counts]
        line: Line = [(f" {words.city(city).ljust(broad)} ", LIT if city in lit else QUIET if closed else "bold"), (" ", "")]
        for part in range(4):
            site = city * 4 + part
            if box.HALLS[site]:
                mark = "▣" if part == 0 else "+"
                left = row[F.supply + site]
                line.append((f"{mark}{box.HALLS[site]}×{left}  ", QUIET if closed or left == 0 else ""))
        if closed:
            line.append((words.say("opens after count {count}", count=box.OPENS_AFTER[city]) + " ", QUIET))
        for figure in range(3):
            if row[F.figure + figure] == city:
                line.append((f" {opening(words.role(rules.MAESTRO + figure))} ", "reverse"))
        lines.append(line)
    return lines


# The players.


def _player(view: View, words: Words, seat: int) -> list[Line]:
    """A player's points and purse, the pieces behind the screen, and every house, the great hall first."""
    row = view.row
    turn = seat in view.to_act
    who = words.say("{who} (you)", who=words.player(seat)) if seat == view.seat else words.player(seat)
    head: list[Line] = [
        [(f"{'▸' if turn else ' '}", HEAD), (f" {who} ", SEATS[seat])],
        [(words.points(row[F.points + seat]), "bold")],
        [(words.say("level {level}", level=row[F.level + seat]), "")],
    ]
    if view.outcome is None:
        coming = forecast(row, seat)
        head.append(
            [(words.say("next income {income}, next count {points}", income=coming.income, points=coming.points), QUIET)]
        )
    if composer := components.HOUSE_COMPOSERS[seat]:
        head.append([(words.say("house composer {name}", name=composer), QUIET)])
    lines = flow(head, 2)
    if row[F.screens] or view.outcome is not None or view.seat == seat:
        lines += _screen(view, words, seat)
    else:
        lines.append([("  " + words.say("screen closed"), QUIET)])
    broad = max(len(words.city(city)) for city in range(6))
    for city in range(6):
        halls = row[F.halls + seat * 6 + city]
        if halls == 0:
            continue
        great, side = row[F.great + seat * 6 + city], row[F.side + seat * 6 + city]
        line: Line = [
            (f"  {words.city(city).ljust(broad)} ", ""),
            ("«", HEAD),
            _chip(great) if great >= 0 else (" ·· ", QUIET),
            ("» ", HEAD),
        ]
        line += [_chip(piece) for piece in range(7) if side >> piece & 1]
        line.append((" ·· " * (halls - 1 - side.bit_count()), QUIET))
        if view.row[F.city] == city and view.row[F.turn] == seat:
            line.append((f" ◂ {row[F.hall] + 1}", HEAD))
        lines.append(line)
    return lines


def _screen(view: View, words: Words, seat: int) -> list[Line]:
    """The ducats and pieces behind a screen."""
    row = view.row
    line: Line = [("  " + words.say("behind the screen: {ducats}", ducats=words.ducats(row[F.ducats + seat])) + " ", "")]
    for piece in range(7):
        line += [_chip(piece)] * row[F.screen + seat * 7 + piece]
    return [line]
