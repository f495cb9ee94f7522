"""The panels of the casting: a stage with the roles, a bench with the reader's singers, and how far everybody is.

After the end, the best cast stands on the stage, and every troupe in its roles.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from ridotto.core.view import View
from ridotto.engine.fields import Seat
from ridotto.games.turandot.components import ROLE_SEX, SINGER_IDS, TROUPE
from ridotto.games.turandot.components import ROLES as ROLE_IDS
from ridotto.games.turandot.rules import CAST, NONE, A, F, fictitious_total
from ridotto.games.turandot.ui.messages import ROLES, points
from ridotto.games.turandot.ui.picture.cards import CARD, MINI, SHORT, TALL, singer_card, singer_title, small_singer
from ridotto.games.turandot.ui.picture.frames import drapes, frame, heading
from ridotto.games.turandot.ui.picture.people import people
from ridotto.games.turandot.ui.picture.plan import CARDS_ON_OFFER, HEAD, OFFER_TALL, ROW, SIZES
from ridotto.games.turandot.ui.picture.signs import SEX_SHAPES, light, mask, sign, tone
from ridotto.games.turandot.ui.picture.troupes import (
    FICTITIOUS,
    block,
    fictitious_ground,
    owner,
    panel_of,
    row,
    row_of_cards,
    troupe_panels,
)
from ridotto.games.turandot.ui.picture.worth import Troupe, best_for_next_role, brings, fit, starred, troupe_of
from ridotto.games.turandot.ui.words import Words
from ridotto.present.kit import EDGE, INNER, WIDE, Grid, badge, circle, drawing, lines, panel, path, rect
from ridotto.present.scene import Item, Layer
from ridotto.present.svg import group, seat_mark, tag, wrap, write

FREE: Final = {2: 226, 3: 411, 4: 250, 5: 258}
"""The height of the panel that stands where the hand and the places were, by the number of seats."""
PLACES: Final = Grid(3, 113, 71, gap=1, row_gap=1, x=EDGE - 1, y=30)
"""The roles on the stage, and the places on the bench."""
ACTOR: Final = 1.0
"""The scale of a singer's card there."""
BESIDE: Final = 52
"""The words beside it."""
HINT: Final = rect(2, 1, 109, 69, "hint", 6)
"""What a page lights around a singer who is best for the role, if it is asked to."""


def casting(view: View, words: Words) -> Layer:
    """A stage with six places, and how many roles each seat has cast."""
    tall, title = FREE[view.seats], words.say("Casting")
    items = [
        frame("standing", tall),
        Item("standing-heading", "standing", heading(words.say("The roles are being cast."))),
        frame("stage", OFFER_TALL),
        Item("stage-drapes", "stage", group(drapes(OFFER_TALL))),
        Item("stage-heading", "stage", _heading(title)),
        *(_role(role, "empty") for role in range(TROUPE)),
        frame("bench", OFFER_TALL),
        Item("bench-drapes", "bench", group(drapes(OFFER_TALL))),
        *_progress(view, words, tall),
    ]
    panels = [panel(name, title, WIDE, OFFER_TALL) for name in ("stage", "bench")]
    return Layer([*panels, panel("standing", title, WIDE, tall)], items)


def own_casting(view: View, words: Words) -> Layer:
    """The reader's singers in their roles, and those who have none on a bench: each can be given the next one."""
    s, seat = view.row, view.seat
    assert seat is not None
    cast = tuple(s[F.casting + seat * TROUPE : F.casting + seat * TROUPE + s[F.assigned + seat]])
    promised = (one.split()[1:] for one in view.noted if one.count(" ") == 2)
    early = tuple((ROLE_IDS.index(role), SINGER_IDS.index(one)) for role, one in promised)
    return Layer((), _own_stage(words.nameless(), troupe_of(s, seat), cast, early, casts_several(view)))


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
            look = light(PLACES.wide - 2, PLACES.tall - 2, 1, 1) + item.look
            item = item._replace(look=look, part=f"about={ROLE_IDS[role]}", label=ROLES[role])
        items.append(item)
        if role in singer_of:
            one, key = singer_of[role], f"role-{role}"
            items += [_actor(words, one, key), Item(f"sung-{role}", key, _sung(_surname(words, one), fit(one, role)))]
    return (*items, *_bench(words, troupe, cast, frozenset(singer_of.values()), is_free))


@drawing
def _heading(text: str, note: str = "") -> str:
    parts = [write(text, EDGE + 14, 21, 17, cls="title", anchor="start", within=200)]
    return group([*parts, write(note, WIDE - EDGE - 14, 21, 15.5, cls="bold", anchor="end", within=136)])


@drawing
def _role(role: int, state: str) -> Item:
    """A role with its light: empty, the next to be cast, or cast."""
    wide, tall = MINI * ACTOR, SHORT * ACTOR
    parts = [
        path("M14 0H40L54 70H0Z", "beam"),
        tag("ellipse", cx=28, cy=66, rx=27, ry=5, cls="beam"),
        write(ROLES[role], BESIDE, 16, 16, cls="name bold", anchor="start", within=PLACES.wide - BESIDE - 2),
        write(str(role + 1), BESIDE, 34, 15, cls="bold", anchor="start"),
        sign(SEX_SHAPES[ROLE_SEX[role]], BESIDE + 22, 28, 0.85, "litline"),
    ]
    if state != "cast":
        parts.append(rect(4, 3, wide, tall, "spent", 6))
    if state == "next":
        parts += [rect(2, 1, wide + 4, tall + 4, "glory", 7), write("?", 29, 45, 30, cls="title")]
    return Item(f"role-{role}", "stage", group(parts), *PLACES.place(role))


def _actor(words: Words, number: int, parent: str) -> Item:
    """A singer of the reader on the stage or the bench."""
    title = singer_title(words, number)
    return Item(f"actor-{SINGER_IDS[number]}", parent, small_singer(number), 4, 3, ACTOR, title=title)


def _sung(name: str, value: int) -> str:
    """Who sings a role, and what that brings besides the stars."""
    text = write(name, BESIDE, 51, 16, cls="name", anchor="start", within=PLACES.wide - BESIDE - 1)
    return group([text, _worth(value, BESIDE + 14, 62)])


def _surname(words: Words, number: int) -> str:
    """The last word of a name."""
    return words.singer(number).partition(" (")[0].split()[-1]


def _worth(value: int, x: float, y: float, cls: str = "capsule") -> str:
    """What a singer's role brings, besides the stars."""
    text = write(points(value), x, y + 5.5, 15.5, cls=f"bold {tone(value)}")
    return group([rect(x - 14, y - 9, 28, 18, cls, 9), text])


# The bench.


def _bench(words: Words, troupe: Troupe, cast: tuple[int, ...], on_stage: frozenset[int], is_free: bool) -> Iterator[Item]:
    """The reader's singers who have no role yet: each may be given the next one or, where it `is_free`, any."""
    role = len(cast)
    text = words.say("Who sings {role}?", role=ROLES[role]) if role < TROUPE else words.say("All your roles are cast.")
    now = starred(troupe) + sum(fit(one, role) for role, one in enumerate(cast))
    yield Item("bench-heading", "bench", _heading(text, words.say("stars and roles: {n}", n=now)))
    best = best_for_next_role(troupe, cast) if role < TROUPE else NONE
    for slot, one in enumerate(troupe):
        if one in on_stage:
            yield _bench_place(slot, "", -1)
            continue
        key, place = f"bench-{slot}", _bench_place(slot, words.singer(one).partition(" (")[0], A.cast + one)
        if is_free:
            place = place._replace(action=-1, ask=False, part=f"choice={SINGER_IDS[one]}", label=words.singer(one))
        yield place
        yield _actor(words, one, key)
        yield Item(f"worth-{slot}", key, _worth(fit(one, role), BESIDE + 14, 60))
        if one == best:
            yield Item("hint", key, HINT)


def _bench_place(slot: int, name: str, action: int) -> Item:
    """A place on the bench, with the name of a singer who can be cast; without a name, nobody is there any more."""
    wide, tall = PLACES.wide - 2, PLACES.tall - 2
    look = rect(1, 1, wide, tall, "spent", 8)
    if name:
        room = PLACES.wide - BESIDE - 3
        texts = lines(wrap(name, room, 15, "serif")[:3], BESIDE, 15, 16, 15, cls="name", anchor="start", within=room)
        look = group([light(wide, tall, 1, 1), rect(1, 1, wide, tall, "raised", 8), *texts])
    return Item(f"bench-{slot}", "bench", look, *PLACES.place(slot), action=action, ask=bool(name))


def _progress(view: View, words: Words, tall: float) -> Iterator[Item]:
    """How many roles each seat has cast."""
    step = min(70, (tall - 40) / view.seats)
    for seat, person in enumerate(people(words, view.seats)):
        look = _progress_of(seat, person.name, person.letter, view.row[F.assigned + seat])
        yield Item(f"progress-{seat}", "standing", look, EDGE, 38 + step * seat + step / 2)


@drawing
def _progress_of(seat: Seat, name: str, letter: str, assigned: int) -> str:
    parts = [
        seat_mark(seat, 16, 0, 28, letter),
        write(name, 38, 6, 17, cls="name bold", anchor="start", within=130),
        write(f"{assigned} / {TROUPE}", INNER - 6, 6, 16, cls="bold", anchor="end"),
        *(circle(184 + 18 * role, 0, 6, "gold" if role < assigned else "spent") for role in range(TROUPE)),
    ]
    return group(parts)


# After the end.


def castings(view: View, words: Words) -> Layer:
    """The best cast on the stage, and every troupe in its roles, with what each role brought."""
    s, outcome, tall = view.row, view.outcome, SIZES[view.seats].troupe
    assert outcome is not None
    order = sorted(range(view.seats), key=lambda seat: (seat not in outcome.winners, -outcome.scores[seat], seat))
    players, items = people(words, view.seats), list[Item]()
    for place, seat in enumerate(order):
        cast = tuple(s[F.cast + seat * TROUPE : F.cast + (seat + 1) * TROUPE])
        items.append(block(seat, players[seat].letter, place, tall)._replace(action=-1, ask=False))
        items += owner(seat, players[seat].name, s[F.puccini] == seat)
        items += _cast(words.nameless(), str(seat), cast, s[F.director + seat], outcome.scores[seat], tall)
    best, sign_of_best = (
        tuple(s[F.cast + order[0] * TROUPE :][:TROUPE]),
        seat_mark(order[0], 0, 0, 20, players[order[0]].letter),
    )
    if view.seats == 2:
        cast, total = tuple(s[F.fictitious : F.fictitious + TROUPE]), fictitious_total(list(s))
        items.append(Item(f"troupe-{FICTITIOUS}", panel_of(2), fictitious_ground(words.nameless(), tall)))
        items += _cast(words.nameless(), FICTITIOUS, cast, s[F.fictitious_director], total, tall)
        if not outcome.winners:
            best, sign_of_best = cast, mask(0, 0, 1, "gold")
    panels = [panel(f"finale-{number}", words.say("Casting"), WIDE, OFFER_TALL) for number in (1, 2)]
    return Layer([*panels, *troupe_panels(view.seats, words)], [*_finale(words.nameless(), best, sign_of_best), *items])


def _finale(words: Words, cast: Troupe, owner: str) -> Iterator[Item]:
    """A cast as large cards under its roles, with the mark of its owner."""
    for number in (1, 2):
        yield Item(f"finale-{number}-drapes", f"finale-{number}", group([*drapes(OFFER_TALL)]))
    for role, one in enumerate(cast):
        key, (x, y) = f"star-{role}", CARDS_ON_OFFER.place(role % ROW)
        heads = [
            *badge(str(role + 1), 12, 11, 11, 17, "gold", "name oncoin bold"),
            write(ROLES[role], 28, 16.5, 15, cls="name bold", anchor="start", within=60),
            group([owner], at=(100, 11)),
        ]
        yield Item(key, f"finale-{role // ROW + 1}", group(heads), x, y)
        if one == NONE:
            yield Item(f"{key}-card", key, rect(0, HEAD, CARD, TALL, "pit", 8))
        else:
            yield Item(f"{key}-card", key, singer_card(words, one), 0, HEAD, title=singer_title(words, one))
            yield Item(f"{key}-worth", key, _worth(fit(one, role), CARD - 20, HEAD + 62, "raised"))


def _cast(words: Words, troupe: str, cast: Troupe, director: int, total: int, tall: float) -> Iterator[Item]:
    """The cards of a troupe in their roles, what each role and the director brought, and the total."""
    places = row(tall, is_over=True)
    yield from row_of_cards(words, troupe, cast, director, places)
    below = SHORT * places.scale + 16
    parts = [write(str(total), WIDE - 14, 22, 21, cls="title bold", anchor="end")]
    x, y = places.director
    parts.append(write(points(brings(cast, director)), x, y + (104 if places.is_double else 31 + 16), 16, cls="bold"))
    for role, (one, (x, y)) in enumerate(zip(cast, places.singers, strict=True)):
        middle = x + MINI * places.scale / 2
        value = 0 if one == NONE else fit(one, role)
        parts.append(write(str(role + 1), middle - 12, y + below, 15.5, cls="quiet"))
        parts.append(write(points(value), middle + 10, y + below, 15.5, cls=f"bold {tone(value)}"))
    yield Item(f"result-{troupe}", f"troupe-{troupe}", group(parts))
