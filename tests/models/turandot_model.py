"""A second, slow reading of the rules of Turandot, to hold against the engine.

Every card is a thing that lies somewhere: in a hand, before a player, under a role, in a troupe. Nothing is computed ahead of
time and nothing is drawn at random: whoever uses the model tells it who starts with Puccini and which cards are laid out.

>>> model = Model(2, first=1, cards=["zia", "opale", "masque"])
>>> model.to_act(), len(model.legal(1)), model.legal(0)
([1], 26, set())
>>> model.play(1, "bid 3 1 bluff")
[('lays', {'seat': '1', 'cards': 3, 'choice': 'bid 3 1 bluff'})]
>>> for name, what in model.play(0, "money plain"):
...     print(name, *what.values())
lays 0 1 money plain
reveals 1 bid 3 1 bluff
reveals 0 money plain
recruits 1 masque 3 1
hires 0 dressmaker
>>> model.to_act(), sorted(model.legal(1))
([1], ['give 1', 'give 2'])
>>> model.play(1, "give 1")
[('gives', {'seat': '0', 'card': 'zia', 'position': '1'})]
>>> model.play(1, "name 0")
[('names', {'seat': '1', 'other': '0'})]
>>> for name, what in model.play(0, "strike temple", cards=["vega", "malo", "lulu"]):
...     print(name, *what.values())
strikes 0 temple
joins opale
opens 2 0
presents 1 vega
presents 2 malo
presents 3 lulu
"""

from __future__ import annotations

import tomllib
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import permutations, product
from pathlib import Path
from typing import Any

ROLES = ("turandot", "calaf", "liu", "ping", "pong", "pang")
SEX_OF_ROLE = {"turandot": "F", "calaf": "M", "liu": "F", "ping": "M", "pong": "M", "pang": "M"}
CHAIRS = range(5)
POSITIONS = range(1, 7)
ROUNDS = 7
DIRECTOR_ROUND = 4
STRIKING_ROUNDS = (1, 2, 3)
MONEY_CARDS = 3

Telling = tuple[str, dict[str, Any]]
"""Something told to the table: a name and what it is about, as text and numbers."""


# The cards.


@dataclass(frozen=True)
class Singer:
    """A singer card."""

    name: str
    category: str
    stars: int
    sex: str
    favourite: str | None

    def is_one(self, which: str) -> bool:
        """Whether the singer is what a director's term asks for, as in 'sex:U' or 'favourite:ping|pong'."""
        trait, _, wanted = which.partition(":")
        match trait, wanted:
            case "favourite", "any":
                return self.favourite is not None
            case "favourite", "none":
                return self.favourite is None
            case "favourite", _:
                return self.favourite in wanted.split("|")
            case "category", _:
                return self.category in wanted.split("|")
            case "sex", _:
                return self.sex in wanted.split("|")
            case "stars", _:
                return str(self.stars) in wanted.split("|")
        raise ValueError(f"no trait {trait!r}")


@dataclass(frozen=True)
class Director:
    """A director card: terms that look at a troupe, never at who sings what."""

    name: str
    terms: tuple[dict[str, Any], ...] = field(compare=False)

    def points(self, troupe: Collection[Singer]) -> int:
        return sum(self.term(term, troupe) for term in self.terms)

    @staticmethod
    def term(term: dict[str, Any], troupe: Collection[Singer]) -> int:
        """What one line of the card gives for a troupe."""
        match term:
            case {"per": which, "points": points}:
                return sum(points for singer in troupe if singer.is_one(which))
            case {"at_least": which, "n": n, "points": points}:
                return points if len([singer for singer in troupe if singer.is_one(which)]) >= n else 0
            case {"fewer_than": which, "n": n, "points": points}:
                return points if len([singer for singer in troupe if singer.is_one(which)]) < n else 0
            case {"table": "distinct_categories", "values": values}:
                return int(values[len({singer.category for singer in troupe})])
            case {"table": "max_same_category", "values": values}:
                return int(values[max(Counter(singer.category for singer in troupe).values(), default=0)])
            case {"table": "women", "values": values}:
                return int(values[len([singer for singer in troupe if singer.sex == "F"])])
        raise ValueError(f"no such term: {term}")


Card = Singer | Director


def unpacked(text: str) -> tuple[dict[str, Singer], dict[str, Director]]:
    """The singers and the directors that a box file lists, by name."""
    box = tomllib.loads(text)
    singers = [Singer(one["id"], one["category"], one["stars"], one["sex"], one.get("favourite")) for one in box["singers"]]
    directors = [Director(one["id"], tuple(one["terms"])) for one in box["directors"]]
    return {one.name: one for one in singers}, {one.name: one for one in directors}


BOX = Path(__file__).parents[2] / "ridotto" / "games" / "turandot" / "components.toml"
SINGERS, DIRECTORS = unpacked(BOX.read_text(encoding="utf-8"))


# An audition.


@dataclass(frozen=True)
class Play:
    """The cards that a player lays in an audition: perhaps a number, perhaps money, perhaps the bluff."""

    number: int | None
    money: int
    bluff: bool = False

    @classmethod
    def named(cls, notation: str) -> Play:
        match notation.split():
            case ["bid", number, money, bluff]:
                return cls(int(number), int(money), bluff == "bluff")
            case ["money", bluff]:
                return cls(None, 1, bluff == "bluff")
        raise ValueError(f"{notation!r} is nothing that can be laid")

    def __str__(self) -> str:
        first = "money" if self.number is None else f"bid {self.number} {self.money}"
        return f"{first} {'bluff' if self.bluff else 'plain'}"

    @property
    def cards(self) -> int:
        """How many cards the others see lying there."""
        return (self.number is not None) + self.money + self.bluff

    @property
    def is_allowed(self) -> bool:
        """A number with any money, or one money card alone (rulings B1, B2, B5)."""
        return self.number is not None or self.money == 1


def clockwise(holder: int, seats: int) -> list[int]:
    """All seats from the left of Puccini's holder round the table, the holder last."""
    return [(holder + step) % seats for step in range(1, seats + 1)]


@dataclass
class Verdict:
    """What an audition comes to."""

    wins: dict[int, int] = field(default_factory=dict)
    """The number that each winner wins."""
    paid: Counter[int] = field(default_factory=Counter)
    back: Counter[int] = field(default_factory=Counter)
    hired: dict[int, str] = field(default_factory=dict)
    lacking: list[int] = field(default_factory=list)
    """Who still needs a card, in the order in which they are served."""
    told: list[Telling] = field(default_factory=list)


def resolve(plays: Mapping[int, Play], holder: int, row: Mapping[int, str], helpers: Sequence[str]) -> Verdict:
    """Who wins what, who pays, who is helped: the plays of all seats, the cards by number, the helpers who can be hired."""
    verdict = Verdict()

    # Number by number: the one who offers most money takes the card and pays all of it; the others take theirs back.
    for number in sorted(row):
        bidders = sorted(seat for seat, play in plays.items() if play.number == number)
        if not bidders:
            continue
        most = max(plays[seat].money for seat in bidders)
        best = [seat for seat in bidders if plays[seat].money == most]
        losers = [seat for seat in bidders if seat not in best] if len(best) == 1 else bidders
        for seat in losers:
            verdict.back[seat] += plays[seat].money
        if len(best) == 1:
            winner = best[0]
            verdict.wins[winner] = number
            verdict.paid[winner] += most
            what = {"seat": str(winner), "card": row[number], "position": str(number), "paid": most}
            verdict.told.append(("overbids" if losers else "recruits", what))
            for seat in losers:
                verdict.told.append(("outbid", {"seat": str(seat), "position": str(number), "back": plays[seat].money}))
        else:
            equal = [str(seat) for seat in best]
            verdict.told.append(("tied", {"position": str(number), "seats": equal, "money": most}))

    # Money alone: a helper each, as long as there are any, but never for Puccini's holder.
    free = list(helpers)
    for seat in clockwise(holder, len(plays)):
        if plays[seat].number is not None:
            continue
        if seat != holder and free:
            verdict.hired[seat] = free.pop(0)
            verdict.told.append(("hires", {"seat": str(seat), "helper": verdict.hired[seat]}))
        else:
            verdict.back[seat] += 1
            if helpers:
                why = "puccini" if seat == holder else "taken"
                verdict.told.append(("refused", {"seat": str(seat), "why": why}))
            else:
                verdict.told.append(("retrieves", {"seat": str(seat)}))

    verdict.lacking = [seat for seat in clockwise(holder, len(plays)) if seat not in verdict.wins]
    return verdict


# What a troupe is worth.


@dataclass(frozen=True)
class Points:
    """A score in its parts."""

    stars: int = 0
    favourites: int = 0
    wrong: int = 0
    elements: int = 0
    director: int = 0
    puccini: int = 0

    @property
    def total(self) -> int:
        return self.stars + self.favourites + self.wrong + self.elements + self.director + self.puccini


def sung(singers: Sequence[Singer]) -> Points:
    """What six singers bring who sing the six roles in order."""
    singing = list(zip(singers, ROLES, strict=True))
    return Points(
        stars=sum(singer.stars for singer in singers),
        favourites=len([singer for singer, role in singing if singer.favourite == role]),
        wrong=-len([singer for singer, role in singing if singer.sex not in ("U", SEX_OF_ROLE[role])]),
    )


def best_casting(troupe: Collection[Singer]) -> Points:
    """What six singers bring in the best of all 720 castings."""
    return max((sung(order) for order in permutations(troupe)), key=lambda points: points.total)


def winners(points: Sequence[Points]) -> list[int]:
    """The seats with the most points; between equals the most stars on singers; still equals share."""
    most = max(one.total for one in points)
    tied = [seat for seat, one in enumerate(points) if one.total == most]
    brightest = max(points[seat].stars for seat in tied)
    return [seat for seat in tied if points[seat].stars == brightest]


# The table.


class Player:
    """A player with hand, cards laid, discard, and what stands face up."""

    def __init__(self, seat: int, numbers: Iterable[int]) -> None:
        self.seat = seat
        self.numbers = set(numbers)
        self.purse = MONEY_CARDS
        self.bluff = True
        self.play: Play | None = None
        self.face_up = False
        self.on_table = 0
        """Money cards that lie before the player in this audition."""
        self.discarded = 0
        self.elements = 0
        self.troupe: list[Singer] = []
        self.director: Director | None = None
        self.casting: list[Singer] = []

    def plays(self) -> list[Play]:
        """Everything that can be laid from this hand."""
        bluffs = (False, True) if self.bluff else (False,)
        mixed = (Play(*cards) for cards in product([None, *sorted(self.numbers)], range(self.purse + 1), bluffs))
        return [play for play in mixed if play.is_allowed]

    def lay(self, play: Play) -> None:
        if play.number is not None:
            self.numbers.remove(play.number)
        self.purse -= play.money
        self.on_table += play.money
        self.bluff = not play.bluff
        self.play = play

    def pay(self, money: int) -> None:
        self.on_table -= money
        self.discarded += money

    def take_back(self, money: int) -> None:
        self.on_table -= money
        self.purse += money

    def build(self) -> None:
        """The money card becomes a costume or a piece of scenery."""
        self.on_table -= 1
        self.elements += 1

    def pick_up(self) -> None:
        """Number and bluff come back into the hand at the end of a round."""
        assert self.play is not None and not self.on_table
        if self.play.number is not None:
            self.numbers.add(self.play.number)
        self.bluff = True
        self.play = None
        self.face_up = False

    def recruit(self, card: Card) -> None:
        if isinstance(card, Singer):
            self.troupe.append(card)
        else:
            assert self.director is None
            self.director = card


class Model:
    """One match, from the first cards under the roles to its end."""

    def __init__(
        self,
        seats: int,
        *,
        first: int,
        cards: Sequence[str],
        blind: bool = False,
        singers: Mapping[str, Singer] = SINGERS,
        directors: Mapping[str, Director] = DIRECTORS,
    ) -> None:
        if seats not in range(2, 6) or first not in range(seats):
            raise ValueError(f"two to five sit at the table and one of them starts, not {first} of {seats}")
        self.blind = blind
        self.players = [Player(seat, range(1, seats + 2)) for seat in range(seats)]
        self.puccini = first
        self.round = 1
        self.asked = "audition"
        self.row: dict[int, Card] = {}
        """The cards that lie under the roles, by number."""
        self.singers = singers
        self.pile = dict(singers)
        self.directors = dict(directors)
        self.lacking: list[int] = []
        self.named: int | None = None
        self.fictitious: list[Singer] = []
        self.fictitious_director: Director | None = None
        self.shown = False
        """Whether the castings lie open."""
        self.ending: str | None = None
        self.winners: list[int] = []
        option: list[Telling] = [("blind", {})] if blind else []
        self.opening = [*option, ("starts", {"seat": str(first)}), *self._lay_out(cards)]
        """What the deal tells."""

    @property
    def seats(self) -> int:
        return len(self.players)

    @property
    def helpers(self) -> list[str]:
        """Who can be hired in this round: nobody while directors are on offer, the carpenter only among four or five."""
        if self.round == DIRECTOR_ROUND:
            return []
        return ["dressmaker", "carpenter"] if self.seats >= 4 else ["dressmaker"]

    # Who may do what.

    def to_act(self) -> list[int]:
        """The seats that owe a decision."""
        match self.asked:
            case "audition":
                # From the holder clockwise, one at a time; blind, all who have not laid yet.
                around = [self.puccini, *clockwise(self.puccini, self.seats)[:-1]]
                waiting = [seat for seat in around if self.players[seat].play is None]
                return sorted(waiting) if self.blind else waiting[:1]
            case "understudy" | "name":
                return [self.puccini]
            case "strike":
                assert self.named is not None
                return [self.named]
            case "cast":
                return [player.seat for player in self.players if len(player.casting) < len(ROLES)]
        return []

    def legal(self, seat: int) -> set[str]:
        """Every action that a seat may choose now."""
        if seat not in self.to_act():
            return set()
        player = self.players[seat]
        match self.asked:
            case "audition":
                return {str(play) for play in player.plays()}
            case "understudy":
                return {f"give {number}" for number in self.row}
            case "name":
                return {f"name {other.seat}" for other in self.players if other is not player}
            case "strike":
                return {f"strike {name}" for name in self.directors}
        return {f"cast {singer.name}" for singer in player.troupe if singer not in player.casting}

    def play(self, seat: int, action: str, cards: Sequence[str] | None = None) -> list[Telling]:
        """Carry out an action; `cards` are those that chance lays out if it opens a round. Answers with what is told."""
        if action not in self.legal(seat):
            raise ValueError(f"illegal action {action!r} by seat {seat}; legal: {sorted(self.legal(seat))}")
        verb, _, what = action.partition(" ")
        match verb:
            case "bid" | "money":
                told = self._audition(self.players[seat], Play.named(action))
            case "give":
                told = self._give(int(what))
            case "name":
                self.named = int(what)
                self.asked = "strike"
                told = [("names", {"seat": str(seat), "other": what})]
            case "strike":
                del self.directors[what]
                self.named = None
                told = [("strikes", {"seat": str(seat), "director": what}), *self._end_round()]
            case _:
                self.players[seat].casting.append(self.singers[what])
                told = [] if self.to_act() else self._finish()

        # A round that has ended and is not the last opens the next one.
        if self.asked == "opening":
            if cards is None:
                raise ValueError(f"{action!r} opens round {self.round}, whose cards must be told")
            told += self._lay_out(cards)
        elif cards is not None:
            raise ValueError(f"{action!r} lays out no cards, but was told {cards}")
        return told

    # The round, in its order.

    def _lay_out(self, names: Sequence[str]) -> list[Telling]:
        """One card more than there are players, from position 1 on; directors not laid out leave the game."""
        source: dict[str, Any] = self.directors if self.round == DIRECTOR_ROUND else self.pile
        if len(names) != self.seats + 1 or len(set(names)) != len(names) or not set(names) <= set(source):
            raise ValueError(f"round {self.round} lays out {self.seats + 1} of {sorted(source)}, not {names}")
        self.row = {number: source.pop(name) for number, name in enumerate(names, 1)}
        told: list[Telling] = [("opens", {"round": self.round, "seat": str(self.puccini)})]
        brings = "offers" if self.round == DIRECTOR_ROUND else "presents"
        told += [(brings, {"position": str(number), "card": card.name}) for number, card in self.row.items()]
        if self.round == DIRECTOR_ROUND:
            told += [("removed", {"director": name}) for name in self.directors]
            self.directors.clear()
        self.asked = "audition"
        return told

    def _audition(self, player: Player, play: Play) -> list[Telling]:
        player.lay(play)
        told: list[Telling] = []
        if not self.blind:
            told.append(("lays", {"seat": str(player.seat), "cards": play.cards, "choice": str(play)}))
        if not self.to_act():
            told += self._reveal()
        return told

    def _reveal(self) -> list[Telling]:
        """All cards are turned up, and the audition is resolved."""
        plays: dict[int, Play] = {}
        told: list[Telling] = []
        for seat in [self.puccini, *clockwise(self.puccini, self.seats)[:-1]]:
            player = self.players[seat]
            assert player.play is not None
            player.face_up = True
            plays[seat] = player.play
            told.append(("reveals", {"seat": str(seat), "choice": str(player.play)}))
        names = {number: card.name for number, card in self.row.items()}
        verdict = resolve(plays, self.puccini, names, self.helpers)
        for seat, number in verdict.wins.items():
            self.players[seat].recruit(self.row.pop(number))
        for player in self.players:
            player.pay(verdict.paid[player.seat])
            player.take_back(verdict.back[player.seat])
            if player.seat in verdict.hired:
                player.build()
        self.lacking = verdict.lacking
        self.asked = "understudy"
        return told + verdict.told + self._go_on()

    def _give(self, number: int) -> list[Telling]:
        seat = self.lacking.pop(0)
        card = self.row.pop(number)
        self.players[seat].recruit(card)
        return [("gives", {"seat": str(seat), "card": card.name, "position": str(number)}), *self._go_on()]

    def _go_on(self) -> list[Telling]:
        """Once everybody has a card: a director is struck in the early rounds, then the round ends."""
        if self.lacking:
            return []
        if self.round in STRIKING_ROUNDS:
            self.asked = "name"
            return []
        return self._end_round()

    def _end_round(self) -> list[Telling]:
        """The card left over goes, hands are picked up, Puccini moves on."""
        (card,) = self.row.values()
        self.row.clear()
        if self.seats > 2:
            told: list[Telling] = [("leaves", {"card": card.name})]
        else:
            told = [("joins", {"card": card.name})]
            if isinstance(card, Singer):
                self.fictitious.append(card)
            else:
                self.fictitious_director = card
        for player in self.players:
            player.pick_up()
        if self.round == ROUNDS:
            self.asked = "cast"
        else:
            self.asked = "opening"
            self.round += 1
            self.puccini = clockwise(self.puccini, self.seats)[0]
        return told

    # The end.

    def points(self) -> list[Points]:
        """What each player's cards on the table are worth now: roles count once shown, Puccini once all is over."""
        found = []
        for player in self.players:
            singing = sung(player.casting) if self.shown else Points(stars=sum(one.stars for one in player.troupe))
            cost = -1 if self.shown and self.seats == 2 and player.seat == self.puccini else 0
            director = player.director.points(player.troupe) if player.director else 0
            found.append(Points(singing.stars, singing.favourites, singing.wrong, player.elements, director, cost))
        return found

    def rival(self) -> Points:
        """What the fictitious troupe is worth: its singers sing in the order in which they came."""
        assert self.fictitious_director is not None
        singing = sung(self.fictitious)
        director = self.fictitious_director.points(self.fictitious)
        return Points(singing.stars, singing.favourites, singing.wrong, director=director)

    def _finish(self) -> list[Telling]:
        """All castings are shown and counted."""
        self.shown = True
        self.asked = "nothing"
        told: list[Telling] = []
        for player in self.players:
            names = dict(zip(ROLES, (singer.name for singer in player.casting), strict=True))
            told.append(("leads", {"seat": str(player.seat)} | {role: names[role] for role in ROLES[:3]}))
            told.append(("trio", {"seat": str(player.seat)} | {role: names[role] for role in ROLES[3:]}))
        points = self.points()
        for seat, one in enumerate(points):
            first = {"seat": str(seat), "stars": one.stars, "favourites": one.favourites, "wrong": one.wrong}
            rest = {"elements": one.elements, "director": one.director, "puccini": one.puccini, "total": one.total}
            told += [("sings", first), ("counts", {"seat": str(seat)} | rest)]
        self.ending = "finished"
        if self.seats == 2:
            rival = self.rival()
            singing = {"stars": rival.stars, "favourites": rival.favourites, "wrong": rival.wrong}
            told.append(("fictitious", singing | {"director": rival.director, "total": rival.total}))
            if all(rival.total > one.total for one in points):
                self.ending = "fictitious"
        if self.ending == "fictitious":
            return [*told, ("lost", {})]
        self.winners = winners(points)
        totals = [one.total for one in points]
        tied = [str(seat) for seat, one in enumerate(totals) if one == max(totals)]
        won = [str(seat) for seat in self.winners]
        if len(tied) == 1:
            return [*told, ("wins", {"seat": won[0]})]
        self.ending = "tied"
        why = {"stars": points[self.winners[0]].stars, "seats": tied, "total": max(totals)}
        return [*told, ("shares", {"winners": won} | why) if len(won) > 1 else ("settles", {"seat": won[0]} | why)]

    # The table as plain values.

    def state(self) -> dict[str, Any]:
        """Everything on and under the table, in the words and the order of a position."""
        chairs: list[Player | None] = [*self.players, *[None] * (len(CHAIRS) - self.seats)]
        slots = {str(number): None for number in POSITIONS}
        empty = dict.fromkeys(ROLES)

        def each(value: Any, absent: Any) -> dict[str, Any]:
            return {str(chair): absent if player is None else value(player) for chair, player in enumerate(chairs)}

        def in_order(singers: Sequence[Singer]) -> dict[str, Any]:
            return slots | {str(slot): singer.name for slot, singer in enumerate(singers, 1)}

        def by_role(singers: Sequence[Singer]) -> dict[str, Any]:
            return empty | {role: singer.name for role, singer in zip(ROLES, singers, strict=False)}

        def lying(player: Player, face_up: bool) -> str | None:
            return None if player.play is None or player.face_up is not face_up else str(player.play)

        def count(player: Player) -> int:
            return 0 if self.blind or player.play is None or player.face_up else player.play.cards

        return {
            "version": 1,
            "seats": self.seats,
            "blind": int(self.blind),
            "round": self.round,
            "asked": self.asked,
            "owing": [str(seat) for seat in self.to_act()],
            "puccini": str(self.puccini),
            "offer": slots | {str(number): card.name for number, card in self.row.items()},
            "pile": {name: "yes" if name in self.pile else "no" for name in self.singers},
            "pool": list(self.directors),
            "troupe": each(lambda player: in_order(player.troupe), slots),
            "director": each(lambda player: player.director.name if player.director else None, None),
            "fictitious": in_order(self.fictitious),
            "fictitious_director": self.fictitious_director.name if self.fictitious_director else None,
            "money": each(lambda player: player.purse + player.on_table, 0),
            "spent": each(lambda player: player.discarded, 0),
            "elements": each(lambda player: player.elements, 0),
            "laid": each(count, 0),
            "pending": each(lambda player: lying(player, False), None),
            "shown": each(lambda player: lying(player, True), None),
            "lacking": [str(seat) for seat in sorted(self.lacking)],
            "named": None if self.named is None else str(self.named),
            "assigned": each(lambda player: len(player.casting), 0),
            "casting": each(lambda player: empty if self.shown else by_role(player.casting), empty),
            "cast": each(lambda player: by_role(player.casting) if self.shown else empty, empty),
            "ending": [None, "finished", "fictitious", "tied"].index(self.ending),
        }
