"""Opera in its rhythm: a role is one beat; the bids, the income and the counts get the stage, beside the board."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from ridotto.core.view import Seen, View
from ridotto.engine.fields import Row, Seat
from ridotto.games.opera import rules
from ridotto.games.opera.components import INCOME
from ridotto.games.opera.rules import F
from ridotto.games.opera.ui.picture.facts import pieces_in
from ridotto.games.opera.ui.words import Words
from ridotto.present import protocols
from ridotto.present.html import Html
from ridotto.present.narrator import opening
from ridotto.present.protocols import Cut, Moment
from ridotto.present.stage import Point, SumRow, Tally, sentence, sums, tally
from ridotto.present.words import Tell

PASSES: Final = frozenset(("declines", "abstains", "ends", "spent", "forced", "keeps", "withholds"))
QUICK: Final = PASSES | {"joins", "rearranges", "stages", "shifts"}
EARNINGS: Final = frozenset(("earns", "doubles"))
FORTUNES: Final = frozenset(("most", "climbs", "unsold", "offers", "reshuffles", "adds", "empties", "bonus"))
HIGHER: Final = Tell("after you, who stood higher before", "after {other}, who stood higher before")
FURTHER_LEFT: Final = Tell("after you, who stood further left before", "after {other}, who stood further left before")
POINTS: Final = frozenset(("counts", "celebrates", "forfeits"))


class Stage(protocols.Stage[Words]):
    """The beats of Opera, and its moments: the bids, everybody's income, the counts."""

    quick = QUICK

    def goes_on(self, before: Sequence[Seen], seen: Sequence[Seen]) -> bool:
        """A role is one beat, with all who play along."""
        return seen[0].event.name != "hires"

    def cuts(self, seen: Sequence[Seen]) -> list[Cut]:
        """A round ends with its last action; then come the income, the fame and the offer, and the count."""
        names = [one.event.name for one in seen]
        if "closes" not in names:
            return []
        ends = [names.index("closes"), _last(names, EARNINGS)]
        if "counting" in names:
            ends += [max(_last(names, FORTUNES), ends[-1]), _last(names, POINTS)]
        return [Cut(at + 1, at) for at in sorted({*ends})]

    def settle(self, row: Row) -> None:
        """Nobody is to act."""
        row[F.asked] = rules.NOTHING
        row[F.turn] = rules.NONE

    def moments(self, view: View, words: Words, seen: Sequence[Seen]) -> list[Moment]:
        """The bids as they are uncovered; what everybody earns; the count, hall by hall."""
        moments = []
        if bids := [one for one in seen if one.event.name == "bids"]:
            moments.append(Moment(words.say("The bids"), [_ranking(view, words, bids)], holds=False, panel="budget"))
        if any(one.event.name == "earns" for one in seen):
            parts = [_income(view, words)]
            moments.append(Moment(words.say("Income"), parts, holds=False, panel="players", is_late=True))
        for one in seen:
            if one.event.name == "counting":
                parts = [_count(view, words, one), sentence(_points(view, words))]
                moments.append(Moment(words.event(one), parts, panel="players", is_late=True))
        return moments


def _last(names: Sequence[str], some: frozenset[str]) -> int:
    """The place of the last of some events; -1 without one."""
    return max((at for at, name in enumerate(names) if name in some), default=-1)


def _name(words: Words, seat: Seat) -> str:
    return opening(words.names([seat]))


# The bids.


def _ranking(view: View, words: Words, bids: Sequence[Seen]) -> Html:
    """Everybody in the order of play, with bid and level; where two are on one level, the reason for their order."""
    of = {one.values["seat"]: one.values for one in bids}
    was = {seat: values["level"] - values["ducats"] for seat, values in of.items()}
    lines, before = list[Tally](), -1
    for place, seat in enumerate(view.row[F.order : F.order + view.seats], 1):
        level, ducats = of[seat]["level"], of[seat]["ducats"]
        text = words.say("{place}. {who}: level {level}", place=place, who=_name(words, seat), level=level)
        if before >= 0 and level == of[before]["level"]:
            why = HIGHER if was[before] > was[seat] else FURTHER_LEFT
            text = f"{text}, {words.tell(before, *why, other=words.player(before))}"
        lines.append(Tally(text, seat, words.say("bid {number}", number=ducats)))
        before = seat
    return tally(lines)


# Income and counts.


def _key(seat: Seat, city: int) -> str:
    """The key of a house."""
    return f"house-{seat}-{rules.CITY.names[city]}"


def _programmes(view: View, seat: Seat) -> list[int]:
    """The number of pieces performed in each of a seat's houses."""
    at = range(seat * 6, seat * 6 + 6)
    return [pieces_in(view.row[F.great + one], view.row[F.side + one]).bit_count() for one in at]


def _income(view: View, words: Words) -> Html:
    """Everybody's income, house by house, with what the Maestro's city pays again."""
    maestro, rows = view.row[F.figure], list[SumRow]()
    for seat in range(view.seats):
        played = _programmes(view, seat)
        houses = [Point(INCOME[pieces], _key(seat, city)) for city, pieces in enumerate(played) if INCOME[pieces]]
        again = [Point(INCOME[played[maestro]], _key(seat, maestro))] if maestro >= 0 and INCOME[played[maestro]] else []
        total = sum(one.number for one in (*houses, *again))
        rows.append(SumRow(_name(words, seat), seat, (houses, again), total))
    return sums((words.say("Houses"), words.say("Maestro")), rows, words.say("Ducats"))


def _count(view: View, words: Words, counting: Seen) -> Html:
    """Great halls, the Composer of the Century and empty halls, house by house, with everybody's sum."""
    s, count, century = list(view.row), counting.values["count"] - 1, counting.values["composer"]
    rows = []
    for seat in range(view.seats):
        great, bonus, empty = list[Point](), list[Point](), list[Point]()
        for city in range(6):
            piece, key = s[F.great + seat * 6 + city], _key(seat, city)
            for points, number in (
                (great, rules.value_of_great_hall(s, piece)),
                (bonus, rules.bonus_of_century(piece, century, count)),
                (empty, -rules.empty_halls(s, seat, city)),
            ):
                if number:
                    points.append(Point(number, key))
        total = sum(one.number for one in (*great, *bonus, *empty))
        rows.append(SumRow(_name(words, seat), seat, (great, bonus, empty), total))
    return sums((words.say("Great halls"), words.composer(century), words.say("Empty halls")), rows, words.say("Sum"))


def _points(view: View, words: Words) -> str:
    """Everybody's points after the count, the most first."""
    points = {seat: view.row[F.points + seat] for seat in range(view.seats)}
    order = sorted(points, key=lambda seat: -points[seat])
    return " · ".join(f"{_name(words, seat)} {points[seat]}".replace("-", "−") for seat in order)
