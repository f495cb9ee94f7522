"""A view of Turandot drawn: as text for a terminal, in Rich's markup, no wider than 80 columns."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from ridotto.core.lines import Line, Piece, length, markup
from ridotto.core.narrator import say
from ridotto.core.view import View
from ridotto.games.turandot.components import CATEGORY, DIRECTORS, FAVOURITE, SEX, SEXES, SINGERS, STARS, TERMS, TROUPE
from ridotto.games.turandot.rules import CAST, MONEY, NONE, NOTHING, ROUNDS, F, fictitious_total
from ridotto.games.turandot.words import ROLES, SEX_SIGNS, briefly, category, director, laid, place, singer

WIDTH: Final = 80
QUIET, HEAD, GILT, ROSE, SKY, LIT = "dim", "bold", "yellow", "bold magenta", "cyan", "bold black on yellow"


def text(view: View) -> str:
    """The cards under the roles, the directors, and what lies before each seat."""
    s = view.row
    lines = _heading(s)
    for position in range(6):
        card = s[F.offer + position]
        if card != NONE:
            lines += _line((f"  {position + 1} {ROLES[position]:<8} ", HEAD), _card(card), 14)
    for number in range(DIRECTORS):
        if s[F.pool] >> number & 1:
            lines += _line(("  ", ""), _director(number), 4)
    for seat in range(s[F.seats]):
        lines += _seat(view, seat)
    if s[F.seats] == 2:
        lines += _fictitious(view)
    return "\n".join(lines)


def _heading(s: Sequence[int]) -> list[str]:
    facts: list[Line] = []
    if s[F.asked] == NOTHING:
        title = say("The match is over.")
    elif s[F.asked] == CAST:
        title = say("The roles are being cast.")
    else:
        title = say("Round {round} of {last}", round=s[F.round], last=ROUNDS)
        facts.append([(say("singers in the pile: {n}", n=sum(s[F.pile + number] for number in range(SINGERS))), QUIET)])
    if s[F.blind]:
        facts.append([(say("blind auditions"), QUIET)])
    return _line((title, HEAD), facts, 2)


def _seat(view: View, seat: int) -> list[str]:
    """One seat: what it owns and has laid, its singers with their roles, its director."""
    s = view.row
    style = LIT if s[F.owing] >> seat & 1 else HEAD
    facts: list[Line] = []
    if view.outcome is not None:
        facts.append([(say("total {n}", n=view.outcome.scores[seat]), HEAD)])
    if s[F.puccini] == seat:
        facts.append([("Puccini", GILT)])
    facts.append([(say("money {coins}", coins="●" * s[F.money + seat] + "○" * (MONEY - s[F.money + seat])), "")])
    if s[F.elements + seat]:
        facts.append([(say("stage elements {n}", n=s[F.elements + seat]), "")])
    if s[F.shown + seat] >= 0:
        facts.append([(laid(s[F.shown + seat]), "")])
    elif s[F.pending + seat] >= 0:
        facts.append([(say("face down: {cards}", cards=laid(s[F.pending + seat])), "")])
    elif s[F.laid + seat] > 0:
        facts.append([(say("cards face down: {n}", n=s[F.laid + seat]), "")])
    name = say("{who} (you)", who=place(seat)) if seat == view.seat else place(seat)
    lines = _line((name, style), facts, 2)
    at = seat * TROUPE
    sung = {s[F.cast + at + role]: role for role in range(TROUPE)} | {s[F.casting + at + role]: role for role in range(TROUPE)}
    singers = [s[F.troupe + at + slot] for slot in range(TROUPE) if s[F.troupe + at + slot] != NONE]
    singers.sort(key=lambda one: sung.get(one, TROUPE))
    if singers:
        lines += _line(("  ", ""), [_singer(one, sung.get(one, NONE)) for one in singers], 2)
    if s[F.director + seat] != NONE:
        lines += _line(("  ", ""), _director(s[F.director + seat]), 4)
    return lines


def _fictitious(view: View) -> list[str]:
    s = view.row
    total: list[Line] = []
    if view.outcome is not None:
        total.append([(say("total {n}", n=fictitious_total(list(s))), HEAD)])
    lines = _line((say("Fictitious troupe"), HEAD), total, 2)
    singers = [(s[F.fictitious + role], role) for role in range(TROUPE) if s[F.fictitious + role] != NONE]
    if singers:
        lines += _line(("  ", ""), [_singer(one, role) for one, role in singers], 2)
    if s[F.fictitious_director] != NONE:
        lines += _line(("  ", ""), _director(s[F.fictitious_director]), 4)
    return lines


# Cards.


def _card(number: int) -> list[Line]:
    return [_singer(number)] if number < SINGERS else _director(number - SINGERS)


def _singer(number: int, role: int = NONE) -> Line:
    """A singer's card; the favourite role is lit when it is the one being sung."""
    pieces = [(ROLES[role] + _colon(), HEAD)] if role != NONE else []
    pieces += [(f"{singer(number)} ", ""), ("★" * STARS[number], GILT)]
    pieces.append((f" {category(CATEGORY[number])} {SEX_SIGNS[SEXES[SEX[number]]]}", ""))
    if FAVOURITE[number] != NONE:
        pieces.append((f" ♥{ROLES[FAVOURITE[number]]}", ROSE if FAVOURITE[number] == role else ""))
    return pieces


def _director(number: int) -> list[Line]:
    pieces = [piece for term in TERMS[number] for piece in briefly(term)]
    return [[(director(number), SKY), (_colon(), "")], *([(piece, "")] for piece in pieces)]


def _colon() -> str:
    """What stands between a name and what it stands for: a French colon has a space before it."""
    return say("{card}: {cards}", card="", cards="")


# Lines.


def _line(start: Piece, items: Sequence[Line], indent: int) -> list[str]:
    """Items after a beginning, with dots between them, in lines that do not break an item; the later ones indented."""
    lines: list[str] = []
    line = [start]
    for item in items:
        joint = "" if line[-1][0].endswith(" ") else " · "
        if len(line) > 1 and length(line) + len(joint) + length(item) > WIDTH:
            lines.append(markup(line).rstrip())
            line, joint = [(" " * indent, "")], ""
        line += [(joint, QUIET), *item]
    return [*lines, markup(line).rstrip()]
