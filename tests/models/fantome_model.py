"""A second, slow reading of the rules of Le Fantôme de l'Opéra, to hold against the engine.

Pawns are objects, rooms are walked one by one, nothing is computed ahead of time and nothing is drawn at random: whoever uses
the model tells it which alibi Raoul drew and which four cards were turned up.

>>> model = Model({"raoul": 0, "meg": 1, "giry": 2, "buquet": 3, "christine": 4, "moncharmin": 7, "richard": 8, "persan": 9},
...               identity="meg", offered={"raoul", "giry", "richard", "persan"})
>>> model.to_act(), sorted(model.legal())
('inspector', ['pick giry', 'pick persan', 'pick raoul', 'pick richard'])
>>> model.play("pick raoul")
>>> sorted(model.legal())
['move 1', 'move 4']
>>> model.play("move 4", alibi="persan")
>>> model.to_act(), model.state()["shown"], "persan" in model.state()["suspects"]
('phantom', ['persan'], False)
"""

from __future__ import annotations

import copy
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass

NAMES = ("raoul", "meg", "giry", "buquet", "christine", "moncharmin", "richard", "persan")
ROOMS = range(10)
STARTS = range(7)
EXIT = 21
GHOSTS = 3
CLOCKWISE = (9, 8, 4, 0, 1, 2, 3, 7)


@dataclass(frozen=True)
class Door:
    """A way between two rooms; its name has the smaller number first."""

    low: int
    high: int

    @classmethod
    def named(cls, name: str) -> Door:
        one, other = (int(number) for number in name.split("-"))
        return cls(min(one, other), max(one, other))

    def __str__(self) -> str:
        return f"{self.low}-{self.high}"

    def beyond(self, room: int) -> int | None:
        """The room on the far side, if this door belongs to `room` at all."""
        if room == self.low:
            return self.high
        if room == self.high:
            return self.low
        return None


CORRIDORS = frozenset(map(Door.named, ["0-1", "0-4", "1-2", "2-3", "3-7", "4-5", "4-8", "5-6", "6-7", "7-9", "8-9"]))
PASSAGES = frozenset(Door.named(name) for name in ["1-5", "1-7", "2-6", "4-9", "5-8", "6-9"])


def next_rooms(room: int, doors: Collection[Door]) -> set[int]:
    """The rooms one step away through these doors."""
    return {far for door in doors if (far := door.beyond(room)) is not None}


def walks(start: int, steps: int, doors: Collection[Door]) -> Iterator[tuple[int, ...]]:
    """Every walk of one to `steps` rooms, the start included as first entry, turning back allowed, short walks first."""
    paths: list[tuple[int, ...]] = [(start,)]
    for _ in range(steps):
        paths = [(*path, room) for path in paths for room in next_rooms(path[-1], doors)]
        yield from paths


def destinations(start: int, steps: int, doors: Collection[Door]) -> set[int]:
    """Where a walk may end: anywhere but where it began (ruling 2)."""
    return {walk[-1] for walk in walks(start, steps, doors)} - {start}


@dataclass
class Pawn:
    """One of the eight characters on the board."""

    name: str
    room: int
    suspect: bool = True


class House:
    """The opera house: who stands where, which corridor is locked, which room is dark."""

    def __init__(self, place: Mapping[str, int], padlock: Door, dark: int) -> None:
        self.pawns = {name: Pawn(name, place[name]) for name in NAMES}
        self.padlock = padlock
        self.dark = dark

    def people(self, room: int) -> list[Pawn]:
        """Everybody in the room, in the fixed order, the cleared ones too."""
        return [pawn for pawn in self.pawns.values() if pawn.room == room]

    def company(self, pawn: Pawn) -> list[Pawn]:
        """The others in the pawn's room, in the fixed order."""
        return [other for other in self.people(pawn.room) if other is not pawn]

    def suspects(self) -> list[Pawn]:
        return [pawn for pawn in self.pawns.values() if pawn.suspect]

    def open_corridors(self) -> set[Door]:
        return {door for door in CORRIDORS if door != self.padlock}

    def neighbours(self, room: int) -> set[int]:
        """The rooms one open corridor away."""
        return next_rooms(room, self.open_corridors())

    def is_watched(self, pawn: Pawn) -> bool:
        """Whether somebody sees the pawn: in a lit room, with company."""
        return pawn.room != self.dark and bool(self.company(pawn))


class Card:
    """A character card while it is played: a chain of questions, each a set of actions; the empty set ends it."""

    def __init__(self, pawn: Pawn, house: House) -> None:
        self.pawn = pawn
        self.house = house
        self.start = pawn.room
        self.steps = len(house.people(pawn.room))
        self.choices = self.opening()

    def opening(self) -> set[str]:
        """The first question: for most characters, where to go."""
        return self.moves()

    def roads(self) -> list[set[Door]]:
        """The door plans the mover may choose between; a single walk keeps to one of them."""
        return [self.house.open_corridors()]

    def moves(self) -> set[str]:
        ends = set[int]().union(*(destinations(self.start, self.steps, doors) for doors in self.roads()))
        return {f"move {room}" for room in ends}

    def answer(self, verb: str, what: str) -> None:
        """Carry out the chosen action and put the next question."""
        assert verb == "move"
        self.pawn.room = int(what)
        self.choices = self.after_move()

    def after_move(self) -> set[str]:
        """The question put once the character has arrived."""
        return set()


class Raoul(Card):
    """Moves; the alibi he then draws is settled at the table, which holds the pile."""


class Meg(Card):
    """Walks through the secret passages as well as the open corridors."""

    def roads(self) -> list[set[Door]]:
        return [self.house.open_corridors() | PASSAGES]


class Giry(Card):
    """Moves the padlock to another corridor, and walks either before or after doing so."""

    def opening(self) -> set[str]:
        return {f"lock {door}" for door in self.house.open_corridors()}

    def roads(self) -> list[set[Door]]:
        return [self.before, self.house.open_corridors()]

    def answer(self, verb: str, what: str) -> None:
        if verb == "lock":
            self.before = self.house.open_corridors()
            self.house.padlock = Door.named(what)
            self.choices = self.moves()
        else:
            super().answer(verb, what)


class Buquet(Card):
    """Moves, then takes the blackout to another room."""

    def after_move(self) -> set[str]:
        return {f"dark {room}" for room in ROOMS if room != self.house.dark}

    def answer(self, verb: str, what: str) -> None:
        if verb == "dark":
            self.house.dark = int(what)
            self.choices = set()
        else:
            super().answer(verb, what)


class Christine(Card):
    """Moves, then may call everybody from all the rooms next to hers."""

    def callable_pawns(self) -> list[Pawn]:
        return [pawn for room in self.house.neighbours(self.pawn.room) for pawn in self.house.people(room)]

    def after_move(self) -> set[str]:
        return {"use", "decline"} if self.callable_pawns() else set()

    def answer(self, verb: str, what: str) -> None:
        if verb == "move":
            super().answer(verb, what)
            return
        if verb == "use":
            for pawn in self.callable_pawns():
                pawn.room = self.pawn.room
        self.choices = set()


class Moncharmin(Card):
    """Moves, then may chase everybody out of his room, each into a room next door."""

    def after_move(self) -> set[str]:
        return {"use", "decline"} if self.house.company(self.pawn) else set()

    def sends(self) -> set[str]:
        """Where the next to go may be sent, or nothing when he has the room to himself."""
        if not self.house.company(self.pawn):
            return set()
        return {f"send {room}" for room in self.house.neighbours(self.pawn.room)}

    def answer(self, verb: str, what: str) -> None:
        match verb:
            case "use":
                self.choices = self.sends()
            case "send":
                self.house.company(self.pawn)[0].room = int(what)
                self.choices = self.sends()
            case "decline":
                self.choices = set()
            case _:
                super().answer(verb, what)


class Richard(Card):
    """Moves, or changes places with anybody instead."""

    def opening(self) -> set[str]:
        # Ruling 8 and 24: trading places within his room changes nothing, so one partner there stands for all.
        elsewhere = [pawn for pawn in self.house.pawns.values() if pawn.room != self.start]
        partners = elsewhere + self.house.company(self.pawn)[:1]
        return self.moves() | {f"swap {pawn.name}" for pawn in partners}

    def answer(self, verb: str, what: str) -> None:
        if verb == "swap":
            partner = self.house.pawns[what]
            self.pawn.room, partner.room = partner.room, self.pawn.room
            self.choices = set()
        else:
            super().answer(verb, what)


class Persan(Card):
    """Moves, and may lead one companion along from his start room as far as he likes."""

    companion: Pawn | None = None

    def opening(self) -> set[str]:
        company = self.house.company(self.pawn)
        if not company:
            return self.moves()
        return {"alone"} | {f"take {pawn.name}" for pawn in company}

    def outings(self) -> set[tuple[int, int]]:
        """Every (room where the companion is left, room where he ends) that some walk allows."""
        corridors = self.house.open_corridors()
        return {
            (left, walk[-1])
            for walk in walks(self.start, self.steps, corridors)
            for left in walk[1:]
            if left != self.start and walk[-1] != self.start
        }

    def answer(self, verb: str, what: str) -> None:
        match verb:
            case "alone":
                self.choices = self.moves()
            case "take":
                self.companion = self.house.pawns[what]
                self.choices = {f"leave {left}" for left, _ in self.outings()}
            case "leave":
                assert self.companion is not None
                self.companion.room = int(what)
                self.choices = {f"move {end}" for left, end in self.outings() if left == int(what)}
            case _:
                super().answer(verb, what)


CARDS: dict[str, type[Card]] = {
    "raoul": Raoul,
    "meg": Meg,
    "giry": Giry,
    "buquet": Buquet,
    "christine": Christine,
    "moncharmin": Moncharmin,
    "richard": Richard,
    "persan": Persan,
}


class Model:
    """One match, from the set-up table to its end.

    A match that is over keeps the table as it then lies: nobody active, and the card during which it ended not counted as
    played.
    """

    def __init__(self, place: dict[str, int], identity: str, offered: set[str], start: int = 3) -> None:
        if set(place) != set(NAMES) or set(place.values()) != set(CLOCKWISE):
            raise ValueError(f"the eight characters start one in each outer room, not {place}")
        if start not in STARTS:
            raise ValueError(f"Carlotta starts on a space from 0 to 6, not {start}")

        # The blackout starts with Buquet, the padlock on Madame Giry's clockwise side.
        behind = place["giry"]
        ahead = CLOCKWISE[(CLOCKWISE.index(behind) + 1) % len(CLOCKWISE)]
        padlock = Door.named(f"{behind}-{ahead}")
        assert padlock in CORRIDORS

        self._lay(House(place, padlock, dark=place["buquet"]), identity, set(offered), set(NAMES) - offered, start)

    @classmethod
    def at(
        cls,
        *,
        place: Mapping[str, int],
        identity: str,
        offered: Collection[str],
        pile: Collection[str] | None = None,
        round: int = 1,
        played: int = 0,
        suspects: Collection[str] = NAMES,
        padlock: str = "0-1",
        dark: int = 0,
        carlotta: int = 3,
        held: Collection[str] = (),
        shown: Collection[str] = (),
        ghosts: int = GHOSTS,
        active: None = None,
        result: None = None,
        reason: None = None,
    ) -> Model:
        """A match under way, between two cards, from the fields that `state` gives.

        Without a `pile`, an odd round gets the last four characters in the fixed order that are not offered.
        """
        if (active, result, reason) != (None, None, None):
            raise ValueError("a position can only be laid out between two cards of a running match")
        if Door.named(padlock) not in CORRIDORS:
            raise ValueError(f"the padlock hangs on a corridor, not on {padlock}")
        if pile is None:
            pile = [name for name in NAMES if name not in offered][-4:] if round % 2 else ()
        model = cls.__new__(cls)
        house = House(place, Door.named(padlock), dark)
        for pawn in house.pawns.values():
            pawn.suspect = pawn.name in suspects
        model._lay(house, identity, set(offered), set(pile), carlotta, round, played, set(held), set(shown), ghosts)
        return model

    def _lay(
        self,
        house: House,
        identity: str,
        offered: set[str],
        pile: set[str],
        carlotta: int,
        round: int = 1,
        played: int = 0,
        held: set[str] | None = None,
        shown: set[str] | None = None,
        ghosts: int = GHOSTS,
    ) -> None:
        if identity not in NAMES or not house.pawns[identity].suspect:
            raise ValueError(f"the phantom hides behind one of the suspects, not {identity!r}")
        if not offered <= set(NAMES) or len(offered) != 4 - played:
            raise ValueError(f"after {played} cards {4 - played} characters are offered, not {sorted(offered)}")
        if not pile <= set(NAMES) - offered or len(pile) != (4 if round % 2 else 0):
            raise ValueError(f"an odd round has four other cards in the pile, an even one none, not {sorted(pile)}")
        self.house = house
        self.identity = identity
        self.offered = offered
        self.pile = pile
        self.carlotta = carlotta
        self.round = round
        self.played = played
        self.held = held or set()
        self.shown = shown or set()
        self.ghosts = ghosts
        self.card: Card | None = None
        self.result: str | None = None
        self.reason: str | None = None

    def to_act(self) -> str | None:
        """Whose decision it is: the side of the turn card plays the first and the last card, the other side the middle two."""
        if self.result is not None:
            return None
        first, second = ("inspector", "phantom") if self.round % 2 else ("phantom", "inspector")
        return (first, second, second, first)[self.played]

    def legal(self) -> set[str]:
        """Every action the side to act may choose now."""
        if self.result is not None:
            return set()
        if self.card is None:
            return {f"pick {name}" for name in self.offered}
        return set(self.card.choices)

    def play(self, action: str, alibi: str | None = None, cards: set[str] | None = None) -> None:
        """Carry out one action with the chance results it needs, or raise ValueError and leave the table untouched."""
        if action not in self.legal():
            raise ValueError(f"illegal action {action!r} in round {self.round}; legal: {sorted(self.legal())}")
        draft = copy.deepcopy(self)
        draft._perform(action, alibi, cards)
        vars(self).update(vars(draft))

    def state(self) -> dict[str, object]:
        """Everything on and under the table, as plain values; the lists are in alphabetical order."""
        return {
            "round": self.round,
            "played": self.played,
            "active": None if self.card is None else self.card.pawn.name,
            "place": {pawn.name: pawn.room for pawn in self.house.pawns.values()},
            "offered": sorted(self.offered),
            "pile": sorted(self.pile),
            "suspects": sorted(pawn.name for pawn in self.house.suspects()),
            "padlock": str(self.house.padlock),
            "dark": self.house.dark,
            "carlotta": self.carlotta,
            "identity": self.identity,
            "held": sorted(self.held),
            "shown": sorted(self.shown),
            "ghosts": self.ghosts,
            "result": self.result,
            "reason": self.reason,
        }

    def alibis(self) -> set[str]:
        """The character alibis still in the pile: nobody has drawn them, and the phantom's own was never there."""
        return set(NAMES) - {self.identity} - self.held - self.shown

    def _perform(self, action: str, alibi: str | None, cards: set[str] | None) -> None:
        verb, _, what = action.partition(" ")
        if verb == "pick":
            self.offered.remove(what)
            self.card = CARDS[what](self.house.pawns[what], self.house)
        else:
            assert self.card is not None
            self.card.answer(verb, what)

        # Raoul draws on arrival; an empty pile gives him nothing.
        done = self.card is not None and not self.card.choices
        if done and isinstance(self.card, Raoul) and (self.alibis() or self.ghosts):
            self._draw(alibi)
        elif alibi is not None:
            raise ValueError(f"{action!r} draws no alibi, but was told {alibi!r}")

        # The fourth card ends the round, and a next odd round is the only thing that turns up new cards.
        fourth = done and self.result is None and self.played == 3
        if fourth:
            self._end_round()
        goes_on = done and self.result is None
        if fourth and goes_on and self.round % 2 == 0:
            if cards is None or len(cards) != 4 or not cards <= set(NAMES):
                raise ValueError(f"{action!r} opens an odd round, which needs four cards, not {cards}")
        elif cards is not None:
            raise ValueError(f"{action!r} turns up no new cards, but was told {sorted(cards)}")

        # A finished card leaves the table.
        if goes_on:
            self.card = None
            self.played += 1
            if fourth:
                self._next_round(cards)

    def _draw(self, alibi: str | None) -> None:
        """Raoul's alibi: good news for the inspector, denied news for the phantom, and a ghost moves Carlotta."""
        if alibi == "phantom" and self.ghosts:
            self.ghosts -= 1
            if self.to_act() == "inspector":
                self.carlotta = max(0, self.carlotta - 1)
            else:
                self._carlotta_flees(1, "fright")
        elif alibi is not None and alibi in self.alibis():
            if self.to_act() == "phantom":
                self.held.add(alibi)
            else:
                self.shown.add(alibi)
                self.house.pawns[alibi].suspect = False
                if len(self.house.suspects()) == 1:
                    self._end("inspector", "alibi")
        else:
            raise ValueError(f"Raoul cannot draw {alibi!r}: left are {sorted(self.alibis())} and {self.ghosts} phantoms")

    def _end_round(self) -> None:
        """The phantom tells the truth, those it cannot be are cleared, and Carlotta takes fright at the rest."""
        seen = self.house.is_watched(self.house.pawns[self.identity])
        cleared = [pawn for pawn in self.house.suspects() if self.house.is_watched(pawn) != seen]
        for pawn in cleared:
            pawn.suspect = False
        left = len(self.house.suspects())
        if left == 1:
            self._end("inspector", "cleared")
        else:
            self._carlotta_flees(left if seen else left + 1, "exit")

    def _carlotta_flees(self, steps: int, reason: str) -> None:
        self.carlotta = min(EXIT, self.carlotta + steps)
        if self.carlotta == EXIT:
            self._end("phantom", reason)

    def _end(self, result: str, reason: str) -> None:
        self.card = None
        self.result = result
        self.reason = reason

    def _next_round(self, cards: set[str] | None) -> None:
        """The turn card is flipped: the other four cards, or four told ones of all eight."""
        self.played = 0
        self.round += 1
        self.offered, self.pile = (self.pile, set()) if cards is None else (set(cards), set(NAMES) - cards)
