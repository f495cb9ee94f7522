"""A view of Turandot drawn: as text for a terminal, in Rich's markup, no wider than 80 columns."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from ridotto.core.view import View
from ridotto.games.turandot.components import CATEGORY, DIRECTORS, FAVOURITE, MONEY, SEX, SEXES, SINGERS, STARS, TERMS, TROUPE
from ridotto.games.turandot.rules import CAST, NONE, NOTHING, ROUNDS, F, fictitious_total
from ridotto.games.turandot.ui.messages import ROLES, SEX_SIGNS
from ridotto.games.turandot.ui.words import Words
from ridotto.present.lines import Line, Piece, length, markup

WIDTH: Final = 80
QUIET, HEAD, GILT, ROSE, SKY, LIT = "dim", "bold", "yellow", "bold magenta", "cyan", "bold black on yellow"


def text(view: View, words: Words) -> str:
    """The cards under the roles, the directors, and what lies before each seat."""
    s = view.row
    lines = _heading(words, s)
    for position in range(6):
        card = s[F.offer + position]
        if card != NONE:
            lines += _line((f"  {position + 1} {ROLES[position]:<8} ", HEAD), _card(words, card), 14)
    for number in range(DIRECTORS):
        if s[F.pool] >> number & 1:
            lines += _line(("  ", ""), _director(words, number), 4)
    for seat in range(s[F.seats]):
        lines += _seat(view, words, seat)
    if s[F.seats] == 2:
        lines += _fictitious(view, words)
    return "\n".join(lines)


def _heading(words: Words, s: Sequence[int]) -> list[str]:
    facts: list[Line] = []
    if s[F.asked] == NOTHING:
        title = words.say("The match is over.")
    elif s[F.asked] == CAST:
        title = words.say("The roles are being cast.")
    else:
        title = words.say("Round {round} of {last}", round=s[F.round], last=ROUNDS)
        facts.append([(words.say("singers in the pile: {n}", n=sum(s[F.pile + number] for number in range(SINGERS))), QUIET)])
    if s[F.blind]:
        facts.append([(words.say("blind auditions"), QUIET)])
    return _line((title, HEAD), facts, 2)


def _seat(view: View, words: Words, seat: int) -> list[str]:
    """One seat: what it owns and has laid, its singers with their roles, its director."""
    s = view.row
    style = LIT if s[F.owing] >> seat & 1 else HEAD
    facts: list[Line] = []
    if view.outcome is not None:
        facts.append([(words.say("total {n}", n=view.outcome.scores[seat]), HEAD)])
    if s[F.puccini] == seat:
        facts.append([("Puccini", GILT)])
    facts.append([(words.say("money {coins}", coins="●" * s[F.money + seat] + "○" * (MONEY - s[F.money + seat])), "")])
    if s[F.elements + seat]:
        facts.append([(words.say("stage elements {n}", n=s[F.elements + seat]), "")])
    if s[F.shown + seat] >= 0:
        facts.append([(words.laid(s[F.shown + seat]), "")])
    elif s[F.pending + seat] >= 0:
        facts.append([(words.say("face down: {cards}", cards=words.laid(s[F.pending + seat])), "")])
    elif s[F.laid + seat] > 0:
        facts.append([(words.say("cards face down: {n}", n=s[F.laid + seat]), "")])
    name = words.say("{who} (you)", who=words.player(seat)) if seat == view.seat else words.player(seat)
    lines = _line((name, style), facts, 2)
    at = seat * TROUPE
    sung = {s[F.cast + at + role]: role for role in range(TROUPE)} | {s[F.casting + at + role]: role for role in range(TROUPE)}
    singers = [s[F.troupe + at + slot] for slot in range(TROUPE) if s[F.troupe + at + slot] != NONE]
    singers.sort(key=lambda one: sung.get(one, TROUPE))
    if singers:
        lines += _line(("  ", ""), [_singer(words, one, sung.get(one, NONE)) for one in singers], 2)
    if s[F.director + seat] != NONE:
        lines += _line(("  ", ""), _director(words, s[F.director + seat]), 4)
    return lines


def _fictitious(view: View, words: Words) -> list[str]:
    s = view.row
    total: list[Line] = []
    if view.outcome is not None:
        total.append([(words.say("total {n}", n=fictitious_total(list(s))), HEAD)])
    lines = _line((words.say("Fictitious troupe"), HEAD), total, 2)
    singers = [(s[F.fictitious + role], role) for role in range(TROUPE) if s[F.fictitious + role] != NONE]
    if singers:
        lines += _line(("  ", ""), [_singer(words, one, role) for one, role in singers], 2)
    if s[F.fictitious_director] != NONE:
        lines += _line(("  ", ""), _director(words, s[F.fictitious_director]), 4)
    return lines


# Cards.


def _card(words: Words, number: int) -> list[Line]:
    return [_singer(words, number)] if number < SINGERS else _director(words, number - SINGERS)


def _singer(words: Words, number: int, role: int = NONE) -> Line:
    """A singer's card; the favourite role is lit when it is the one being sung."""
    pieces = [(ROLES[role] + _colon(words), HEAD)] if role != NONE else []
    pieces += [(f"{words.singer(number)} ", ""), ("★" * STARS[number], GILT)]
    pieces.append((f" {words.category(CATEGORY[number])} {SEX_SIGNS[SEXES[SEX[number]]]}", ""))
    if FAVOURITE[number] != NONE:
        pieces.append((f" ♥{ROLES[FAVOURITE[number]]}", ROSE if FAVOURITE[number] == role else ""))
    return pieces


def _director(words: Words, number: int) -> list[Line]:
    pieces = [piece for term in TERMS[number] for piece in words.briefly(term)]
    return [[(words.director(number), SKY), (_colon(words), "")], *([(piece, "")] for piece in pieces)]


def _colon(words: Words) -> str:
    """The mark between a name and what it stands for: a French colon has a space before it."""
    return words.say("{card}: {cards}", card="", cards="")


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
