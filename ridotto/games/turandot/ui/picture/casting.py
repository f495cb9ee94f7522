"""The panel of the casting: a stage with the roles and a bench, and after the end every troupe in its roles."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from ridotto.core.view import View
from ridotto.engine.fields import Seat
from ridotto.games.turandot.components import ROLE_SEX, SINGER_IDS, TROUPE
from ridotto.games.turandot.components import ROLES as ROLE_IDS
from ridotto.games.turandot.rules import CAST, NONE, A, F, fictitious_total
from ridotto.games.turandot.ui.messages import ROLES, points
from ridotto.games.turandot.ui.picture.cards import MINI, SHORT, singer_title, small_singer
from ridotto.games.turandot.ui.picture.frames import CURTAIN, drapes, frame, heading
from ridotto.games.turandot.ui.picture.people import people
from ridotto.games.turandot.ui.picture.signs import SEX_SHAPES, light, sign, stroke, tone
from ridotto.games.turandot.ui.picture.troupes import FICTITIOUS, fictitious_ground, owner, row_of_cards
from ridotto.games.turandot.ui.picture.worth import Troupe, best_for_next_role, brings, fit, starred, troupe_of
from ridotto.games.turandot.ui.words import Words
from ridotto.present.kit import EDGE, INNER, WIDE, Grid, drawing, panel, path, rect
from ridotto.present.scene import Item, Layer
from ridotto.present.svg import group, measure, seat_mark, tag, write

STAGE: Final = 314
"""Where the stage ends, and the bench begins."""
BENCH: Final = 244
"""How high the bench is."""
PROGRESS: Final = 30
"""How high the line is that says how far everybody is."""
ROLE_PLACES: Final = Grid(3, 107, 122, x=EDGE + 10, y=62)
BENCH_PLACES: Final = Grid(3, 112, 102, gap=2, row_gap=4, x=EDGE, y=STAGE + 30)
HINT: Final = rect(4, 3, 104, 96, "hint", 6)
"""What a page lights around a singer who is best for the role, if it is asked to."""


def casting(view: View, words: Words) -> Layer:
    """A stage with six places, and how many roles each seat has cast."""
    tall = STAGE + PROGRESS
    items = [
        frame("casting", tall),
        Item("stage", "casting", _stage(words.say("The roles are being cast."))),
        *(_role(role, "empty") for role in range(TROUPE)),
        *_progress(view, words, STAGE),
    ]
    return Layer([panel("casting", words.say("Casting"), WIDE, tall)], items)


def own_casting(view: View, words: Words) -> Layer:
    """The reader's singers in their roles, and those who have none on a bench: each can be given the next one."""
    s, seat, tall = view.row, view.seat, STAGE + BENCH + PROGRESS
    assert seat is not None
    cast = tuple(s[F.casting + seat * TROUPE : F.casting + seat * TROUPE + s[F.assigned + seat]])
    promised = (one.split()[1:] for one in view.noted if one.count(" ") == 2)
    early = tuple((ROLE_IDS.index(role), SINGER_IDS.index(one)) for role, one in promised)
    items = [frame("casting", tall), *_progress(view, words, STAGE + BENCH)]
    items += _own_stage(words.nameless(), troupe_of(s, seat), cast, early, casts_several(view))
    return Layer([panel("casting", words.say("Casting"), WIDE, tall)], items)


def casts_several(view: View) -> bool:
    """Whether the reader casts several roles, in whatever order."""
    return bool(view.legal and view.row[F.asked] == CAST and len(view.legal) > 1)


# The stage.


@drawing
def _own_stage(
    words: Words, troupe: Troupe, cast: tuple[int, ...], early: tuple[tuple[int, int], ...], is_free: bool
) -> tuple[Item, ...]:
    """The roles and the bench: they stay as they are while others cast."""
    items, singer_of = [], {**dict(enumerate(cast)), **dict(early)}
    for role in range(TROUPE):
        item = _role(role, "cast" if role in singer_of else "next" if role == len(cast) else "empty")
        if is_free and role >= len(cast):
            look = light(96, 118, 8, -2) + item.look
            item = item._replace(look=look, part=f"about={ROLE_IDS[role]}", label=ROLES[role])
        items.append(item)
        if role in singer_of:
            one, key = singer_of[role], f"role-{role}"
            items += [_actor(words, one, key, 22), Item(f"sung-{role}", key, _sung(_surname(words, one), fit(one, role)))]
    return (*items, *_bench(words, troupe, cast, frozenset(singer_of.values()), is_free))


@drawing
def _stage(text: str) -> str:
    title = write(text, EDGE + 16, 52, 18, cls="title", anchor="start", within=INNER - 30)
    return group([*drapes(310), CURTAIN, title])


@drawing
def _role(role: int, state: str) -> Item:
    """A role with its light: empty, the next to be cast, or cast."""
    wide, tall = MINI * 1.25, SHORT * 1.25
    parts = [
        path("M44 0H68L104 112H8Z", "beam"),
        tag("ellipse", cx=56, cy=104, rx=46, ry=10, cls="beam"),
        write(f"{role + 1} {ROLES[role]}", 47, 14, 14, cls="name bold"),
        sign(SEX_SHAPES[ROLE_SEX[role]], 93, 9, 0.75, "litline"),
    ]
    if state != "cast":
        parts.append(rect(27, 22, wide, tall, "spent", 6))
    if state == "next":
        parts += [rect(25, 20, wide + 4, tall + 4, "glory", 7), write("?", 56, 70, 30, cls="title")]
    return Item(f"role-{role}", "casting", group(parts), *ROLE_PLACES.place(role))


def _actor(words: Words, number: int, parent: str, y: float) -> Item:
    """A singer of the reader on the stage or the bench."""
    title = singer_title(words, number)
    return Item(f"actor-{SINGER_IDS[number]}", parent, small_singer(number), 27, y, 1.25, title=title)


def _sung(name: str, value: int) -> str:
    """Who sings a role, and what that brings besides the stars."""
    return group([write(name, 56, 111, 12.5, cls="name", within=108), _worth(value, 98, 40)])


def _surname(words: Words, number: int) -> str:
    """A name, or its last word where there is too little room."""
    name = words.singer(number).partition(" (")[0]
    return name.split()[-1] if measure(name, 12.5, "serif") > 104 else name


def _worth(value: int, x: float, y: float) -> str:
    """What a singer's role brings, besides the stars."""
    text = write(points(value), x, y + 3, 14, cls=f"bold {tone(value)}")
    return group([rect(x - 13, y - 12, 26, 20, "capsule", 10), text])


# The bench.


def _bench(words: Words, troupe: Troupe, cast: tuple[int, ...], on_stage: frozenset[int], is_free: bool) -> Iterator[Item]:
    """The reader's singers who have no role yet: each may be given the next one or, where it `is_free`, any."""
    role = len(cast)
    text = words.say("Who sings {role}?", role=ROLES[role]) if role < TROUPE else words.say("All your roles are cast.")
    now = starred(troupe) + sum(fit(one, role) for role, one in enumerate(cast))
    yield Item("bench", "casting", _bench_heading(text, words.say("stars and roles: {n}", n=now)), 0, STAGE)
    best = best_for_next_role(troupe, cast) if role < TROUPE else NONE
    for slot, one in enumerate(troupe):
        if one in on_stage:
            yield _bench_place(slot, "", -1)
            continue
        key, place = f"bench-{slot}", _bench_place(slot, _surname(words, one), A.cast + one)
        if is_free:
            place = place._replace(action=-1, ask=False, part=f"choice={SINGER_IDS[one]}", label=words.singer(one))
        yield place
        yield _actor(words, one, key, 6)
        yield Item(f"worth-{slot}", key, _worth(fit(one, role), 98, 24))
        if one == best:
            yield Item("hint", key, HINT)


def _bench_heading(text: str, note: str) -> str:
    parts = [
        stroke(EDGE, 0, WIDE - EDGE, 0),
        write(text, EDGE + 2, 21, 16, cls="title", anchor="start", within=220),
        write(note, WIDE - EDGE - 2, 21, 13, cls="bold", anchor="end", within=116),
    ]
    return group(parts)


def _bench_place(slot: int, name: str, action: int) -> Item:
    """A place on the bench, with the name of a singer who can be cast; without a name, nobody is there any more."""
    wide, tall = 110, BENCH_PLACES.tall
    look = rect(1, 0, wide, tall, "spent", 8)
    if name:
        text = write(name, 56, 96, 12.5, cls="name", within=106)
        look = group([light(wide, tall, 1, 0), rect(1, 0, wide, tall, "raised", 8), text])
    return Item(f"bench-{slot}", "casting", look, *BENCH_PLACES.place(slot), action=action, ask=bool(name))


def _progress(view: View, words: Words, y: float) -> Iterator[Item]:
    """How many roles each seat has cast."""
    wide = INNER / view.seats
    for seat, person in enumerate(people(words, view.seats)):
        look = _progress_of(seat, person.letter, view.row[F.assigned + seat])
        yield Item(f"progress-{seat}", "casting", look, EDGE + wide * (seat + 0.5), y)


@drawing
def _progress_of(seat: Seat, letter: str, assigned: int) -> str:
    return group([seat_mark(seat, -20, 10, 21.6, letter), write(f"{assigned} / {TROUPE}", 12, 15, 14, cls="bold")])


# After the end.

TROUPES: Final = Grid(1, INNER, 124, row_gap=6, x=EDGE, y=44)


def castings(view: View, words: Words) -> Layer:
    """Every troupe in its roles, with what each role brought."""
    s, outcome = view.row, view.outcome
    assert outcome is not None
    order = sorted(range(view.seats), key=lambda seat: (seat not in outcome.winners, -outcome.scores[seat], seat))
    tall = TROUPES.y + TROUPES.height(view.seats + (view.seats == 2)) + 8
    items = [frame("casting", tall), Item("casting-heading", "casting", heading(words.say("Casting")))]
    for place, seat in enumerate(order):
        cast = tuple(s[F.cast + seat * TROUPE : F.cast + (seat + 1) * TROUPE])
        ground = group([rect(0, 0, INNER, TROUPES.tall, "raised", 8), seat_mark(seat, 15, 14, 17)])
        items.append(Item(f"troupe-{seat}", "casting", ground, *TROUPES.place(place)))
        items += owner(seat, people(words, view.seats)[seat].name, s[F.puccini] == seat)
        items += _cast(words.nameless(), str(seat), cast, s[F.director + seat], outcome.scores[seat])
    if view.seats == 2:
        cast, total = tuple(s[F.fictitious : F.fictitious + TROUPE]), fictitious_total(list(s))
        ground = fictitious_ground(words.nameless(), TROUPES.tall)
        items.append(Item(f"troupe-{FICTITIOUS}", "casting", ground, *TROUPES.place(view.seats)))
        items += _cast(words.nameless(), FICTITIOUS, cast, s[F.fictitious_director], total)
    return Layer([panel("casting", words.say("Casting"), WIDE, tall)], items)


def _cast(words: Words, troupe: str, cast: Troupe, director: int, total: int) -> Iterator[Item]:
    """The cards of a troupe under their roles, what each role and the director brought, and the total."""
    yield from row_of_cards(words, troupe, cast, director, 42)
    parts = [
        write(str(total), INNER - 10, 21, 20, cls="title bold", anchor="end"),
        write(points(brings(cast, director)), INNER - 25, 118, 14, cls="bold"),
    ]
    for role, one in enumerate(cast):
        x = 3 + role * (MINI + 2) + MINI / 2
        parts.append(write(ROLES[role], x, 38, 12, cls="quiet"))
        if one != NONE and (value := fit(one, role)):
            parts.append(write(points(value), x, 118, 14, cls=f"bold {tone(value)}"))
    yield Item(f"result-{troupe}", f"troupe-{troupe}", group(parts))
