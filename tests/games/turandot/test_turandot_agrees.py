"""The engine of Turandot against the second, independent model of its rules, decision by decision."""

from __future__ import annotations

import copy
import random
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from itertools import islice, product
from pathlib import Path
from typing import Any

import pytest
from models.turandot_model import (
    BOX,
    DIRECTORS,
    SINGERS,
    STRIKING_ROUNDS,
    Model,
    Play,
    Telling,
    Verdict,
    clockwise,
    resolve,
    unpacked,
)
from owners import box_of_an_owner

from ridotto.core.game import Game
from ridotto.core.match import Entry, Match
from ridotto.games.turandot import game


class Disagreement(AssertionError):
    """The engine and the model do not say the same."""


def hold(pairs: Iterable[tuple[str, Any, Any]], where: str) -> None:
    """Raise with everything that differs between the model and the engine."""
    differing = [(key, one, other) for key, one, other in pairs if one != other]
    if differing:
        lines = [f"{key}: the model says {one}, the engine {other}" for key, one, other in differing]
        raise Disagreement("\n  ".join([f"{where}: {', '.join(key for key, *_ in differing)}", *lines]))


def told(match: Match, ply: int) -> list[Telling]:
    """What the engine told in its last entry, as the model would tell it."""
    last = []
    for one in reversed(match.events):
        if one.ply != ply:
            break
        what = {arg.name: arg.kind.to_json(value) for arg, value in zip(one.event.args, one.values, strict=True)}
        last.append((one.event.name, what))
    return last[::-1]


def laid_out(events: list[Telling]) -> list[str] | None:
    """The cards that chance laid out, or None if no round opened."""
    return [what["card"] for name, what in events if name in ("presents", "offers")] or None


# Every audition: all plays of all seats, against the resolver.

LAYOUT = {one.name: (one.kind, slice(at, at + one.size)) for one, at in game.rules.FIELDS.slices()}
LAYING = ("owing", "laid", "pending")
"""The fields that laying cards may change."""
REVEALING = (
    *("round", "asked", "puccini", "offer", "troupe", "director", "fictitious", "fictitious_director"),
    *("money", "spent", "elements", "shown", "lacking", *LAYING),
)
"""The fields that a reveal may change, besides the pile when it opens a round."""


@cache
def meaning(name: str, words: tuple[int, ...]) -> list[Any]:
    """What each word of a field stands for."""
    return [LAYOUT[name][0].to_json(word) for word in words]


def leaves(row: list[int], name: str) -> list[Any]:
    """One field of the engine, as a flat list."""
    return meaning(name, tuple(row[LAYOUT[name][1]]))


def flat(shown: Any) -> list[Any]:
    """A field of a position as the same flat list."""
    return [leaf for part in shown.values() for leaf in flat(part)] if isinstance(shown, dict) else [shown]


def others(row: list[int], names: Collection[str]) -> list[list[int]]:
    """The words of all fields but these."""
    return [row[part] for name, (_, part) in LAYOUT.items() if name not in names]


def opened(seats: int, round: int, holder: int, money: Sequence[int], blind: bool = False) -> Model:
    """The model as a round opens, with nothing contested before; money that is missing has been spent."""
    singers = iter(SINGERS)

    def cards(round: int) -> list[str]:
        return list(islice(iter(list(DIRECTORS)[3:]) if round == 4 else singers, seats + 1))

    model = Model(seats, first=(holder - round + 1) % seats, cards=cards(1), blind=blind)
    while model.round < round:
        seat = model.to_act()[0]
        match model.asked:
            case "audition":
                last = len([player for player in model.players if player.play is None]) == 1
                ends = last and model.round not in STRIKING_ROUNDS
                model.play(seat, f"bid {seat + 1} 0 plain", cards(model.round + 1) if ends else None)
            case "name":
                model.play(seat, f"name {clockwise(seat, seats)[0]}")
            case "strike":
                model.play(seat, f"strike {next(iter(model.directors))}", cards(model.round + 1))
    for player, left in zip(model.players, money, strict=True):
        player.discarded, player.purse = player.purse - left, left
    assert holder == model.puccini
    return model


@dataclass
class Auditions:
    """All ways to play one audition from where the model stands."""

    model: Model
    choices: Callable[[Play], list[Play]]
    """The plays to try for a plain one: with or without the bluff card."""
    seen: Counter[str] = field(default_factory=Counter)

    def run(self) -> Counter[str]:
        model = self.model
        self.position = model.state()
        self.base = {name: flat(shown) for name, shown in self.position.items()}
        self.order = clockwise(model.puccini, model.seats)
        # Blind, any order will do; otherwise the holder is the first.
        self.order = self.order[::-1] if model.blind else [self.order[-1], *self.order[:-1]]
        holdings = [player.purse for player in model.players]
        self.where = f"{model.seats} seats, round {model.round}, holder {model.puccini}, money {holdings}, blind {model.blind}"
        self.start = Match(game, position=self.position, seed=1).row
        for play in self.plays(self.order[0]):
            self.lay(Match(game, position=self.position, seed=1), {}, play)
        return self.seen

    def plays(self, seat: int) -> list[Play]:
        mixed = [play for play in self.model.players[seat].plays() if not play.bluff]
        return [dressed for play in mixed for dressed in self.choices(play)]

    def lay(self, match: Match, before: dict[int, Play], play: Play) -> None:
        """Lay one more play, go through all that can follow, and take it back."""
        seat = self.order[len(before)]
        plays = before | {seat: play}
        ply = match.ply
        match.play(str(play), seat)
        row = match.row
        if len(plays) == len(self.order):
            self.check_reveal(match, ply, row, plays)
        else:
            self.check_laying(match, row, plays)
            for following in self.plays(self.order[len(plays)]):
                self.lay(match, plays, following)
                match.undo()

    def check_laying(self, match: Match, row: list[int], plays: dict[int, Play]) -> None:
        """As long as somebody owes an audition, only the cards laid and who owes change."""
        waiting = [seat for seat in self.order if seat not in plays]
        owing = sorted(waiting) if self.model.blind else waiting[:1]
        expected = {
            "owing": [[str(seat) for seat in owing]],
            "laid": [plays[seat].cards if seat in plays and not self.model.blind else 0 for seat in range(5)],
            "pending": [str(plays[seat]) if seat in plays else None for seat in range(5)],
        }
        pairs: list[tuple[str, Any, Any]] = [(name, expected[name], leaves(row, name)) for name in LAYING]
        pairs.append(("the rest", others(self.start, LAYING), others(row, LAYING)))
        for seat in owing:
            pairs.append((f"legal {seat}", {str(one) for one in self.model.players[seat].plays()}, set(match.legal(seat))))
        hold(pairs, self.place(plays))

    def check_reveal(self, match: Match, ply: int, row: list[int], plays: dict[int, Play]) -> None:
        """The last audition turns everything up, and its outcome is the resolver's, which never sees a bluff card."""
        model = self.model
        bare = {seat: replace(play, bluff=False) for seat, play in plays.items()}
        offer = {number: card.name for number, card in model.row.items()}
        verdict = resolve(bare, model.puccini, offer, model.helpers)
        events = told(match, ply)
        cards = laid_out(events)
        pairs: list[tuple[str, Any, Any]] = [("told", self.telling(plays, verdict, cards), events)]
        expected = self.base | self.settled(plays, verdict, cards)
        pairs += [(name, expected[name], leaves(row, name)) for name in REVEALING]
        changing = REVEALING if cards is None else (*REVEALING, "pile")
        pairs.append(("the rest", others(self.start, changing), others(row, changing)))
        hold(pairs, self.place(plays))
        self.seen.update(name for name, _ in verdict.told)
        self.seen[f"lacking {len(verdict.lacking)}"] += 1
        self.seen["auditions"] += 1

    def place(self, plays: dict[int, Play]) -> str:
        return f"{self.where}, after {', '.join(f'{seat}: {play}' for seat, play in plays.items())}"

    def leftover(self, verdict: Verdict) -> str:
        """The one card that nobody won, if nobody lacks one."""
        (name,) = (card.name for number, card in self.model.row.items() if number not in verdict.wins.values())
        return name

    def ends(self, verdict: Verdict) -> bool:
        """Whether the round is over with the reveal."""
        return not verdict.lacking and self.model.round not in STRIKING_ROUNDS

    def telling(self, plays: dict[int, Play], verdict: Verdict, cards: list[str] | None) -> list[Telling]:
        """What the last audition should tell."""
        model, seat = self.model, self.order[-1]
        events: list[Telling] = []
        if not model.blind:
            events.append(("lays", {"seat": str(seat), "cards": plays[seat].cards, "choice": str(plays[seat])}))
        around = [model.puccini, *clockwise(model.puccini, model.seats)[:-1]]
        events += [("reveals", {"seat": str(seat), "choice": str(plays[seat])}) for seat in around]
        events += verdict.told
        if self.ends(verdict):
            events.append(("leaves" if model.seats > 2 else "joins", {"card": self.leftover(verdict)}))
        if cards is not None:
            holder = clockwise(model.puccini, model.seats)[0]
            events.append(("opens", {"round": model.round + 1, "seat": str(holder)}))
            brings = "offers" if model.round + 1 == 4 else "presents"
            events += [(brings, {"position": str(number), "card": card}) for number, card in enumerate(cards, 1)]
        return events

    def settled(self, plays: dict[int, Play], verdict: Verdict, cards: list[str] | None) -> dict[str, list[Any]]:
        """The fields that the reveal should change."""
        model = self.model
        troupe, director, offer = self.base["troupe"][:], self.base["director"][:], self.base["offer"][:]
        money, spent, elements = self.base["money"][:], self.base["spent"][:], self.base["elements"][:]
        for seat, number in verdict.wins.items():
            if model.round == 4:
                director[seat] = model.row[number].name
            else:
                troupe[6 * seat + len(model.players[seat].troupe)] = model.row[number].name
            offer[number - 1] = None
            money[seat] -= verdict.paid[seat]
            spent[seat] += verdict.paid[seat]
        for seat in verdict.hired:
            money[seat] -= 1
            elements[seat] += 1
        nothing = [None] * 5
        found = {
            "troupe": troupe,
            "director": director,
            "offer": offer,
            "money": money,
            "spent": spent,
            "elements": elements,
            "laid": [0] * 5,
            "pending": nothing,
            "lacking": [[str(seat) for seat in sorted(verdict.lacking)]],
            "shown": [str(plays[seat]) if seat in plays else None for seat in range(5)],
            "owing": [[str(model.puccini)]],
            "asked": ["understudy" if verdict.lacking else "name"],
        }
        if not self.ends(verdict):
            return found

        # The round is over: the card left goes, Puccini moves on, and new cards are laid out, or the casting begins.
        found |= {"shown": nothing, "offer": [None] * 6}
        if model.seats == 2 and model.round == 4:
            found["fictitious_director"] = [self.leftover(verdict)]
        elif model.seats == 2:
            found["fictitious"] = self.base["fictitious"][:]
            found["fictitious"][len(model.fictitious)] = self.leftover(verdict)
        everybody = list(range(model.seats))
        if model.round == 7:
            return found | {"asked": ["cast"], "owing": [[str(seat) for seat in everybody]]}
        assert cards is not None
        holder = clockwise(model.puccini, model.seats)[0]
        return found | {
            "round": [model.round + 1],
            "puccini": [str(holder)],
            "asked": ["audition"],
            "owing": [[str(seat) for seat in (everybody if model.blind else [holder])]],
            "offer": [*cards, *[None] * (6 - len(cards))],
        }


def plain(play: Play) -> list[Play]:
    """Without the bluff card."""
    return [play]


def both(play: Play) -> list[Play]:
    """Without and with the bluff card."""
    return [play, replace(play, bluff=True)]


ALIKE = {2: 1, 3: 1, 6: 5}
"""Rounds that go as an earlier one does: with a strike after the auditions, or straight on to the next."""


@pytest.mark.parametrize("round", [pytest.param(one, marks=pytest.mark.soak if one in ALIKE else ()) for one in range(1, 8)])
def test_every_audition_of_two(round: int) -> None:
    """Every pair of plays, with and without bluff, every holder and purse: the engine does what the resolver says."""
    seen: Counter[str] = Counter()
    for holder, money in product(range(2), product(range(4), repeat=2)):
        seen += Auditions(opened(2, round, holder, money), both).run()
    # By hand: 3 numbers, so 3, 7, 10 and 13 plays with 0 to 3 money cards, each with or without bluff.
    assert 2 * (2 * (3 + 7 + 10 + 13)) ** 2 == seen["auditions"]
    assert seen["tied"] and seen["overbids"] and seen["outbid"] and seen["lacking 0"] and seen["lacking 2"]
    assert (round != 4, round == 4) == (bool(seen["hires"] and seen["refused"]), bool(seen["retrieves"]))


@pytest.mark.parametrize("round", [2, 4, 7])
def test_every_blind_audition_of_two(round: int) -> None:
    """The same when all lay at once, here in another order."""
    seen: Counter[str] = Counter()
    for holder, money in product(range(2), product(range(4), repeat=2)):
        seen += Auditions(opened(2, round, holder, money, blind=True), both).run()
    assert 2 * 66**2 == seen["auditions"]


@pytest.mark.parametrize("round", [2, 4])
def test_every_audition_of_three(round: int) -> None:
    """Every three plays from nine times three purses, in which any two purses of any two seats meet.

    Three full purses, with every holder, are in the test with bluff cards below; all purses, with every holder, in `make soak`.
    """
    seen: Counter[str] = Counter()
    purses = (0, 1, 3)
    for one, two in product(range(3), repeat=2):
        money = (purses[one], purses[two], purses[(one + two) % 3])
        seen += Auditions(opened(3, round, (one + 2 * two) % 3, money), plain).run()
    # By hand: 4 numbers, so 4, 9 and 17 plays with 0, 1 and 3 money cards.
    by_hand = 4**3 + 2 * 4 * 9**2 + 2 * 4 * 17**2 + 9**2 * 17 + 2 * 4 * 9 * 17 + 17**2 * 9
    assert 8226 == by_hand == seen["auditions"]
    assert seen["tied"] and seen["overbids"] and seen["outbid"] and seen["lacking 0"] and seen["lacking 3"]
    assert (round != 4, round == 4) == (bool(seen["hires"] and seen["refused"]), bool(seen["retrieves"]))


@pytest.mark.soak
@pytest.mark.parametrize("round", [2, 4])
def test_every_audition_of_three_with_every_holder(round: int) -> None:
    """The whole product of holders, purses and plays."""
    seen: Counter[str] = Counter()
    for holder, money in product(range(3), product(range(4), repeat=3)):
        seen += Auditions(opened(3, round, holder, money), plain).run()
    assert 3 * 43**3 == seen["auditions"]


@pytest.mark.parametrize(
    ("round", "holder"),
    [(2, 0), (4, 1), (2, 2), *(pytest.param(*other, marks=pytest.mark.soak) for other in ((4, 0), (2, 1), (4, 2)))],
)
def test_bluff_changes_nothing_among_three(round: int, holder: int) -> None:
    """Bluff cards strewn over every three plays change the counts that are seen, not the outcome."""
    chance = random.Random(round)

    def some(play: Play) -> list[Play]:
        return [replace(play, bluff=chance.random() < 0.7)]

    assert 17**3 == Auditions(opened(3, round, holder, (3, 3, 3)), some).run()["auditions"]


# Whole matches.

SEATS = range(2, 6)
TASTES = ("anything", "the first numbers", "money alone", "no money")
"""What auditions lean to, match by match; everything else is even."""


def sat_down(match: Match, where: str) -> Model:
    """The model's table after the deal of a match, which must agree."""
    events = told(match, 0)
    (first,) = (int(what["seat"]) for name, what in events if name == "starts")
    singers, directors = unpacked((match.game.box_file or BOX).read_text("utf-8"))
    blind = bool(match.options["blind"])
    model = Model(match.seats, first=first, cards=laid_out(events) or [], blind=blind, singers=singers, directors=directors)
    hold([("told", model.opening, events)], f"{where}, ply 0, after the deal")
    compare(match, model, f"{where}, ply 0, after the deal")
    return model


def compare(match: Match, model: Model, where: str) -> None:
    """Hold the whole table, who is to act, what each seat may do and the scores against each other."""
    expected, now = model.state(), match.position()
    pairs = [(key, expected.get(key), now.get(key)) for key in sorted(expected.keys() | now.keys())]
    pairs.append(("to_act", tuple(model.to_act()), match.to_act))
    pairs += [(f"legal {seat}", sorted(model.legal(seat)), sorted(match.legal(seat))) for seat in range(match.seats)]
    points, outcome = model.points(), match.outcome
    pairs.append(("scores", (tuple(one.total for one in points), tuple(map(vars, points))), match.scores()))
    pairs.append(("outcome", model.ending, outcome.ending if outcome else None))
    pairs.append(("winners", tuple(model.winners), outcome.winners if outcome else ()))
    hold(pairs, where)


def decide(match: Match, model: Model, seat: int, action: str, where: str, entry: Entry | None = None) -> list[Telling]:
    """Play one action on both tables, which must agree afterwards; what was told."""
    ply = match.ply
    where = f"{where}, ply {ply}, after {action!r} by seat {seat}"
    match.play(action, seat, entry=entry)
    events = told(match, ply)
    hold([("told", model.play(seat, action, laid_out(events)), events)], where)
    compare(match, model, where)
    return events


def confirm(match: Match, name: str) -> int:
    """Play a recorded match once more beside the model, undone entries too; how many decisions agreed."""
    again = Match(match.game, match.seats, match.options, deal=match.entries[0])
    tables = [sat_down(again, name)]
    decisions = 0
    for ply, entry in enumerate(match.entries[1:], 1):
        model = copy.deepcopy(tables[-1])
        verb, _, argument = entry.do.partition(" ")
        if verb in ("undo", "resign"):
            model = copy.deepcopy(tables[int(argument)]) if verb == "undo" else model
            again.repeat(entry)
            hold([("position", model.state(), again.position())], f"{name}, ply {ply}, after {entry.do!r}")
        else:
            assert entry.seat is not None
            decide(again, model, entry.seat, entry.do, name, entry)
            decisions += 1
        tables.append(model)
    return decisions


def chosen(chooser: random.Random, legal: Sequence[str], taste: str) -> str:
    """A random action, three times of four after the taste of the match, where that leaves any."""
    liked = list(legal)
    if chooser.random() < 0.75:
        match taste:
            case "the first numbers":
                liked = [one for one in legal if one.startswith(("bid 1", "bid 2"))]
            case "money alone":
                liked = [one for one in legal if one.startswith("money")]
            case "no money":
                liked = [one for one in legal if one.startswith("bid") and one.split()[2] == "0"]
    return chooser.choice(liked or legal)


def agree(decisions: int, first_seed: int, game: Game = game) -> Counter[str]:
    """Random matches of all sizes, both ways to audition, until so many decisions agreed; how often what came up."""
    seen: Counter[str] = Counter()
    tables = list(product(TASTES, (0, 1), SEATS))
    seed = first_seed
    while seen["decisions"] < decisions:
        taste, blind, seats = tables[seed % len(tables)]
        where = f"seed {seed}, {seats} seats, blind {blind}, {taste}"
        match = Match(game, seats, {"blind": blind}, seed=seed)
        chooser = random.Random(seed)
        model = sat_down(match, where)
        seen.update(name for name, _ in model.opening)
        gifts = 0
        while match.to_act:
            seat = chooser.choice(match.to_act)
            action = chosen(chooser, match.legal(seat), taste)
            events = decide(match, model, seat, action, where)
            for name, what in events:
                gifts = 0 if name == "opens" else gifts + (name == "gives")
                seen[name] += 1
                if name in ("refused", "hires"):
                    seen[f"{name} {what.get('why') or what['helper']}"] += 1
                seen["several understudies"] += name == "gives" and gifts == 2
            seen[action.split()[0]] += 1
            seen["decisions"] += 1
        assert match.outcome is not None
        seen[f"{match.outcome.ending} {seats}"] += 1
        seen["shared"] += len(match.outcome.winners) > 1
        seen["broken tie"] += len(match.outcome.winners) == 1 and match.outcome.scores.count(max(match.outcome.scores)) > 1
        seed += 1
    return seen


EVERYTHING = (
    *(one.verb for one in game.rules.ACTIONS),
    *(one.name for one in game.rules.EVENTS),
    *("refused puccini", "refused taken", "hires dressmaker", "hires carpenter", "several understudies"),
    *("shared", "broken tie", "finished 2", "finished 3", "finished 4", "finished 5", "fictitious 2", "tied 2", "tied 5"),
)
"""What random play must have come across."""


def test_six_thousand_decisions() -> None:
    """Legal actions, whole tables, scores and everything told agree over 6,000 random decisions, no corner left out."""
    seen = agree(6_000, first_seed=1)
    assert [] == [what for what in EVERYTHING if not seen[what]], seen


@pytest.mark.soak
def test_a_million_decisions() -> None:
    """The same over a million decisions of other matches."""
    seen = agree(1_000_000, first_seed=1_000_000)
    assert [] == [what for what in EVERYTHING if not seen[what]], seen


def test_with_the_box_of_an_owner(tmp_path: Path) -> None:
    """So they do with other cards, which the model reads by itself from the file that an owner made."""
    other = game.with_box(box_of_an_owner("turandot", tmp_path))
    seen = agree(2500, 1, other)
    assert seen["finished 5"] and seen["strike"] and seen["cast"], seen


# What a difference looks like.


def test_a_difference_is_reported() -> None:
    """The message names seed, seats, options, ply, action and what differs, on both sides."""
    match = Match(game, 3, {"blind": 1}, seed=3)
    model = sat_down(match, "seed 3")
    model.players[2].elements += 1
    model.directors.pop("temple")
    with pytest.raises(Disagreement) as caught:
        decide(match, model, 1, "bid 2 1 bluff", "seed 3, 3 seats, blind 1")
    first, *lines = str(caught.value).splitlines()
    assert "seed 3, 3 seats, blind 1, ply 1, after 'bid 2 1 bluff' by seat 1: elements, pool, scores" == first
    assert "  elements: the model says {'0': 0, '1': 0, '2': 1, '3': 0, '4': 0}, the engine {" in lines[0]


def test_a_wrong_verdict_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    """A resolver that lets the lower bidder have the card of a tie is found out."""
    honest = resolve

    def lenient(plays: dict[int, Play], holder: int, row: dict[int, str], helpers: list[str]) -> Verdict:
        if len({play.number for play in plays.values()}) == 1 and sorted(play.money for play in plays.values()) == [0, 1, 1]:
            plays = {seat: replace(play, number=play.number if play.money == 0 else None) for seat, play in plays.items()}
        return honest(plays, holder, row, helpers)

    monkeypatch.setitem(globals(), "resolve", lenient)
    with pytest.raises(Disagreement) as caught:
        Auditions(opened(3, 2, 0, (1, 1, 1)), plain).run()
    where = (
        "3 seats, round 2, holder 0, money [1, 1, 1], blind False, after 0: bid 1 0 plain, 1: bid 1 1 plain, 2: bid 1 1 plain"
    )
    assert f"{where}: told, offer, troupe, money, elements, lacking" == str(caught.value).splitlines()[0]
