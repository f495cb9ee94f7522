"""La Carlotta's track: her spaces, her place on them, her last walk, and where either answer would take her."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from ridotto.core.view import Seen, View
from ridotto.games.fantome.components import CENTRE, EXIT, HANDICAP
from ridotto.games.fantome.rules import F
from ridotto.games.fantome.ui.facts import Announcement
from ridotto.games.fantome.ui.picture.plan import WIDE
from ridotto.games.fantome.ui.picture.signs import answer_sign
from ridotto.games.fantome.ui.words import Words
from ridotto.present.kit import blank, circle, drawing, line, path, rect
from ridotto.present.scene import Item
from ridotto.present.svg import Svg, tag, write

TRACK_TALL: Final = 150
BASE: Final = 102
"""The lower edge of the spaces, nearly."""
EXIT_WIDE: Final = 84
PITCH: Final = (WIDE - 24 - EXIT_WIDE) / EXIT
MIDDLES: Final = (*(12 + (number + 0.5) * PITCH for number in range(EXIT)), WIDE - 12 - EXIT_WIDE / 2)
"""The middle of each space, and of the exit."""
MARK_WIDE: Final = 64
"""A sign and a number of two figures, with some room between this mark and the next."""
DIVA: Final = Svg(
    '<path class="gown" d="M-22 0Q-12-16-8-30Q-13-36-8-41Q0-45 8-41Q13-36 8-30Q12-16 22 0Z"/>'
    '<path class="gown" d="M-8-51A8 8 0 1 1 8-51A8 8 0 1 1-8-51Z"/><path class="gown" d="M-17-56Q0-66 17-56Q0-52-17-56Z"/>'
    '<path class="plume" d="M4-60Q8-76 22-74Q20-62 8-58Z"/><path class="plume" d="M10-32L26-42Q30-34 27-26Z"/>'
)
DIVA_SCALE: Final = 0.58
STUD: Final = tag("circle", cls="stud", cy=-8, r=3)
WALKS: Final = ("ghost", "steps")
"""The events that move La Carlotta."""


def carpet() -> str:
    """The spaces of the track; what is on every fifth may change."""
    parts = [blank(WIDE, TRACK_TALL, "panel", 10)]
    parts.append(write("La Carlotta", 20, 26, 24, cls="title", anchor="start"))
    parts.append(rect(8, BASE - 32, WIDE - 16, 40, "carpet", 4))
    for number in range(EXIT):
        cls = "start" if number <= CENTRE + HANDICAP else "step"
        parts.append(rect(12 + number * PITCH + 1, BASE - 28, PITCH - 2, 32, cls, 3))
        if number % 5:
            parts.append(circle(MIDDLES[number], BASE - 12, 3, "stud"))
    return "".join(parts)


def track_items(
    view: View, words: Words, history: Sequence[Seen], last: Sequence[Seen], answers: Sequence[Announcement]
) -> Iterator[Item]:
    """La Carlotta on her spaces, and where either answer would take her.

    `history` has the events in effect, the latest first; `last` those of the last action, in order.
    """
    space = view.row[F.carlotta]
    where = words.say("on space {space}, steps to the exit: {steps}", space=space, steps=EXIT - space)
    yield Item("where", "track", line(where, 22, "quiet", "end", WIDE - 300), WIDE - EXIT_WIDE - 24, 24)
    for number in range(0, EXIT, 5):
        look = STUD if abs(number - space) < 2 else line(str(number), 24, "strong")
        yield Item(f"number-{number}", "track", look, MIDDLES[number], BASE - 4)
    if space < EXIT:
        yield Item("here", "track", _here(space), MIDDLES[space])
    yield Item("exit", "track", _exit(words.say("exit") if space < EXIT else ""))
    if view.outcome is None:
        yield from _landings(words, answers)
    if walk := _walk(view, history, last):
        yield Item("walk", "track", walk)
    y = BASE - (29 if space < EXIT else 8)
    yield Item("carlotta", "track", DIVA, round(MIDDLES[space], 1), y, DIVA_SCALE, title=f"La Carlotta, {where}")


@drawing
def _here(number: int) -> str:
    """La Carlotta's space."""
    lit = rect(1 - PITCH / 2, BASE - 28, PITCH - 2, 32, "here", 3)
    return lit + write(str(number), 0, BASE - 4, 24, cls="onhere")


@drawing
def _exit(text: str) -> str:
    """The door at the end of the track, with a word on it."""
    left, right, middle = WIDE - 12 - EXIT_WIDE, WIDE - 12, MIDDLES[EXIT]
    rays = "".join(
        f"M{middle} {BASE - 38}L{middle + side} {BASE - 62 - 8 * (abs(side) < 20)}" for side in (-30, -16, 0, 16, 30)
    )
    door = path(f"M{left} {BASE + 4}V{BASE - 64}Q{middle} {BASE - 90} {right} {BASE - 64}V{BASE + 4}Z", "exit")
    word = write(text, middle, BASE - 8, 24, cls="onexit", within=EXIT_WIDE - 16) if text else ""
    return door + path(f"M{left} {BASE - 38}H{right}{rays}", "line") + word


# Where the answers would take her.


def _landings(words: Words, answers: Sequence[Announcement]) -> Iterator[Item]:
    """The spaces to which the answers would take her: an arrow, a sign for each answer, and the number of the space."""
    marks: dict[int, list[int]] = {}
    for answer in answers:
        if answer.left > 1:
            marks.setdefault(answer.space, []).append(answer.can)
    landings = sorted(marks)
    for landing, x in zip(landings, _apart([MIDDLES[landing] for landing in landings]), strict=True):
        at = MIDDLES[landing]
        yield Item(f"landing-{marks[landing][0]}", "track", _landing(landing, round(x - at, 1)), at)
        for i, can in enumerate(marks[landing]):
            yield answer_sign(words, can, f"landing-sign-{can}", "track", round(x - 18 - i * 30, 1), BASE + 33)


@drawing
def _landing(landing: int, shift: float) -> str:
    """An arrow, and the number of a space that is not the exit."""
    arrow = path(f"M-6 {BASE + 18}H6L0 {BASE + 9}Z", "point")
    return arrow + (write(str(landing), shift, BASE + 41, 25, cls="strong", anchor="start") if landing < EXIT else "")


def _apart(middles: Sequence[float]) -> list[float]:
    """The places of the marks of at most two landings, from left to right: clear of one another and of the edges."""
    places = [min(x, WIDE - 50) for x in middles]
    if len(places) == 2:
        missing = max(0.0, MARK_WIDE - (places[1] - places[0]))
        right = min(places[1] + missing / 2, WIDE - 50)
        places = [min(places[0], right - MARK_WIDE), right]
    return places


# Her last walk.


def _walk(view: View, history: Sequence[Seen], last: Sequence[Seen]) -> str:
    """Her walk in the last action, from space to space: for a phantom card and at the end of a round."""
    walk = [one.values["space"] for one in last if one.event.name in WALKS]
    if not walk:
        return ""
    earlier = [one.values["space"] for one in history if one.event.name in WALKS][len(walk) :]
    hops = ""
    before = earlier[0] if earlier else _first_space(view, history)
    for space in walk:
        if before not in (None, space):
            x, x2 = MIDDLES[before], MIDDLES[space]
            hops += f"M{x:.0f} {BASE - 30}Q{(x + x2) / 2:.0f} {BASE - 64} {x2:.0f} {BASE - 30}"
        before = space
    return path(hops, "trace") if hops else ""


def _first_space(view: View, history: Sequence[Seen]) -> int | None:
    """Her space before her first walk; None if the view does not have the beginning of the match."""
    return CENTRE + view.row[F.handicap] if any(one.event.name == "placed" for one in history) else None
