"""Le Fantôme de l'Opéra: the rulebook in order, as functions over one row."""

from __future__ import annotations

from ridotto.engine.build import compiled, constants
from ridotto.engine.dice import allow, clear, draw, draw_from, emit, lowest, nth, ones
from ridotto.engine.fields import (
    FLAG,
    HIDDEN,
    NUMBER,
    Action,
    Actions,
    Arg,
    Codes,
    Dice,
    Event,
    EventCodes,
    Events,
    Field,
    Fields,
    Kind,
    Mask,
    Named,
    Option,
    Row,
    Seat,
    seats_kind,
    set_of,
)
from ridotto.games.fantome.components import (
    CENTRE,
    CHARACTERS,
    CLOCKWISE_LOCK,
    CORRIDOR_NAMES,
    CROWD,
    DISTANCE,
    EXIT,
    HANDICAP,
    NEXT,
    OUTER,
    PHANTOM_CARDS,
    REACH,
    REACH_OF_MEG,
    ROOMS,
    START,
)

VERSION = 1
SEATS = (2, 2)
INSPECTOR, PHANTOM = 0, 1
RAOUL, MEG, GIRY, BUQUET, CHRISTINE, MONCHARMIN, RICHARD, PERSAN = range(8)
PEOPLE = len(CHARACTERS)
EVERYBODY = (1 << PEOPLE) - 1
CARDS = PEOPLE // 2
"""Cards of a round: four, or half of the characters of a smaller box."""
NOBODY = -1
LONGEST = (EXIT - 1 + PHANTOM_CARDS) // 2 + 1
"""Rounds: each moves La Carlotta on by at least 2, and each phantom card back by 1 at most; 12 with the real track."""

# What can be asked of a player in the middle of a round.
PICK, MOVE, LOCK, DARK, POWER, SEND, COMPANION, LEAVE, NOTHING = range(9)

SEAT = seats_kind(2)
CHARACTER = Kind("character", CHARACTERS)
CAST = set_of(CHARACTER)
ROOM = Kind("room", tuple(str(room) for room in range(ROOMS)))
CORRIDOR = Kind("corridor", CORRIDOR_NAMES)
ASKED = Kind("question", ("pick", "move", "lock", "dark", "power", "send", "companion", "leave", "nothing"))

OPTIONS = (
    Option(
        "handicap",
        "2.6",
        "spaces that La Carlotta starts nearer to the exit (for a stronger inspector) or, below zero, farther from it",
        -HANDICAP,
        HANDICAP,
    ),
)

ENDINGS = Codes.of(
    "Endings",
    Named("cleared", "7.1", "one suspect is left at the end of a round"),
    Named("alibi", "7.1", "one suspect is left through an alibi"),
    Named("exit", "7.2", "La Carlotta reaches the exit at the end of a round"),
    Named("fright", "7.2", "La Carlotta reaches the exit through a phantom card"),
)
END = ENDINGS.codes

FIELDS = Fields.of(
    VERSION,
    SEATS,
    OPTIONS,
    Field("round", NUMBER, "round being played; odd ones begin with the inspector", low=1, high=LONGEST),
    Field("played", NUMBER, "cards played to their end in this round", high=CARDS - 1),
    Field("asked", ASKED, "what the seat to act must decide"),
    Field("active", CHARACTER, "character being played", low=NOBODY),
    Field("place", ROOM, "room of each character", of=(CHARACTER,)),
    Field("offered", CAST, "cards face up, still to be played in this round"),
    Field("pile", CAST, "cards still to come, all in the next round"),
    Field("suspects", CAST, "characters not cleared"),
    Field("padlock", CORRIDOR, "locked corridor"),
    Field("unlocked", CORRIDOR, "corridor that Madame Giry has just unlocked and may still have walked through", low=-1),
    Field("dark", ROOM, "room without light"),
    Field("carlotta", NUMBER, "La Carlotta's space", high=EXIT),
    Field("companion", CHARACTER, "character the Persian takes along", low=NOBODY),
    Field("expelled", CAST, "characters that Moncharmin still has to send away"),
    Field("ghosts", NUMBER, "phantom cards left among the alibis", high=PHANTOM_CARDS),
    Field("shown", CAST, "characters whose alibi the inspector has turned up"),
    Field("kept", NUMBER, "alibis the phantom keeps", high=PEOPLE - 1),
    Field("ending", NUMBER, "how the match ended, 0 while it goes on", high=len(ENDINGS), live=0),
    Field("identity", CHARACTER, "who the phantom is", audience="owner", owner=PHANTOM),
    Field("held", CAST, "whose alibis the phantom keeps", audience="owner", owner=PHANTOM),
)
F = FIELDS.F
QUESTION, ROUND = F.asked, F.round

ACTIONS = Actions.of(
    Action("pick", "3.3", "choose the character to play", (CHARACTER,)),
    Action("move", "4.1", "move the character being played to a room", (ROOM,)),
    Action("lock", "5.3", "put the padlock on another corridor", (CORRIDOR,)),
    Action("use", "5.5", "use the optional power: pull (§5.5) or send away (§5.6)"),
    Action("decline", "5.5", "do not use the optional power"),
    Action("alone", "5.8", "the Persian takes nobody along"),
    Action("dark", "5.4", "bring the blackout to another room", (ROOM,)),
    Action("send", "5.6", "send the next expelled character to a room beside", (ROOM,)),
    Action("leave", "5.8", "set the Persian's companion down in a room", (ROOM,)),
    Action("swap", "5.7", "Richard changes places with a character", (CHARACTER,)),
    Action("take", "5.8", "the Persian takes a character along", (CHARACTER,)),
)
A = ACTIONS.A
# A family ends where the next begins: `apply`, `refuses` and `legal` go by this order.
assert " ".join(A._fields) == "pick move lock use decline alone dark send leave swap take"
assert A.decline == A.use + 1

EVENTS = EventCodes.of(
    Event("placed", "2.3", "a character starts in a room", (Arg("who", CHARACTER), Arg("room", ROOM))),
    Event("darkened", "5.4", "a room loses its light", (Arg("room", ROOM),)),
    Event("locked", "5.3", "a corridor is locked", (Arg("corridor", CORRIDOR),)),
    Event("masked", "2.7", "the phantom learns who they are", (Arg("seat", SEAT), Arg("who", CHARACTER, "owner"))),
    Event("offers", "3.1", "the four cards of a round", (Arg("round", NUMBER), Arg("cards", CAST))),
    Event("picks", "3.3", "a player chooses a character", (Arg("seat", SEAT), Arg("who", CHARACTER))),
    Event("moves", "4.1", "a character moves on its own feet", (Arg("who", CHARACTER), Arg("start", ROOM), Arg("room", ROOM))),
    Event("pulled", "5.5", "Christine pulls everybody beside her into her room", (Arg("who", CAST), Arg("room", ROOM))),
    Event("sent", "5.6", "Moncharmin sends a character away", (Arg("who", CHARACTER), Arg("room", ROOM))),
    Event("swaps", "5.7", "Richard changes places with a character", (Arg("who", CHARACTER),)),
    Event("joins", "5.8", "the Persian takes a character along", (Arg("who", CHARACTER),)),
    Event("left", "5.8", "the Persian's companion is set down", (Arg("who", CHARACTER), Arg("room", ROOM))),
    Event("declines", "3.3", "an optional power is not used", (Arg("seat", SEAT), Arg("who", CHARACTER))),
    Event("shows", "5.1", "the inspector turns an alibi up", (Arg("who", CHARACTER), Arg("new", FLAG))),
    Event("keeps", "5.1", "the phantom keeps an alibi", (Arg("seat", SEAT), Arg("who", CHARACTER, "owner"))),
    Event("ghost", "5.1", "a phantom card moves La Carlotta", (Arg("seat", SEAT), Arg("space", NUMBER))),
    Event("announces", "6.1", "the phantom says whether they can manifest", (Arg("can", FLAG),)),
    Event("clears", "6.2", "suspects are cleared", (Arg("who", CAST),)),
    Event("steps", "6.3", "La Carlotta moves on", (Arg("steps", NUMBER), Arg("space", NUMBER))),
    Event(
        "caught", "7.1", "the inspector wins, and the phantom shows everything", (Arg("who", CHARACTER), Arg("alibis", CAST))
    ),
    Event("fled", "7.2", "the phantom wins, and shows everything", (Arg("who", CHARACTER), Arg("alibis", CAST))),
)
E = EVENTS.E

REASONS = Codes.of(
    "Reasons",
    Named("over", "7"),
    Named("wait", "3.2"),
    Named("not_asked", "3.3"),
    Named("not_offered", "3.1"),
    Named("stays", "4.1"),
    Named("too_far", "4.1"),
    Named("same_corridor", "5.3"),
    Named("same_room", "5.4"),
    Named("not_beside", "5.6"),
    Named("no_swap", "5.7"),
    Named("swap_first", "5.7"),
    Named("not_here", "5.8"),
    Named("not_back", "5.8"),
)
R = REASONS.codes

PARTS = Codes.of("Parts", Named("win", "7", "1 for the winner"))

FAULTS = Codes.of(
    "Faults",
    Named("cards", "3.1", "cards on the table and in the pile do not fit the round and the cards played"),
    Named("question", "3.3", "what is asked does not fit the character being played"),
    Named("identity", "2.7", "the phantom's character is not a suspect, or its alibi was seen"),
    Named("alibis", "5.1", "an alibi lies in two places, or the number kept by the phantom is wrong"),
    Named("shown", "5.1", "a character whose alibi was shown is still a suspect"),
    Named("suspects", "7.1", "the number of suspects does not fit the way the match stands"),
    Named("exit", "7.2", "La Carlotta's space does not fit the way the match stands"),
    Named("round", "6.3", "La Carlotta has not moved as far as so many rounds make her"),
    Named("padlock", "5.3", "the padlock's former corridor is noted although Madame Giry is not about to move"),
    Named("expelled", "5.6", "someone to be sent away is not in Moncharmin's room"),
    Named("companion", "5.8", "the Persian's companion does not fit what is asked"),
)
BROKEN = FAULTS.codes


# The table of contents.


@compiled
def apply(s: Row, seat: Seat, action: int, dice: Dice, events: Events) -> None:
    """Do a legal action."""
    if action < A.move:
        pick(s, seat, action - A.pick, events)
    elif action < A.lock:
        move(s, seat, action - A.move, dice, events)
    elif action < A.use:
        lock(s, action - A.lock, events)
    elif action == A.use:
        if s[F.active] == CHRISTINE:
            pull(s, dice, events)
        else:
            expel(s)
    elif action == A.decline:
        decline(s, seat, dice, events)
    elif action == A.alone:
        go_alone(s)
    elif action < A.send:
        darken(s, action - A.dark, dice, events)
    elif action < A.leave:
        send(s, action - A.send, dice, events)
    elif action < A.swap:
        leave(s, action - A.leave, events)
    elif action < A.take:
        swap(s, action - A.swap, dice, events)
    else:
        take(s, action - A.take, events)


@compiled
def refuses(s: Row, seat: Seat, action: int) -> int:
    """The reason why an action is not allowed, or 0."""
    if s[F.ending] != 0:
        return R.over
    if to_act(s) != 1 << seat:
        return R.wait
    if action < A.move:
        return may_pick(s, action - A.pick)
    if action < A.lock:
        return may_move(s, action - A.move)
    if action < A.use:
        return may_lock(s, action - A.lock)
    if action < A.alone:
        return may_use(s)
    if action == A.alone:
        return may_go_alone(s)
    if action < A.send:
        return may_darken(s, action - A.dark)
    if action < A.leave:
        return may_send(s, action - A.send)
    if action < A.swap:
        return may_leave(s, action - A.leave)
    if action < A.take:
        return may_swap(s, action - A.swap)
    return may_take(s, action - A.take)


@compiled
def legal(s: Row, seat: Seat, mask: Mask) -> None:
    """All that a seat may do now."""
    clear(mask)
    if to_act(s) != 1 << seat:
        return
    asked = s[F.asked]
    if asked == PICK:
        allow(mask, A.pick, s[F.offered])
    elif asked == MOVE:
        allow(mask, A.move, destinations(s))
        if s[F.active] == RICHARD:
            allow(mask, A.swap, partners(s))
    elif asked == LOCK:
        allow(mask, A.lock, ((1 << len(CORRIDOR_NAMES)) - 1) & ~(1 << s[F.padlock]))
    elif asked == DARK:
        allow(mask, A.dark, ((1 << ROOMS) - 1) & ~(1 << s[F.dark]))
    elif asked == POWER:
        allow(mask, A.use, 3)
    elif asked == SEND:
        allow(mask, A.send, NEXT[s[F.padlock] * ROOMS + s[F.place + MONCHARMIN]])
    elif asked == COMPANION:
        allow(mask, A.alone, 1)
        allow(mask, A.take, company(s, PERSAN))
    else:
        allow(mask, A.leave, REACH[(s[F.padlock] * ROOMS + s[F.place + PERSAN]) * CROWD + ones(company(s, PERSAN)) + 1])


# §2 Setting up.


@compiled
def deal(s: Row, seats: int, options: Row, dice: Dice, events: Events) -> None:
    """Lay out the table, in the order of the rulebook."""
    # §2.1 Who sits where. The inspector has the first seat, the phantom the second.
    s[F.version] = VERSION
    s[F.seats] = seats

    # §2.2 The house. It is printed: see components.toml.

    # §2.3 The characters. Each starts in an outer room of its own, a suspect.
    outer = OUTER
    for who in range(PEOPLE):
        room = START[who] if START[who] >= 0 else draw_from(dice, outer)
        outer &= ~(1 << room)
        s[F.place + who] = room
        emit(events, E.placed, who, room)
    s[F.suspects] = EVERYBODY

    # §2.4 The blackout. It begins where Joseph Buquet is.
    s[F.dark] = s[F.place + BUQUET]
    emit(events, E.darkened, s[F.dark])

    # §2.5 The padlock. It hangs on the corridor from Madame Giry's room to the next one clockwise.
    s[F.padlock] = CLOCKWISE_LOCK[s[F.place + GIRY]]
    emit(events, E.locked, s[F.padlock])

    # §2.6 La Carlotta and the handicap. She starts in the centre of her seven spaces, or up to three beside it.
    s[F.handicap] = options[0]
    s[F.carlotta] = CENTRE + options[0]

    # §2.7 The phantom's identity. One character's alibi is drawn and hidden: that character has none.
    s[F.identity] = draw(dice, PEOPLE)
    emit(events, E.masked, PHANTOM, s[F.identity])
    s[F.ghosts] = PHANTOM_CARDS

    s[F.active] = NOBODY
    s[F.unlocked] = -1
    s[F.companion] = NOBODY
    s[F.round] = 1
    open_round(s, dice, events)


# §3.1 The four cards.


@compiled
def open_round(s: Row, dice: Dice, events: Events) -> None:
    """Odd rounds draw four of the eight cards; even rounds take the other four."""
    if s[F.round] & 1:
        pile = EVERYBODY
        for _ in range(CARDS):
            pile &= ~(1 << draw_from(dice, pile))
        s[F.offered] = EVERYBODY & ~pile
        s[F.pile] = pile
    else:
        s[F.offered] = s[F.pile]
        s[F.pile] = 0
    s[F.played] = 0
    s[F.asked] = PICK
    emit(events, E.offers, s[F.round], s[F.offered])


# §3.2 Who plays when.


@compiled
def to_act(s: Row) -> int:
    """One plays the first card, the other two, the first the last; the inspector begins the odd rounds."""
    if s[F.ending] != 0:
        return 0
    second = (((s[F.played] + 1) >> 1) ^ s[F.round] ^ 1) & 1
    return 1 << second


# §3.3 Playing a character.
# Ruling: a power that would have no effect is not asked about.


@compiled
def may_pick(s: Row, who: int) -> int:
    """A player chooses among the cards that are face up."""
    if s[F.asked] != PICK:
        return R.not_asked
    if not s[F.offered] >> who & 1:
        return R.not_offered
    return 0


@compiled
def pick(s: Row, seat: Seat, who: int, events: Events) -> None:
    """The card leaves the table and its character is played: it moves, and uses its power as its § says."""
    s[F.offered] = s[F.offered] & ~(1 << who)
    s[F.active] = who
    emit(events, E.picks, seat, who)
    if who == GIRY:
        s[F.asked] = LOCK
    elif who == PERSAN and company(s, PERSAN) != 0:
        s[F.asked] = COMPANION
    else:
        s[F.asked] = MOVE


@compiled
def may_use(s: Row) -> int:
    """An optional power is used or declined when it is offered."""
    if s[F.asked] != POWER:
        return R.not_asked
    return 0


@compiled
def decline(s: Row, seat: Seat, dice: Dice, events: Events) -> None:
    """An optional power may be left unused."""
    emit(events, E.declines, seat, s[F.active])
    finish(s, dice, events)


@compiled
def finish(s: Row, dice: Dice, events: Events) -> None:
    """A character has been played; after the fourth the round ends (a smaller box has fewer cards)."""
    s[F.active] = NOBODY
    s[F.companion] = NOBODY
    if s[F.played] == CARDS - 1:
        close_round(s, dice, events)
    else:
        s[F.played] = s[F.played] + 1
        s[F.asked] = PICK


# §4.1 How far.


@compiled
def company(s: Row, who: int) -> int:
    """Everybody else in a character's room."""
    here = 0
    for other in range(PEOPLE):
        if s[F.place + other] == s[F.place + who]:
            here |= 1 << other
    return here & ~(1 << who)


@compiled
def destinations(s: Row) -> int:
    """One room at least, and at most as many as there were people in the room at the start; never back to the start."""
    who = s[F.active]
    at = s[F.padlock] * ROOMS + s[F.place + who]
    people = ones(company(s, who)) + 1
    if who == MEG:
        return REACH_OF_MEG[at * CROWD + people]
    if who == GIRY:
        before = s[F.unlocked] * ROOMS + s[F.place + who]
        return REACH[at * CROWD + people] | REACH[before * CROWD + people]
    if who == PERSAN and s[F.companion] != NOBODY:
        return onward(s, people)
    return REACH[at * CROWD + people]


@compiled
def may_move(s: Row, room: int) -> int:
    """A character must leave its room and may not go farther than its company allows."""
    if s[F.asked] != MOVE:
        return R.not_asked
    if room == s[F.place + s[F.active]]:
        return R.stays
    if not destinations(s) >> room & 1:
        return R.too_far
    return 0


@compiled
def move(s: Row, seat: Seat, room: int, dice: Dice, events: Events) -> None:
    """The character goes there; then comes what its § says."""
    who = s[F.active]
    emit(events, E.moves, who, s[F.place + who], room)
    s[F.place + who] = room
    s[F.unlocked] = -1
    if who == BUQUET:
        s[F.asked] = DARK
    elif (who == CHRISTINE and drawn_in(s) != 0) or (who == MONCHARMIN and company(s, MONCHARMIN) != 0):
        # A power that would move nobody is not asked about (§3.3).
        s[F.asked] = POWER
    else:
        if who == RAOUL:
            draw_alibi(s, seat, dice, events)
        if s[F.ending] == 0:
            finish(s, dice, events)


# §4.2 Open ways. Corridors without the padlock; the secret passages for Meg alone (see REACH and REACH_OF_MEG).

# §4.3 Moved by another. Pulled, sent, swapped or led, nobody uses a secret passage; pulled, sent or led, nobody passes
# the padlock. Whoever was moved may still be played, and the other way round.


# §5.1 Raoul de Chagny.


@compiled
def draw_alibi(s: Row, seat: Seat, dice: Dice, events: Events) -> None:
    """After his move he draws an alibi: the inspector shows it and clears its character, the phantom keeps it."""
    pile = EVERYBODY & ~(s[F.shown] | s[F.held] | 1 << s[F.identity])
    ghosts = s[F.ghosts]
    cards = ones(pile) + ghosts
    if cards == 0:
        return
    card = draw(dice, cards)
    if card < ghosts:
        s[F.ghosts] = ghosts - 1
        frighten(s, seat, events)
        return
    who = nth(pile, card - ghosts)
    if seat == PHANTOM:
        s[F.held] = s[F.held] | 1 << who
        s[F.kept] = s[F.kept] + 1
        emit(events, E.keeps, PHANTOM, who)
    else:
        s[F.shown] = s[F.shown] | 1 << who
        emit(events, E.shows, who, s[F.suspects] >> who & 1)
        s[F.suspects] = s[F.suspects] & ~(1 << who)
        if ones(s[F.suspects]) == 1:
            end(s, END.alibi, events)


@compiled
def frighten(s: Row, seat: Seat, events: Events) -> None:
    """A phantom card moves La Carlotta one space: to the exit if the phantom drew it, else back, not beyond the first."""
    if seat == PHANTOM:
        s[F.carlotta] = s[F.carlotta] + 1
    elif s[F.carlotta] > 0:
        s[F.carlotta] = s[F.carlotta] - 1
    emit(events, E.ghost, seat, s[F.carlotta])
    if s[F.carlotta] == EXIT:
        end(s, END.fright, events)


# §5.2 Meg Giry. On her own feet she may use the secret passages as well (see `destinations`).


# §5.3 Madame Giry.


@compiled
def may_lock(s: Row, corridor: int) -> int:
    """The padlock must go to another corridor."""
    if s[F.asked] != LOCK:
        return R.not_asked
    if corridor == s[F.padlock]:
        return R.same_corridor
    return 0


@compiled
def lock(s: Row, corridor: int, events: Events) -> None:
    """She moves the padlock before or after her own move: so she walks under the old one or the new one."""
    # The corridor is asked for first, and any room reachable either way is then allowed; people may begin with either.
    s[F.unlocked] = s[F.padlock]
    s[F.padlock] = corridor
    s[F.asked] = MOVE
    emit(events, E.locked, corridor)


# §5.4 Joseph Buquet.


@compiled
def may_darken(s: Row, room: int) -> int:
    """The blackout must go to another room."""
    if s[F.asked] != DARK:
        return R.not_asked
    if room == s[F.dark]:
        return R.same_room
    return 0


@compiled
def darken(s: Row, room: int, dice: Dice, events: Events) -> None:
    """He takes the light from any other room."""
    # Before or after his move makes no difference; it is asked for after, and people may begin with either.
    s[F.dark] = room
    emit(events, E.darkened, room)
    finish(s, dice, events)


# §5.5 Christine Daaé.


@compiled
def drawn_in(s: Row) -> int:
    """Everybody in a room joined to hers by an open corridor."""
    beside = NEXT[s[F.padlock] * ROOMS + s[F.place + CHRISTINE]]
    who = 0
    for other in range(PEOPLE):
        who |= (beside >> s[F.place + other] & 1) << other
    return who


@compiled
def pull(s: Row, dice: Dice, events: Events) -> None:
    """After her move she may pull them all into her room."""
    who = drawn_in(s)
    for other in range(PEOPLE):
        if who >> other & 1:
            s[F.place + other] = s[F.place + CHRISTINE]
    emit(events, E.pulled, who, s[F.place + CHRISTINE])
    finish(s, dice, events)


# §5.6 Monsieur Moncharmin.


@compiled
def expel(s: Row) -> None:
    """After his move he may send everybody else out of his room."""
    s[F.expelled] = company(s, MONCHARMIN)
    s[F.asked] = SEND


@compiled
def may_send(s: Row, room: int) -> int:
    """Each goes to a room joined by an open corridor, of the player's choice."""
    if s[F.asked] != SEND:
        return R.not_asked
    if not NEXT[s[F.padlock] * ROOMS + s[F.place + MONCHARMIN]] >> room & 1:
        return R.not_beside
    return 0


@compiled
def send(s: Row, room: int, dice: Dice, events: Events) -> None:
    """They leave one by one, in the order of the characters."""
    who = lowest(s[F.expelled])
    s[F.expelled] = s[F.expelled] & ~(1 << who)
    s[F.place + who] = room
    emit(events, E.sent, who, room)
    if s[F.expelled] == 0:
        finish(s, dice, events)


# §5.7 Monsieur Richard.


@compiled
def partners(s: Row) -> int:
    """Anybody, however far."""
    # Ruling: within his own room a swap changes nothing; the same with anybody, it is offered once.
    here = company(s, RICHARD)
    return (EVERYBODY & ~(1 << RICHARD) & ~here) | (here & -here)


@compiled
def may_swap(s: Row, who: int) -> int:
    """Instead of moving he may change places with another character."""
    if s[F.asked] != MOVE or s[F.active] != RICHARD:
        return R.not_asked
    if who == RICHARD:
        return R.no_swap
    if not partners(s) >> who & 1:
        return R.swap_first
    return 0


@compiled
def swap(s: Row, who: int, dice: Dice, events: Events) -> None:
    """The two stand where the other stood."""
    room = s[F.place + who]
    s[F.place + who] = s[F.place + RICHARD]
    s[F.place + RICHARD] = room
    emit(events, E.swaps, who)
    finish(s, dice, events)


# §5.8 The Persian.


@compiled
def may_take(s: Row, who: int) -> int:
    """The companion must start in his room."""
    if s[F.asked] != COMPANION:
        return R.not_asked
    if not company(s, PERSAN) >> who & 1:
        return R.not_here
    return 0


@compiled
def take(s: Row, who: int, events: Events) -> None:
    """He may lead one character along."""
    s[F.companion] = who
    s[F.asked] = LEAVE
    emit(events, E.joins, who)


@compiled
def may_go_alone(s: Row) -> int:
    """He need not take anybody."""
    if s[F.asked] != COMPANION:
        return R.not_asked
    return 0


@compiled
def go_alone(s: Row) -> None:
    """Then he moves like anyone else."""
    s[F.asked] = MOVE


@compiled
def may_leave(s: Row, room: int) -> int:
    """The companion is set down in a room they enter, not where they started."""
    if s[F.asked] != LEAVE:
        return R.not_asked
    here = s[F.place + PERSAN]
    if room == here:
        return R.not_back
    if DISTANCE[(s[F.padlock] * ROOMS + here) * ROOMS + room] > ones(company(s, PERSAN)) + 1:
        return R.too_far
    return 0


@compiled
def leave(s: Row, room: int, events: Events) -> None:
    """The companion stays there, or goes with him to the end."""
    s[F.place + s[F.companion]] = room
    s[F.asked] = MOVE
    emit(events, E.left, s[F.companion], room)


@compiled
def onward(s: Row, people: int) -> int:
    """From where he left his companion he goes on with the steps that remain, and does not end where he began."""
    start = s[F.place + PERSAN]
    left = s[F.place + s[F.companion]]
    steps = people + 1 - DISTANCE[(s[F.padlock] * ROOMS + start) * ROOMS + left]
    return (REACH[(s[F.padlock] * ROOMS + left) * CROWD + steps] | 1 << left) & ~(1 << start)


# §6.1 The announcement.


@compiled
def watched(s: Row) -> int:
    """The characters in a lit room with company: there the phantom cannot manifest."""
    once = 0
    twice = 0
    for who in range(PEOPLE):
        room = 1 << s[F.place + who]
        twice |= once & room
        once |= room
    twice &= ~(1 << s[F.dark])
    seen = 0
    for who in range(PEOPLE):
        seen |= (twice >> s[F.place + who] & 1) << who
    return seen


@compiled
def close_round(s: Row, dice: Dice, events: Events) -> None:
    """The phantom says truthfully whether they can manifest; suspects are cleared; La Carlotta moves on."""
    seen = watched(s)
    can = 1 - (seen >> s[F.identity] & 1)
    emit(events, E.announces, can)
    clear_suspects(s, seen, can, events)
    # With one suspect left La Carlotta does not move (§7.1).
    if ones(s[F.suspects]) == 1:
        end(s, END.cleared, events)
        return
    step(s, can, events)
    if s[F.carlotta] == EXIT:
        end(s, END.exit, events)
        return
    turn_over(s, dice, events)


# §6.2 Who is cleared.


@compiled
def clear_suspects(s: Row, seen: int, can: int, events: Events) -> None:
    """If the phantom can manifest, everybody who was watched is cleared; if not, everybody who was not."""
    who = s[F.suspects] & (seen if can else ~seen)
    s[F.suspects] = s[F.suspects] & ~who
    emit(events, E.clears, who)


# §6.3 La Carlotta's steps.


@compiled
def step(s: Row, can: int, events: Events) -> None:
    """A space for each suspect left, and one more if the phantom manifested; the exit is the end of the track."""
    steps = ones(s[F.suspects]) + can
    s[F.carlotta] = min(s[F.carlotta] + steps, EXIT)
    emit(events, E.steps, steps, s[F.carlotta])


# §6.4 The next round.


@compiled
def turn_over(s: Row, dice: Dice, events: Events) -> None:
    """The turn card is turned over."""
    s[F.round] = s[F.round] + 1
    open_round(s, dice, events)


# §7.1 The inspector wins. One suspect is left: at the end of a round, or at once through an alibi.
# Ruling: at the end of a round this comes before La Carlotta's steps.

# §7.2 The phantom wins. La Carlotta is at the exit: at the end of a round, or at once through a phantom card.


@compiled
def end(s: Row, how: int, events: Events) -> None:
    """The match is over, and the phantom shows who they are and what they kept."""
    s[F.ending] = how
    s[F.active] = NOBODY
    s[F.asked] = NOTHING
    if winners(s) == 1 << INSPECTOR:
        emit(events, E.caught, s[F.identity], s[F.held])
    else:
        emit(events, E.fled, s[F.identity], s[F.held])


@compiled
def ending(s: Row) -> int:
    """The way the match ended."""
    return s[F.ending]


@compiled
def winners(s: Row) -> int:
    """Nobody yet, the inspector, or the phantom."""
    how = s[F.ending]
    if how == 0:
        return 0
    if how == END.cleared or how == END.alibi:
        return 1 << INSPECTOR
    return 1 << PHANTOM


@compiled
def score(s: Row, seat: Seat, parts: Row) -> int:
    """One for the winner."""
    parts[0] = winners(s) >> seat & 1
    return parts[0]


# §7.3 Resigning. A matter of the match, not of the row: see core.Match.resign.


# What a seat cannot know, and what must always hold.


@compiled
def redeal(s: Row, seat: Seat, dice: Dice) -> None:
    """Any suspect may be the phantom, and any alibi that was not seen may be among those they keep."""
    if s[F.identity] == HIDDEN:
        s[F.identity] = draw_from(dice, s[F.suspects])
    if s[F.held] == HIDDEN:
        unseen = EVERYBODY & ~(s[F.shown] | 1 << s[F.identity])
        held = 0
        for _ in range(s[F.kept]):
            held |= 1 << draw_from(dice, unseen & ~held)
        s[F.held] = held


# Who may be active when something is asked: sets of characters by question.
ASKED_OF = constants(
    [0, EVERYBODY, 1 << GIRY, 1 << BUQUET, 1 << CHRISTINE | 1 << MONCHARMIN, 1 << MONCHARMIN, 1 << PERSAN, 1 << PERSAN, 0]
)


@compiled
def check(s: Row) -> int:
    """Every broken invariant, one bit each."""
    faults = 0
    over = s[F.ending] != 0
    active = 0 if s[F.active] == NOBODY else 1 << s[F.active]
    asked = s[F.asked]

    # An ended match may stop in the middle of Raoul's turn, when his card has left the table.
    cards = ones(s[F.offered])
    to_come = CARDS if s[F.round] & 1 else 0
    expected = CARDS - s[F.played] - (1 if active or over else 0)
    if cards != expected or ones(s[F.pile]) != to_come or s[F.offered] & s[F.pile] or (s[F.offered] | s[F.pile]) & active:
        faults |= 1 << BROKEN.cards

    if over:
        fits = active == 0 and asked == NOTHING
    elif asked == PICK:
        fits = active == 0
    else:
        fits = ASKED_OF[asked] & active != 0
    if fits and asked == POWER:
        fits = (drawn_in(s) if s[F.active] == CHRISTINE else company(s, MONCHARMIN)) != 0
    if not fits:
        faults |= 1 << BROKEN.question

    me = 1 << s[F.identity]
    if not s[F.suspects] & me or (s[F.shown] | s[F.held]) & me:
        faults |= 1 << BROKEN.identity
    if s[F.shown] & s[F.held] or ones(s[F.held]) != s[F.kept]:
        faults |= 1 << BROKEN.alibis
    if s[F.shown] & s[F.suspects]:
        faults |= 1 << BROKEN.shown
    caught = s[F.ending] == END.cleared or s[F.ending] == END.alibi
    if (ones(s[F.suspects]) == 1) != caught:
        faults |= 1 << BROKEN.suspects
    fled = s[F.ending] == END.exit or s[F.ending] == END.fright
    if (s[F.carlotta] == EXIT) != fled:
        faults |= 1 << BROKEN.exit
    if s[F.carlotta] < CENTRE + s[F.handicap] + 2 * (s[F.round] - 1) - (PHANTOM_CARDS - s[F.ghosts]):
        faults |= 1 << BROKEN.round
    if (s[F.unlocked] != -1) != (asked == MOVE and s[F.active] == GIRY) or s[F.unlocked] == s[F.padlock]:
        faults |= 1 << BROKEN.padlock
    if (s[F.expelled] != 0) != (asked == SEND) or s[F.expelled] & ~company(s, MONCHARMIN):
        faults |= 1 << BROKEN.expelled

    # The companion starts beside the Persian and is left within their steps of the start room.
    if s[F.companion] == NOBODY:
        fits = asked != LEAVE and (asked != COMPANION or company(s, PERSAN) != 0)
    elif s[F.companion] == PERSAN or s[F.active] != PERSAN:
        fits = False
    else:
        way = DISTANCE[(s[F.padlock] * ROOMS + s[F.place + PERSAN]) * ROOMS + s[F.place + s[F.companion]]]
        if asked == LEAVE:
            fits = way == 0
        else:
            fits = asked == MOVE and way > 0 and way <= ones(company(s, PERSAN)) + 2
    if not fits:
        faults |= 1 << BROKEN.companion
    return faults
