"""A view of Le Fantôme drawn: as text for a terminal, in Rich's markup, no wider than 80 columns.

Everything is worked out from the view's own row, so that nobody is shown what they may not know.
"""

from __future__ import annotations

from typing import Final, TypeAlias

from ridotto.core.view import View
from ridotto.engine.fields import HIDDEN
from ridotto.games.fantome import components, rules
from ridotto.games.fantome.components import EXIT, ends
from ridotto.games.fantome.rules import F
from ridotto.games.fantome.ui.facts import announcements, face_down, members, turns
from ridotto.games.fantome.ui.messages import POWERS, ROOM_NAMES, SIDES
from ridotto.games.fantome.ui.words import Words
from ridotto.present.lines import Line, Piece, flow, markup
from ridotto.present.narrator import opening

Cells: TypeAlias = list[list[Piece]]
"""A drawing: rows of single characters, each with its style."""

ROOM: Final = 18
"""Columns of a room between its walls."""

HOUSE: Final = (
    "                   ╭──────────────────┬──────────────────╮                   ",
    "                   │                  │                  │                   ",
    "                   │                  │                  │                   ",
    "                   │                  │                  │                   ",
    "╭──────────────────┼──────────────────┼──────────────────┼──────────────────╮",
    "│                  │                  │                  │                  │",
    "│                  │                  │                  │                  │",
    "│                  │                  │                  │                  │",
    "├──────────────────┼──────────────────┼──────────────────┼──────────────────┤",
    "│                  │                  │                  │                  │",
    "│                  │                  │                  │                  │",
    "│                  │                  │                  │                  │",
    "╰──────────────────┴──────────────────┴──────────────────┴──────────────────╯",
)
AT: Final = ((3, 2), (2, 2), (1, 2), (0, 2), (3, 1), (2, 1), (1, 1), (0, 1), (2, 0), (1, 0))
"""The column and the floor of each room, from the upper left."""
OUTSIDE: Final = {
    (1, 0): ((9, 2, "╔═════════╡"), (9, 3, "║"), (8, 4, "╡║╞")),
    (2, 3): ((57, 2, "╞════════╗"), (66, 3, "║"), (65, 4, "╡║╞")),
}
"""Stairs along the roof, from a column of the upper floor to one of the middle: where each piece is drawn."""

TOKENS: Final = ("Ra", "Me", "Gi", "Bu", "Ch", "Mo", "Ri", "Pe")
COLOURS: Final = (
    "white on red3",
    "black on pink1",
    "white on dodger_blue3",
    "black on grey66",
    "white on grey15",
    "black on white",
    "white on purple4",
    "white on orange4",
)
"""As the printed pawns."""
WALL, QUIET = "dim", "dim"
GILT, HEAD = "yellow", "bold yellow"
LOCKED, ROSE, LIT = "bold white on red", "bold magenta", "bold black on yellow"
SIGNS: Final = ("○", "●")
"""The signs of the phantom's answers: "cannot manifest", "can manifest"."""


def text(view: View, words: Words) -> str:
    """The house, La Carlotta's track, the cards, the alibis, and what the announcement would bring."""
    blocks = (
        _house(view, words),
        _track(view, words),
        _cards(view, words) + _alibis(view, words),
        _deduction(view, words),
        _secrets(view, words),
    )
    return "\n\n".join("\n".join(map(markup, lines)) for lines in blocks if lines)


# The house.


def _house(view: View, words: Words) -> list[Line]:
    """The rooms with the people in them, and the ways between."""
    house = components.BOX["house"]
    cells: Cells = [[(char, WALL) for char in row] for row in HOUSE]
    for room in range(len(AT)):
        _furnish(words, cells, view, room, [b if a == room else a for a, b in map(ends, house["passages"]) if room in (a, b)])
    locked = house["corridors"][view.row[F.padlock]]
    undrawn = [way for way in house["corridors"] if not _open(cells, *ends(way), way == locked)]
    legend: list[Line] = [
        [("═", GILT), (" " + ", ".join([words.say("corridor"), *undrawn]), QUIET)],
        [(" ╳ ", LOCKED), (f" {words.say('padlock')} {locked}", QUIET)],
        [("~6", ROSE), (" " + words.say("secret passage (Meg)"), QUIET)],
        [("░ " + words.say("dark"), QUIET)],
        [("✓ " + words.say("cleared"), QUIET)],
    ]
    return [*cells, *flow(legend, 1)]


def _furnish(words: Words, cells: Cells, view: View, room: int, passages: list[int]) -> None:
    """Write a room's number, name, people and secret passages between its walls."""
    column, floor = AT[room]
    x, y = column * (ROOM + 1) + 1, floor * 4 + 1
    dark = view.row[F.dark] == room
    for row in range(y, y + 3):
        _write(cells, x, row, [(("░" if dark else " ") * ROOM, QUIET)])
    name = words.say(ROOM_NAMES[room])
    left, right = "‹›" if room in _targets(view) else "  "
    number = f"{left}{room}{right}" if len(name) + 3 <= ROOM else f"{room}{right}"
    _write(cells, x, y, [(number, LIT if left != " " else "bold"), (f"{name} "[: ROOM - len(number)], "")])
    here = [who for who in range(8) if view.row[F.place + who] == room]
    fits = 4 if len(here) <= 4 else 5
    for row, people in ((y + 1, here[:fits]), (y + 2, here[fits:])):
        _write(cells, x + 1, row, [_token(view, who, fits == 4) for who in people])
    signs = " ".join(f"~{other}" for other in passages)
    _write(cells, x + ROOM - 2 - len(signs), y + 2, [(signs, ROSE)])
    if dark:
        for row in range(y, y + 3):
            cells[row][x : x + ROOM] = [(char, _darkened(style)) for char, style in cells[row][x : x + ROOM]]


def _darkened(style: str) -> str:
    """The same style in a room without light: on black, whatever the terminal's own background."""
    return style if " on " in style else f"{ {'': 'white', 'bold': 'bold white', QUIET: 'grey50'}.get(style, style) } on grey3"


def _targets(view: View) -> set[int]:
    """The rooms that the viewing seat may choose now."""
    actions = rules.ACTIONS
    return {actions.argument(i) for i in view.legal if rules.ROOM in actions.family(i).of}


def _open(cells: Cells, a: int, b: int, locked: bool) -> bool:
    """Draw the corridor between two rooms, as a door or stairs; false where the drawing has no place for it."""
    (here, upper), (there, lower) = sorted((AT[a], AT[b]), key=lambda at: (at[1], at[0]))
    if upper == lower and there - here == 1:
        x, y, way = there * (ROOM + 1) - 1, upper * 4 + 3, "═╪═"
    elif here == there and lower - upper == 1:
        x, y, way = here * (ROOM + 1) + 8, lower * 4, "╡║╞"
    elif upper == 0 and (here, there) in OUTSIDE:
        x, y, way = 13 if there == 0 else 60, 2, "═══"
        for column, row, piece in OUTSIDE[here, there]:
            _write(cells, column, row, [(piece, GILT)])
    else:
        return False
    _write(cells, x, y, [(" ╳ ", LOCKED) if locked else (way, GILT)])
    return True


def _write(cells: Cells, x: int, y: int, line: Line) -> None:
    for piece, style in line:
        for char in piece:
            cells[y][x] = (char, style)
            x += 1


def _token(view: View, who: int, wide: bool = True, pointer: str = "▸") -> Piece:
    """A character as two letters in its colour; a cleared one pale with a tick, the one being played with a pointer."""
    suspect = view.row[F.suspects] >> who & 1
    sign = pointer if pointer and view.row[F.active] == who else "" if suspect else "✓"
    name = f"{sign or ' '}{TOKENS[who]} " if wide else f"{sign}{TOKENS[who]}".ljust(3)
    return name, f"bold {COLOURS[who]}" if suspect else QUIET


def _tokens(view: View, bits: int) -> Line:
    """A set of characters as a row of tokens."""
    return [_token(view, who, pointer="") for who in members(bits)] or [("–", QUIET)]


# La Carlotta's track.


def _track(view: View, words: Words) -> list[Line]:
    """Her spaces, where she stands, and where either announcement would take her."""
    space, start = view.row[F.carlotta], components.CENTRE + components.HANDICAP
    where = words.say("on space {space}, steps to the exit: {steps}", space=space, steps=EXIT - space)
    track: Line = []
    for number in range(EXIT + 1):
        name = f"{number:>2} " if number < EXIT else f" {words.say('exit')} "
        style = LIT if number == space else "bold" if number == EXIT else "cyan" if number <= start else ""
        track.append((name if number != space else " ♪ " if number < EXIT else f"♪{name[1:]}", style))
    marks = [""] * (EXIT + 1)
    for answer in announcements(view.row):
        if answer.left > 1 and view.outcome is None:
            marks[answer.space] += SIGNS[answer.can]
    lines: list[Line] = [[("La Carlotta ", HEAD), (where, QUIET)], track]
    if any(marks):
        lines.append([("".join(f"{sign:>2} " for sign in marks).rstrip(), HEAD)])
    return lines


# The cards.


def _cards(view: View, words: Words) -> list[Line]:
    """The turns, the cards face up with their powers, and those to come."""
    row, over = view.row, view.outcome is not None
    title: Line = [(words.say("Round {round}", round=row[F.round]), HEAD)]
    for turn, seat in enumerate(turns(row)):
        role = words.say(SIDES[seat])
        if turn == row[F.played] and not over:
            title += [("  ", ""), (f"▸{role} ", LIT)]
        else:
            title.append((f"  ✓{role} ", QUIET) if turn < row[F.played] + over else (f"   {role} ", ""))
    lines = [title]
    broad = max(len(words.who(who)) for who in range(8))
    for who in range(8):
        if row[F.offered] >> who & 1 or row[F.active] == who:
            name = opening(words.who(who)).ljust(broad)
            card: Line = [_token(view, who), (f" {name}", "bold" if row[F.active] == who else "")]
            lines += flow([card, [(f"{words.say(POWERS[who])} §5.{who + 1}", QUIET)]], 4)
    coming = _tokens(view, row[F.pile]) if row[F.pile] else [(words.say("four of all eight"), QUIET)]
    return lines if over else [*lines, [(words.say("next round:") + " ", QUIET), *coming]]


def _alibis(view: View, words: Words) -> list[Line]:
    """The alibi cards: shown, kept, and face down."""
    row = view.row
    kept, ghosts, down = row[F.kept], row[F.ghosts], face_down(row)
    lines: list[Line] = [
        [(words.say("Alibis"), HEAD), (" " + words.say("shown:") + " ", QUIET), *_tokens(view, row[F.shown])],
        [(words.tell(rules.PHANTOM, "kept by you: {count}", "kept by the phantom: {count}", count=kept), QUIET)],
        [(words.say("face down: {count} (phantom cards: {ghosts})", count=down, ghosts=ghosts), QUIET)],
    ]
    return flow(lines, 2)


# The deduction panel.


def _deduction(view: View, words: Words) -> list[Line]:
    """The suspects that either announcement would clear, and La Carlotta's space after it, if the round ended now."""
    if view.outcome is not None:
        return []
    lines: list[Line] = [[(words.say("If the round ended now:"), HEAD), ("  §6.2", QUIET)]]
    names = words.say("cannot manifest"), words.say("can manifest")
    broad = max(map(len, names))
    for answer in announcements(view.row):
        items: list[Line] = [[(f"{SIGNS[answer.can]} ", HEAD), (names[answer.can].ljust(broad), "bold")]]
        if answer.left == 0:
            items.append([(words.say("impossible: no suspect would be left"), QUIET)])
        elif answer.winner is None:
            items.append([(f"La Carlotta → {answer.space}", "bold")])
        else:
            items.append([(words.escape() if answer.winner == rules.PHANTOM else words.victory(answer.winner), "bold")])
        if answer.left:
            items.append([(words.say("suspects: {count}", count=answer.left), QUIET)])
            items.append([(words.say("cleared:") + " ", QUIET), *_tokens(view, answer.cleared)])
        lines += flow(items, broad + 4)
    return lines


def _secrets(view: View, words: Words) -> list[Line]:
    """The secrets of the phantom; everybody sees them at the end."""
    identity, held = view.row[F.identity], view.row[F.held]
    if identity == HIDDEN:
        return []
    name = words.who(identity)
    if view.outcome is not None:
        first = words.tell(rules.PHANTOM, "You were {who}.", "The phantom was {who}.", who=name)
    else:
        first = words.say("You are {who}.", who=name)
    lines: list[Line] = [
        [*_tokens(view, 1 << identity), (f" {first}", "bold")],
        [(words.say("alibis kept:") + " ", QUIET), *_tokens(view, held)],
    ]
    if view.outcome is None:
        sign = SIGNS[1 - (rules.watched(list(view.row)) >> identity & 1)]
        lines.insert(1, [(words.say("now you would say:") + " ", QUIET), (sign, HEAD)])
    return flow(lines, 2)
