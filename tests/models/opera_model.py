"""A second, slow reading of the rules of Opera, to hold against the engine.

The rulebook is one script that stops wherever somebody must decide; what lies on the table are objects with halls, purses and
piles. Nothing is drawn at random: whoever uses the model tells it how the table was dealt and what each new offer turned up.

>>> model = Model(2)
>>> model.deal(ladder=("verdi", "wagner", "mozart", "handel", "beethoven", "monteverdi"), century=("mozart", "handel", "verdi"),
...            offers={"verdi": (2, 1), "mozart": (1, 0), "handel": (2, 0)}, start=1)
>>> model.play("bid 5", 0)
>>> model.play("bid 3", 1)
>>> model.to_act(), sorted(model.legal())
((0,), ['end', 'hire architetto', 'hire critico', 'hire esperto', 'hire impresario', 'hire maestro'])
>>> model.play("hire impresario")
>>> sorted(model.legal())
['buy handel', 'buy mozart', 'buy verdi', 'stop']
>>> model.play("buy verdi")
>>> model.state()["ducats"], model.state()["discard"]["verdi"]
({'0': 10, '1': 17, '2': 0, '3': 0}, 1)
"""

from __future__ import annotations

import tomllib
from collections import Counter
from collections.abc import Generator, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeAlias

Seat: TypeAlias = int

COMPOSERS = ("monteverdi", "handel", "beethoven", "mozart", "wagner", "verdi")
HOUSE_PIECE = "house"
PIECES = (*COMPOSERS, HOUSE_PIECE)
CITIES = ("venezia", "wien", "berlin", "london", "paris", "milano")
PARTS = ("main", "wing", "wing2", "wing3")
FIGURES = ("maestro", "critico", "esperto")
SCORES = ("building", "signora", "esperto", "great", "century", "empty")
CHAIRS = range(4)
"""Every seat a position has a place for, taken or not."""

FEES = {"impresario": 3, "architetto": 2, "signora": 2, "maestro": 2, "critico": 3, "esperto": 4}
ROLES = tuple(FEES)
EMPLOYEES = ("impresario", "architetto", "signora")
INCOME = {0: 0, 1: 1, 2: 3, 3: 5, 4: 8, 5: 11, 6: 15}
STANDING_PLACES = {"venezia": 1, "wien": 2, "berlin": 1, "london": 1, "paris": 2, "milano": 2}
OPENS_AFTER = {"venezia": 0, "wien": 0, "berlin": 0, "london": 1, "paris": 1, "milano": 2}
"""How many counts have to be held before a city opens."""

HIGHEST_LEVEL = 10
PIECES_EACH = 14
COINS = 30 * 5 + 24 * 1
PURSE = 3 * 5 + 5 * 1


@dataclass(frozen=True)
class Part:
    """A kind of building part, with its copies in a match of two, three and four."""

    city: str
    name: str
    halls: int
    copies: tuple[int, int, int]

    def __str__(self) -> str:
        return f"{self.city} {self.name}"

    @property
    def cost(self) -> int:
        return 2 * self.halls

    @property
    def points(self) -> int:
        return 2 * self.halls

    @property
    def number(self) -> int:
        """The place of the part in the order of cities and, within a city, of parts."""
        return 4 * CITIES.index(self.city) + PARTS.index(self.name)


BOX = (
    Part("venezia", "main", 1, (2, 3, 4)),
    Part("venezia", "wing", 1, (1, 2, 3)),
    Part("venezia", "wing2", 1, (1, 2, 3)),
    Part("wien", "main", 2, (2, 2, 3)),
    Part("wien", "wing", 2, (1, 2, 3)),
    Part("berlin", "main", 1, (2, 2, 3)),
    Part("berlin", "wing", 2, (1, 2, 3)),
    Part("london", "main", 2, (2, 2, 3)),
    Part("london", "wing", 2, (1, 2, 3)),
    Part("paris", "main", 3, (2, 2, 3)),
    Part("paris", "wing", 2, (1, 2, 3)),
    Part("milano", "main", 3, (2, 2, 2)),
    Part("milano", "wing", 3, (1, 2, 2)),
)
"""All parts, in the order of cities and parts."""

CATALOGUE = {str(part): part for part in BOX}


def unpacked(text: str) -> tuple[tuple[Part, ...], dict[str, int]]:
    """The parts, and the places for figures, that a box file lists."""
    cities = tomllib.loads(text)["cities"]
    parts = (Part(city["name"], one["name"], one["halls"], tuple(one["copies"])) for city in cities for one in city["parts"])
    return tuple(parts), {city["name"]: city["standing"] for city in cities}


class FameLadder:
    """The six composers' cards, the most famous on top.

    >>> ladder = FameLadder(("wagner", "mozart", "verdi", "handel", "beethoven", "monteverdi"))
    >>> ladder.rise({"mozart", "verdi"})
    >>> ladder.cards[:3]
    ['mozart', 'verdi', 'wagner']
    """

    def __init__(self, top_down: Iterable[str]) -> None:
        self.cards = list(top_down)
        if sorted(self.cards) != sorted(COMPOSERS):
            raise ValueError(f"the ladder has each of the six composers once, not {self.cards}")

    def fame(self, piece: str) -> int:
        """6 on top, 1 at the foot; a house composer has no card and no fame."""
        return 0 if piece == HOUSE_PIECE else len(self.cards) - self.cards.index(piece)

    def rise(self, risers: set[str]) -> None:
        """All risers go up a step at once: whoever stands over a row of risers comes down below the whole row (ruling 1)."""
        climbed: list[str] = []
        waiting: list[str] = []
        for card in self.cards:
            if card in risers:
                climbed.append(card)
            else:
                climbed += waiting
                waiting = [card]
        self.cards = climbed + waiting

    def shift(self, composer: str, steps: int) -> None:
        """Take one card out and put it in again higher (steps > 0) or lower; those it passes close up."""
        at = self.cards.index(composer)
        self.cards.remove(composer)
        self.cards.insert(max(0, at - steps), composer)

    def changed_since(self, before: Sequence[str]) -> list[str]:
        """The composers who stand elsewhere than before, in their usual order."""
        return [one for one in COMPOSERS if self.cards.index(one) != before.index(one)]


class BudgetTable:
    """Eleven levels, each with its markers from left to right."""

    def __init__(self) -> None:
        self.levels: list[list[Seat]] = [[] for _ in range(HIGHEST_LEVEL + 1)]

    def place(self, seat: Seat, level: int) -> None:
        """A marker comes to the right of those already on the level."""
        self.levels[level].append(seat)

    def level(self, seat: Seat) -> int:
        return next(level for level, markers in enumerate(self.levels) if seat in markers)

    def order(self) -> list[Seat]:
        """The seats from top to bottom, on one level from left to right."""
        return [seat for markers in reversed(self.levels) for seat in markers]

    def move(self, seat: Seat, steps: int) -> None:
        """A marker goes up or down and those it leaves behind close up (ruling 20); without steps it stays where it is."""
        if steps:
            level = self.level(seat)
            self.levels[level].remove(seat)
            self.place(seat, level + steps)


class House:
    """The opera house of one player in one city: its parts and its numbered halls, the great hall first."""

    def __init__(self, city: str) -> None:
        self.city = city
        self.parts: list[Part] = []
        self.halls: list[str | None] = []

    def add(self, part: Part) -> None:
        self.parts.append(part)
        self.halls += [None] * part.halls

    def operas(self) -> list[str]:
        """The pieces performed, in the order of the halls."""
        return [piece for piece in self.halls if piece is not None]

    def remove(self, piece: str) -> None:
        self.halls[self.halls.index(piece)] = None

    def clear(self) -> list[str]:
        """Take all pieces out."""
        pieces = self.operas()
        self.halls = [None] * len(self.halls)
        return pieces

    def income(self) -> int:
        return INCOME[len(self.operas())]


@dataclass
class Player:
    """What stands before one player and lies behind the screen."""

    seat: Seat
    ducats: int = 0
    houses: dict[str, House] = field(default_factory=dict)
    screen: list[str] = field(default_factory=list)
    earned: Counter[str] = field(default_factory=Counter)
    bid: int | None = None
    roles: int = 0
    """How many roles were hired this round."""
    passed: bool = False

    @property
    def points(self) -> int:
        return self.earned.total()

    def build(self, part: Part) -> None:
        """Put up a part: a main opens a house, a wing extends it."""
        self.houses.setdefault(part.city, House(part.city)).add(part)

    def has_built(self, part: Part) -> bool:
        return part.city in self.houses and part in self.houses[part.city].parts

    def operas_in(self, city: str) -> list[str]:
        return self.houses[city].operas() if city in self.houses else []

    def operas(self) -> list[str]:
        return [piece for house in self.houses.values() for piece in house.operas()]

    def opera_houses(self) -> list[House]:
        """The houses in the order of the cities."""
        return [self.houses[city] for city in CITIES if city in self.houses]

    def sources(self, composer: str) -> list[str]:
        """Where the player has a piece of this composer."""
        halls = [house.city for house in self.opera_houses() if composer in house.halls]
        return ["screen", *halls] if composer in self.screen else halls


Drawn: TypeAlias = Mapping[str, tuple[int, int]]
"""What came off the pile: for each composer, how many pieces were offered and how many set aside."""

Event: TypeAlias = tuple[str, dict[str, Any]]


class Offer:
    """The pieces for sale, the pile they come from and the pile they end on."""

    def __init__(self, seats: int) -> None:
        self.size = {2: 5, 3: 7, 4: 9}[seats]
        self.most = 2 if seats == 2 else 3
        self.deck = Counter(dict.fromkeys(COMPOSERS, PIECES_EACH))
        self.pieces: Counter[str] = Counter()
        self.discard: Counter[str] = Counter()

    def is_empty(self) -> bool:
        return self.pieces.total() == 0

    def take_up(self, drawn: Drawn, aside: Counter[str]) -> None:
        """Lay out what was drawn; more of a composer than allowed goes aside."""
        for composer, (offered, excess) in drawn.items():
            self.pieces[composer] += offered
            self.deck[composer] -= offered + excess
            aside[composer] += excess
            if self.deck[composer] < 0 or self.pieces[composer] > self.most:
                raise ValueError(f"{offered} and {excess} of {composer} cannot be drawn")
            if excess and self.pieces[composer] < self.most:
                raise ValueError(f"{composer} is set aside below {self.most}")
        if self.pieces.total() > self.size:
            raise ValueError(f"more than {self.size} are offered")

    def lacks(self) -> bool:
        """Whether pieces are missing that the pile cannot give."""
        missing = self.pieces.total() < self.size
        if missing and self.deck.total():
            raise ValueError(f"the pile has pieces, but only {self.pieces.total()} of {self.size} are offered")
        return missing

    def reshuffle(self) -> int:
        """The discard pile becomes the pile; how many pieces that are."""
        self.deck, self.discard = self.discard, Counter()
        return self.deck.total()


@dataclass
class Question:
    """A stop in the script: what is asked, and what each seat that owes an answer may say."""

    asked: str
    options: dict[Seat, set[str]]


Answer: TypeAlias = tuple[Seat, str]
Script: TypeAlias = Generator[Question, Answer, None]
Asking: TypeAlias = Generator[Question, Answer, list[str]]


class Model:
    """One match, from the set-up table to its end.

    `deal` sets up the table by the book; a table laid out by hand (`budget`, `players`, `ladder`, …) starts at its budget phase
    with `begin`. `story` is what the last step told. An illegal action is refused and changes nothing; a draw that cannot be
    spoils the model.
    """

    def __init__(
        self,
        seats: int,
        box: Sequence[Part] = BOX,
        places: Mapping[str, int] = STANDING_PLACES,
        /,
        *,
        version: int = 2,
        screens: int = 0,
        seven_rounds: int = 0,
        dutch_esperto: int = 0,
        literal_rearranging: int = 0,
    ) -> None:
        self.box = {str(part): part for part in box}
        self.places = places
        self.version = version
        self.options = {
            "screens": screens,
            "seven_rounds": seven_rounds,
            "dutch_esperto": dutch_esperto,
            "literal_rearranging": literal_rearranging,
        }
        self.players = [Player(seat) for seat in range(seats)]
        self.two = seats == 2
        self.most_roles = 4 if self.two else 3
        self.palazzo_places = 4 if seats == 4 else 3
        self.count_rounds = (3, 5, 7) if seven_rounds else (3, 6, 9)

        self.round = 1
        self.counts = 0
        self.ladder = FameLadder(reversed(COMPOSERS))
        self.budget = BudgetTable()
        self.offer = Offer(seats)
        self.century: list[str] = []
        self.palazzo: list[str] = []
        self.lost: Counter[str] = Counter()
        self.figures: dict[str, str | None] = dict.fromkeys(FIGURES)
        self.supply = {part: part.copies[seats - 2] for part in box}

        self.taken: set[str] = set()
        self.role: str | None = None
        self.hirer: Player | None = None
        self.flipped: set[Seat] = set()
        self.first: int | None = None
        self.sold: str | None = None
        self.hall: tuple[str, int] | None = None
        self.winner: Seat | None = None

        self.story: list[Event] = []
        self._drawn: list[Drawn] = []
        for player in self.players:
            self.erect(player, self.box["venezia main"])

    # Talking with the table.

    def deal(self, *, ladder: Iterable[str], offers: Drawn, century: Sequence[str], start: Seat) -> None:
        """Set up: fame, the first offer, the pieces drawn for the century, ducats and markers from the start player on."""
        self.ladder = FameLadder(ladder)
        for card in self.ladder.cards:
            self._tell("stands", composer=card, fame=self.ladder.fame(card))
        self._fill_offer([offers], "lays_out")

        for composer in century:
            if len(self.century) == 3:
                raise ValueError(f"three composers are enough, but {century} were drawn")
            self.offer.deck[composer] -= 1
            if composer in self.century:
                self.offer.discard[composer] += 1
                self._tell("repeats", composer=composer)
            else:
                self.century.append(composer)
                self._tell("century", count=len(self.century), composer=composer)
        if len(self.century) < 3:
            raise ValueError(f"three different composers are drawn, not {century}")

        self._tell("starts", seat=str(start))
        seats = len(self.players)
        for place in range(seats):
            player = self.players[(start + place) % seats]
            player.ducats = PURSE + place
            player.houses["venezia"].halls[0] = HOUSE_PIECE
            self.budget.place(player.seat, 0)
            self._tell("funded", seat=str(player.seat), ducats=player.ducats)
        self.begin()

    def begin(self) -> None:
        """Start the round whose number stands on the track."""
        self._script = self._match()
        self._question = next(self._script)

    def to_act(self) -> tuple[Seat, ...]:
        """The seats that owe an answer."""
        return tuple(self._question.options)

    def asked(self) -> str:
        """What is asked of them."""
        return self._question.asked

    def legal(self, seat: Seat | None = None) -> set[str]:
        """Every action of a seat, by default of the one asked."""
        return set(self._question.options.get(self._asked_seat(seat), ()))

    def play(self, action: str, seat: Seat | None = None, drawn: Sequence[Drawn] = ()) -> None:
        """Carry out an action; `drawn` is what a new offer turned up, before and after the pile was reshuffled."""
        seat = self._asked_seat(seat)
        if action not in self.legal(seat):
            raise ValueError(f"illegal action {action!r} by seat {seat}; legal: {sorted(self.legal(seat))}")
        self.story = []
        self._drawn = list(drawn)
        self._question = self._script.send((seat, action))
        if self._drawn:
            raise ValueError(f"{action!r} draws nothing more, but was told {self._drawn}")

    def _asked_seat(self, seat: Seat | None) -> Seat:
        if seat is None:
            (seat,) = self.to_act()
        return seat

    def _ask(self, player: Player, asked: str, options: set[str]) -> Asking:
        """Stop the script for one player; the words of the answer."""
        _, answer = yield Question(asked, {player.seat: options})
        return answer.split()

    def _tell(self, name: str, **args: Any) -> None:
        self.story.append((name, args))

    # The rounds.

    def _match(self) -> Script:
        """Round after round, until the last count; then nothing is asked any more."""
        while self.winner is None:
            self._tell("opens", round=self.round)
            yield from self._budget_phase()
            yield from self._action_phase()
            self._income_phase()
            self._end_phase()
            if self.round in self.count_rounds:
                self._counting_round()
            if self.counts == 3:
                self._crown()
            else:
                self.round += 1
        yield Question("nothing", {})

    def _budget_phase(self) -> Script:
        """All bid in secret; then, in the order of the table, each marker goes up and each bid is paid."""
        while owing := [player for player in self.players if player.bid is None]:
            seat, action = yield Question("bid", {player.seat: self._bids(player) for player in owing})
            self.players[seat].bid = int(action.removeprefix("bid "))
        for seat in self.budget.order():
            player = self.players[seat]
            bid, player.bid = player.bid, None
            assert bid is not None
            player.ducats -= bid
            self.budget.move(seat, bid)
            self._tell("bids", seat=str(seat), ducats=bid, level=self._level(player))

    def _bids(self, player: Player) -> set[str]:
        return {f"bid {ducats}" for ducats in range(player.ducats + 1) if self._level(player) + ducats <= HIGHEST_LEVEL}

    def _action_phase(self) -> Script:
        """Whoever has the initiative hires a role or ends the performance."""
        while (player := self._initiative()) is not None:
            verb, *what = yield from self._ask(player, "hire", self._hirable(player) | {"end"})
            if verb == "end":
                player.passed = True
                self._tell("ends", seat=str(player.seat))
            else:
                yield from self._hire(player, what[0])
        self._tell("closes", why=self._why_closed())

    def _why_closed(self) -> str:
        """Nobody is left to go on, or nothing, or no budget."""
        if all(player.passed for player in self.players):
            return "all_ended"
        return "all_taken" if self.taken == set(FEES) else "too_low"

    def _initiative(self) -> Player | None:
        """The highest player without a disc; on the way down, whoever has nothing to hire gets one (ruling 22)."""
        for player in self._in_order():
            if player.passed:
                continue
            payable = self._payable(player)
            if not payable:
                return None  # the others stand lower still
            if player.roles < self.most_roles and any(self._is_open(player, role) for role in payable):
                return player
            player.passed = True
            if player.roles < self.most_roles:
                self._tell("forced", seat=str(player.seat))
            else:
                self._tell("spent", seat=str(player.seat), roles=self.most_roles)
        return None

    def _payable(self, player: Player) -> list[str]:
        level = self._level(player)
        return [role for role, fee in FEES.items() if role not in self.taken and fee <= level]

    def _is_open(self, player: Player, role: str) -> bool:
        """Whether the role could be of use as far as everybody sees."""
        if role == "architetto":
            return bool(self._sites(player))
        if role == "signora":
            return not self._palazzo_is_full()
        return True

    def _hirable(self, player: Player) -> set[str]:
        """The roles the player can pay and has a use for, purse and screen counted."""
        roles = {role for role in self._payable(player) if self._is_open(player, role)}
        if not any(part.cost <= player.ducats for part in self._sites(player)):
            roles.discard("architetto")
        if not self._sales(player):
            roles.discard("signora")
        return {f"hire {role}" for role in roles}

    def _hire(self, player: Player, role: str) -> Script:
        """The hirer pays and plays; with an employee the others may follow, the highest unflipped marker first."""
        self.taken.add(role)
        self.role, self.hirer = role, player
        player.roles += 1
        self._pay_levels(player, FEES[role])
        self.flipped = {player.seat}
        self._tell("hires", seat=str(player.seat), role=role, level=self._level(player))
        scene = getattr(self, f"_{role}")
        yield from scene(player)
        while role in EMPLOYEES and (other := self._next_along()) is not None:
            yield from scene(other)
            self.flipped.add(other.seat)
        self.role = self.hirer = None
        self.flipped = set()

    def _next_along(self) -> Player | None:
        for player in self._in_order():
            if player.seat not in self.flipped and not player.passed and self._may_join(player):
                return player
        return None

    def _may_join(self, player: Player) -> bool:
        """Whether a player could play along as far as everybody sees (ruling 38)."""
        can_pay_first = self._level(player) >= self._along_fee(0)
        match self.role:
            case "impresario":
                return (can_pay_first and not self.offer.is_empty()) or self._level(player) >= self._rearranging_fee()
            case "architetto":
                return can_pay_first and bool(self._sites(player))
            case _:
                return can_pay_first and not self._palazzo_is_full()

    def _along_fee(self, done: int) -> int:
        """Levels for the next action of one who plays along: one each, but with two players the first is free."""
        return 0 if self.two and done == 0 else 1

    def _rearranging_fee(self) -> int:
        """Levels for playing along only to rearrange (ruling 26)."""
        return 0 if self.two and not self.options["literal_rearranging"] else 1

    def _fee(self, player: Player, done: int) -> int:
        return 0 if player is self.hirer else self._along_fee(done)

    def _join(self, player: Player, fee: int) -> None:
        """Whoever plays along pays the levels for the next thing; the hirer has paid."""
        if player is not self.hirer:
            self._pay_levels(player, fee)
            self._tell("joins", seat=str(player.seat), role=self.role, fee=fee, level=self._level(player))

    # The employees.

    def _impresario(self, player: Player) -> Script:
        """Up to two pieces, then everything may be staged anew. (By version 1 the dearer first.)"""
        along = player is not self.hirer
        dearest = len(COMPOSERS)
        for done in (0, 1):
            fee = self._fee(player, done)
            on_sale = [one for one in COMPOSERS if self.offer.pieces[one] and self.ladder.fame(one) <= dearest]
            if self._level(player) < fee:
                on_sale = []
            joining = along and done == 0
            if not on_sale and not joining:
                break
            options = {f"buy {one}" for one in on_sale if self.ladder.fame(one) <= player.ducats}
            if joining:
                options.add("decline")
            if not joining or self._level(player) >= self._rearranging_fee():
                options.add("stop")
            verb, *what = yield from self._ask(player, "buy", options)
            if verb == "decline":
                self._intermezzo(player)
                return
            if verb == "stop":
                if joining:
                    self._join(player, self._rearranging_fee())
                    self._tell("rearranges", seat=str(player.seat))
                break
            (composer,) = what
            price = self.ladder.fame(composer)
            self._join(player, fee)
            player.ducats -= price
            self.offer.pieces[composer] -= 1
            player.screen.append(composer)
            self.first = price
            if self.version == 1:
                dearest = price
            self._tell("buys", seat=str(player.seat), composer=composer, ducats=price)
        self.first = None
        yield from self._rearrange(player)

    def _rearrange(self, player: Player) -> Script:
        """Keep all as it is, or take everything up and fill hall after hall of house after house."""
        houses = player.opera_houses()
        asked = "rearrange"
        for house in houses:
            number = 0
            while number < len(house.halls):
                self.hall = (house.city, number)
                options = {"empty"} | {f"place {piece}" for piece in self._stageable(player, house, number, asked)}
                if asked == "rearrange":
                    options.add("keep")
                verb, *what = yield from self._ask(player, asked, options)
                if verb == "keep":
                    self.hall = None
                    self._tell("keeps", seat=str(player.seat))
                    return
                if asked == "rearrange":
                    for one in houses:
                        player.screen += one.clear()
                    asked = "stage"
                if verb == "place":
                    player.screen.remove(what[0])
                    house.halls[number] = what[0]
                elif number > 0:
                    break
                number += 1
            great, *side = house.halls
            shown = [piece for piece in PIECES if piece in side]
            self._tell("stages", seat=str(player.seat), city=house.city, great=great, side=shown)
        self.hall = None

    def _stageable(self, player: Player, house: House, number: int, asked: str) -> list[str]:
        """The pieces for a hall: no composer twice in a house, and side halls in the order of the pieces."""
        if asked == "rearrange":  # everything is still to be taken up
            return [piece for piece in PIECES if piece in player.screen or piece in player.operas()]
        last = max((PIECES.index(piece) for piece in house.halls[1:] if piece is not None), default=-1)
        later = PIECES[last + 1 :] if number > 0 else PIECES
        return [piece for piece in later if piece in player.screen and piece not in house.halls]

    def _architetto(self, player: Player) -> Script:
        """One or two parts, at two ducats and two points a hall."""
        built: list[Part] = []
        while len(built) < 2 and self._level(player) >= self._fee(player, len(built)):
            sites = self._sites(player)
            if self.version == 1 and built:  # the later of two parts in the order of the cities came second
                sites = [part for part in sites if part.number > built[0].number]
            if not sites:
                break
            options = {f"build {part}" for part in sites if part.cost <= player.ducats}
            if built:
                options.add("stop")
            elif player is not self.hirer:
                options.add("decline")
            verb, *what = yield from self._ask(player, "build", options)
            if verb == "decline":
                self._intermezzo(player)
            if verb != "build":
                break
            part = self.box[" ".join(what)]
            self._join(player, self._fee(player, len(built)))
            player.ducats -= part.cost
            player.earned["building"] += part.points
            self.erect(player, part)
            built.append(part)
            self.first = built[0].number
            self._tell("builds", seat=str(player.seat), city=part.city, part=part.name, halls=part.halls)
        self.first = None

    def erect(self, player: Player, part: Part) -> None:
        """A part goes from beside the board to a player, paid for or not."""
        self.supply[part] -= 1
        player.build(part)

    def _sites(self, player: Player) -> list[Part]:
        """The parts the player might build, whatever they cost."""
        return [
            part
            for part in self.box.values()
            if self.supply[part]
            and self.counts >= OPENS_AFTER[part.city]
            and not player.has_built(part)
            and (part.name == "main" or part.city in player.houses)
        ]

    def _signora(self, player: Player) -> Script:
        """One piece goes to the Palazzo, for twice its fame in ducats or for its fame in points."""
        options = self._sales(player)
        if player is not self.hirer:
            options.add("decline")
        verb, *what = yield from self._ask(player, "sell", options)
        if verb == "decline":
            self._intermezzo(player)
            return
        composer, source = what
        self._join(player, self._fee(player, 0))
        if source == "screen":
            player.screen.remove(composer)
        else:
            player.houses[source].remove(composer)
        self.palazzo.append(composer)
        self.sold = composer
        self._tell("sells", seat=str(player.seat), composer=composer, source=source)
        _, reward = yield from self._ask(player, "pay", {"take ducats", "take points"})
        self.sold = None
        fame = self.ladder.fame(composer)
        if reward == "ducats":
            player.ducats += 2 * fame
            self._tell("paid", seat=str(player.seat), composer=composer, ducats=2 * fame)
        else:
            player.earned["signora"] += fame
            self._tell("honoured", seat=str(player.seat), composer=composer, points=fame)

    def _sales(self, player: Player) -> set[str]:
        wanted = [] if self._palazzo_is_full() else [one for one in COMPOSERS if one not in self.palazzo]
        return {f"sell {one} {source}" for one in wanted for source in player.sources(one)}

    def _palazzo_is_full(self) -> bool:
        return len(self.palazzo) == self.palazzo_places

    def _intermezzo(self, player: Player) -> None:
        self._tell("declines", seat=str(player.seat), role=self.role)

    # The characters.

    def _move(self, player: Player, figure: str) -> Script:
        """The figure goes to another city with a free place, open or not (rulings 4 to 6)."""
        standing = Counter(self.figures.values())
        free = {city for city, places in self.places.items() if standing[city] < places} - {self.figures[figure]}
        _, city = yield from self._ask(player, "move", {f"move {city}" for city in free})
        self.figures[figure] = city
        self._tell("moves", seat=str(player.seat), figure=figure, city=city)

    def _maestro(self, player: Player) -> Script:
        """Moves; what the Maestro is for comes with the income."""
        yield from self._move(player, "maestro")

    def _critico(self, player: Player) -> Script:
        """Moves, then a composer performed in that city may go up or down by one or two steps."""
        yield from self._move(player, "critico")
        city = self.figures["critico"]
        assert city is not None
        performed = {piece for anyone in self.players for piece in anyone.operas_in(city)} - {HOUSE_PIECE}
        if not performed:
            return
        options = {"withhold"}
        for composer in performed:
            fame = self.ladder.fame(composer)
            options |= {f"praise {composer} {steps}" for steps in (1, 2) if fame + steps <= len(COMPOSERS)}
            options |= {f"scorn {composer} {steps}" for steps in (1, 2) if fame - steps >= 1}
        verb, *what = yield from self._ask(player, "review", options)
        if verb == "withhold":
            self._tell("withholds", seat=str(player.seat))
            return
        composer, count = what
        before = list(self.ladder.cards)
        self.ladder.shift(composer, int(count) if verb == "praise" else -int(count))
        self._tell("judges", seat=str(player.seat), composer=composer, fame=self.ladder.fame(composer))
        for passed in self.ladder.changed_since(before):
            if passed != composer:
                self._tell("shifts", composer=passed, fame=self.ladder.fame(passed))

    def _esperto(self, player: Player) -> Script:
        """Moves and scores there; the best piece goes to the last in points. Then the others may score and lose theirs."""
        yield from self._move(player, "esperto")
        city = self.figures["esperto"]
        assert city is not None

        # Who is last counts before anything is scored.
        fewest = min(one.points for one in self.players)
        last = [one for one in self._in_order() if one.points == fewest]
        best = self._score(player, city)
        if best is not None and player not in last:
            receiver = last[-1]
            receiver.screen.append(best)
            self._tell("gives", seat=str(player.seat), composer=best, receiver=str(receiver.seat))
        elif best is not None and self.options["dutch_esperto"]:
            self.lost[best] += 1
            self._tell("loses", seat=str(player.seat), composer=best)
        elif best is not None:
            self._discard(player, best)

        for other in self._in_order():
            if other is player or not set(other.operas_in(city)) - {HOUSE_PIECE}:
                continue
            (verb,) = yield from self._ask(other, "score", {"score", "decline"})
            self.flipped.add(other.seat)
            if verb == "decline":
                self._tell("abstains", seat=str(other.seat))
            else:
                best = self._score(other, city)
                assert best is not None
                self._discard(other, best)

    def _score(self, player: Player, city: str) -> str | None:
        """Points for all operas of a player in a city; the best piece leaves its hall."""
        fames = {self.ladder.fame(piece): piece for piece in player.operas_in(city) if piece != HOUSE_PIECE}
        player.earned["esperto"] += sum(fames)
        self._tell("scores", seat=str(player.seat), city=city, points=sum(fames))
        if not fames:
            return None
        best = fames[max(fames)]
        player.houses[city].remove(best)
        return best

    def _discard(self, player: Player, composer: str) -> None:
        self.offer.discard[composer] += 1
        self._tell("discards", seat=str(player.seat), composer=composer)

    # What happens by itself.

    def _income_phase(self) -> None:
        """Every house pays by its operas, and twice in the Maestro's city."""
        for player in self.players:
            plain = sum(house.income() for house in player.houses.values())
            extra = sum(house.income() for house in player.houses.values() if house.city == self.figures["maestro"])
            player.ducats += plain + extra
            self._tell("earns", seat=str(player.seat), pieces=len(player.operas()), ducats=plain)
            if extra:
                self._tell("doubles", seat=str(player.seat), city=self.figures["maestro"], ducats=extra)

    def _end_phase(self) -> None:
        """Fame, the new offer, the role cards, the Palazzo, the markers: in this order (ruling 27)."""
        self._update_fame()

        for composer in COMPOSERS:
            if pieces := self.offer.pieces[composer]:
                self._tell("unsold", composer=composer, pieces=pieces)
        self.offer.discard += self.offer.pieces
        self.offer.pieces = Counter()
        if self.round != self.count_rounds[-1]:
            self._fill_offer(self._drawn, "offers")

        self.taken = set()
        if self._palazzo_is_full():
            self._empty_palazzo("empties")
        for player in self.players:
            player.passed = False
            player.roles = 0
        for player in self.players:
            if self._level(player) == 0:
                player.ducats += 1
                self._tell("bonus", seat=str(player.seat))

    def _update_fame(self) -> None:
        """The most performed composers rise."""
        performed = Counter(piece for player in self.players for piece in player.operas() if piece != HOUSE_PIECE)
        if not performed:
            return
        times = max(performed.values())
        most = [composer for composer in COMPOSERS if performed[composer] == times]
        before = list(self.ladder.cards)
        self.ladder.rise(set(most))
        self._tell("most", composers=most, times=times)
        for composer in self.ladder.changed_since(before):
            self._tell("climbs", composer=composer, fame=self.ladder.fame(composer))

    def _fill_offer(self, drawn: list[Drawn], word: str) -> None:
        """New pieces from the pile; once it is empty, from the discard pile, but what was set aside waits (ruling 28)."""
        aside: Counter[str] = Counter()
        self._lay_out(drawn, aside, word)
        if self.offer.lacks() and self.offer.discard.total():
            self._tell("reshuffles", pieces=self.offer.reshuffle())
            self._lay_out(drawn, aside, "adds")
            self.offer.lacks()
        self.offer.discard += aside

    def _lay_out(self, drawn: list[Drawn], aside: Counter[str], word: str) -> None:
        pieces = drawn.pop(0) if drawn else {}
        self.offer.take_up(pieces, aside)
        for composer in COMPOSERS:
            if composer in pieces:
                offered, excess = pieces[composer]
                self._tell(word, composer=composer, pieces=offered, aside=excess)

    def _empty_palazzo(self, word: str) -> None:
        if self.palazzo:
            self._tell(word, composers=[one for one in COMPOSERS if one in self.palazzo])
        self.offer.discard.update(self.palazzo)
        self.palazzo = []

    def _counting_round(self) -> None:
        """Great halls count their fame and the bonus of the century, empty halls cost a point; then cities open."""
        self.counts += 1
        honoured = self.century[self.counts - 1]
        self._tell("counting", count=self.counts, composer=honoured)
        for player in self.players:
            great = [piece for house in player.houses.values() if (piece := house.halls[0]) is not None]
            fame = sum(self.ladder.fame(piece) for piece in great)
            bonus = self.counts * great.count(honoured)
            empty = sum(house.halls.count(None) for house in player.houses.values())
            self._count(player, "great", "counts", fame)
            if bonus:
                self._count(player, "century", "celebrates", bonus)
            if empty:
                self._count(player, "empty", "forfeits", -empty)
        self._empty_palazzo("clears")
        for city in CITIES:
            if OPENS_AFTER[city] == self.counts:
                self._tell("reveals", city=city)

    def _count(self, player: Player, origin: str, word: str, points: int) -> None:
        player.earned[origin] += points
        self._tell(word, seat=str(player.seat), points=abs(points), total=player.points)

    def _crown(self) -> None:
        """The most points win; of equals, whoever stands better in the budget table."""
        best = max(player.points for player in self.players)
        self.winner = next(player.seat for player in self._in_order() if player.points == best)
        self._tell("wins", seat=str(self.winner), points=best)

    # Small words.

    def _in_order(self) -> list[Player]:
        """The players in the order of the budget table."""
        return [self.players[seat] for seat in self.budget.order()]

    def _level(self, player: Player) -> int:
        return self.budget.level(player.seat)

    def _pay_levels(self, player: Player, levels: int) -> None:
        self.budget.move(player.seat, -levels)

    def state(self) -> dict[str, Any]:
        """Everything on the table and behind the screens, with the names that a position has."""
        turn = None if self.asked() in ("bid", "nothing") else self.to_act()[0]
        order = self.budget.order()
        nobody = Player(-1)
        chairs = [self.players[seat] if seat < len(self.players) else nobody for seat in CHAIRS]
        return {
            "version": self.version,
            "seats": len(self.players),
            **self.options,
            "round": self.round,
            "counts": self.counts,
            "asked": self.asked(),
            "turn": _seat(turn),
            "role": self.role,
            "hirer": _seat(self.hirer.seat if self.hirer else None),
            "flipped": [str(seat) for seat in sorted(self.flipped)],
            "passed": [str(player.seat) for player in self.players if player.passed],
            "taken": [role for role in ROLES if role in self.taken],
            "hired": {str(seat): player.roles for seat, player in enumerate(chairs)},
            "order": {str(place + 1): _seat(order[place]) if place < len(order) else None for place in CHAIRS},
            "level": {str(seat): self._level(player) if player is not nobody else 0 for seat, player in enumerate(chairs)},
            "has_bid": [str(player.seat) for player in self.players if player.bid is not None],
            "bid": {str(seat): -1 if player.bid is None else player.bid for seat, player in enumerate(chairs)},
            "points": {str(seat): player.points for seat, player in enumerate(chairs)},
            "earned": {str(seat): {score: player.earned[score] for score in SCORES} for seat, player in enumerate(chairs)},
            "ducats": {str(seat): player.ducats for seat, player in enumerate(chairs)},
            "bank": COINS - sum(player.ducats for player in self.players),
            "fame": {composer: self.ladder.fame(composer) for composer in COMPOSERS},
            "century": {str(count): composer for count, composer in enumerate(self.century, 1)},
            "deck": {composer: self.offer.deck[composer] for composer in COMPOSERS},
            "discard": {composer: self.offer.discard[composer] for composer in COMPOSERS},
            "offer": {composer: self.offer.pieces[composer] for composer in COMPOSERS},
            "lost": {composer: self.lost[composer] for composer in COMPOSERS},
            "palazzo": [composer for composer in COMPOSERS if composer in self.palazzo],
            "figure": dict(self.figures),
            "supply": {city: {name: self._left(city, name) for name in PARTS} for city in CITIES},
            "built": {str(seat): {city: _parts(player, city) for city in CITIES} for seat, player in enumerate(chairs)},
            "halls": {str(seat): {city: len(_halls(player, city)) for city in CITIES} for seat, player in enumerate(chairs)},
            "great": {str(seat): {city: _great(player, city) for city in CITIES} for seat, player in enumerate(chairs)},
            "side": {str(seat): {city: _side(player, city) for city in CITIES} for seat, player in enumerate(chairs)},
            "screen": {str(seat): {one: player.screen.count(one) for one in PIECES} for seat, player in enumerate(chairs)},
            "first": -1 if self.first is None else self.first,
            "sold": self.sold,
            "city": self.hall[0] if self.hall else None,
            "hall": self.hall[1] if self.hall else 0,
            "ending": 0 if self.winner is None else 1 + self.options["seven_rounds"],
        }

    def _left(self, city: str, name: str) -> int:
        part = self.box.get(f"{city} {name}")
        return self.supply[part] if part is not None else 0


def _seat(seat: Seat | None) -> str | None:
    return None if seat is None else str(seat)


def _halls(player: Player, city: str) -> list[str | None]:
    return player.houses[city].halls if city in player.houses else []


def _parts(player: Player, city: str) -> list[str]:
    built = player.houses[city].parts if city in player.houses else []
    return [part.name for part in sorted(built, key=lambda part: part.number)]


def _great(player: Player, city: str) -> str | None:
    return next(iter(_halls(player, city)), None)


def _side(player: Player, city: str) -> list[str]:
    side = _halls(player, city)[1:]
    return [piece for piece in PIECES if piece in side]
