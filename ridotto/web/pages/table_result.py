"""The end of a match as HTML: who has won and why, every part of the score, and the moment at which it turned."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from ridotto.core.view import Outcome
from ridotto.engine.fields import Seat
from ridotto.present.html import Html, seat_badge
from ridotto.present.narrator import opening
from ridotto.web.pages.models import TablePage
from ridotto.web.pages.render import render
from ridotto.web.pages.table_parts import NOTHING, change_text, rank, rule_link


def verdict(table: TablePage) -> str:
    """The winners, as one sentence."""
    say = table.narrator.say
    outcome, me = table.view.outcome, table.view.seat
    if outcome is None:
        return ""
    if not outcome.winners:
        return say("Nobody wins.")
    if me is None:
        return _won(table, outcome.winners)
    if me not in outcome.winners:
        return say("You have lost.")
    if table.seats[me].left:
        return say("The bot in your seat has won.")
    others = [seat for seat in outcome.winners if seat != me]
    if not others or outcome.is_resigned:
        return say("You have won.")
    return say("You have won, together with {who}.", who=table.named(others))


def _won(table: TablePage, winners: Sequence[Seat]) -> str:
    """The winners, for a spectator."""
    return table.narrator.count("{who} wins.", "{who} share the win.", len(winners), who=table.named(winners))


def how_it_ended(table: TablePage) -> str:
    """By what the match was won, as a sentence or two: who left it, or the end that the game tells of, and the score."""
    outcome = table.view.outcome
    if outcome is None:
        return ""
    if outcome.is_resigned:
        return _leaving(table, next(seat for seat in range(table.view.seats) if seat not in outcome.winners))
    return " ".join(filter(None, (_ending(table, outcome), _bots_who_won(table, outcome), _final_score(table, outcome))))


def _leaving(table: TablePage, seat: Seat) -> str:
    """The resignation or flag that ended the match, as a sentence."""
    say, place = table.narrator.say, table.seats[seat]
    if seat == table.view.seat:
        return say("You ran out of time.") if place.left == "time" else say("You resigned.")
    who = table.named([seat])
    return say("{who} ran out of time.", who=who) if place.left == "time" else say("{who} resigned.", who=who)


def _bots_who_won(table: TablePage, outcome: Outcome) -> str:
    """That a bot has won in the seat of somebody else who had left, if one has."""
    seats = [seat for seat in outcome.winners if table.seats[seat].left and seat != table.view.seat]
    return table.narrator.say("A bot played on for {who}.", who=table.named(seats)) if seats else ""


def has_points(outcome: Outcome) -> bool:
    """Whether there is more to the score than who has won."""
    return not {0, 1} >= set(outcome.scores)


def _final_score(table: TablePage, outcome: Outcome) -> str:
    """Everybody's points, the most first; nothing where the game only tells winners from losers."""
    if not has_points(outcome):
        return ""
    order = sorted(range(table.view.seats), key=lambda seat: -outcome.scores[seat])
    names = {seat: table.narrator.say("you") if seat == table.view.seat else table.named([seat]) for seat in order}
    return opening(" · ".join(f"{names[seat]} {score_text(outcome.scores[seat])}" for seat in order))


class ScoreLine(NamedTuple):
    """A part of the score, for everybody."""

    title: str
    section: str
    cells: list[str]


class ScoreColumn(NamedTuple):
    """A column of the score: a player."""

    name: str
    note: str
    badge: Html
    is_winner: bool


def turning(table: TablePage) -> Html:
    """The turning point of the match, or a note that it is being computed."""
    return NOTHING if table.turning is None else render("turning.html", table.narrator, turning=table.turning)


def result(table: TablePage) -> Html:
    """The result: the winners, the reason, and every part of every score."""
    outcome = table.view.outcome
    if outcome is None:
        return NOTHING
    others = table.words.rivals(table.view.row)
    parts = (*outcome.parts, *(one.parts for one in others))
    changes = [
        f"{place.display_name} {place.standing.points} ({change_text(place.standing.change)})"
        for place in table.seats
        if place.standing is not None and place.standing.change is not None
    ]
    is_resigned, is_mine = outcome.is_resigned, table.view.seat in outcome.winners
    lines = [
        ScoreLine(opening(table.words.say(part.meaning)), part.section, [score_text(one.get(part.name)) for one in parts])
        for part in table.game.rules.PARTS
        if part.seats in (0, table.view.seats)
    ]
    columns = [
        ScoreColumn(
            place.display_name, " · ".join(rank(table.narrator, place)), seat_badge(place.seat), place.seat in outcome.winners
        )
        for place in table.seats
    ]
    columns += [ScoreColumn(one.name, "", NOTHING, False) for one in others]
    return render(
        "result.html",
        table.narrator,
        table=table,
        verdict=verdict(table),
        winners=_won(table, outcome.winners) if outcome.winners and not is_resigned and not is_mine else "",
        ending=how_it_ended(table) if is_resigned else _ending(table, outcome),
        section=outcome.section,
        is_resigned=is_resigned,
        has_score=not is_resigned or any(outcome.scores),
        columns=columns,
        changes=changes,
        lines=lines,
        totals=[score_text(score) for score in (*outcome.scores, *(one.score for one in others))],
        para=rule_link,
    )


class FinalStanding(NamedTuple):
    """A row of the final standings."""

    name: str
    badge: Html
    score: str
    is_winner: bool


def curtain(table: TablePage) -> Html:
    """The end on the stage: who has won, and the scores, the best last."""
    outcome = table.view.outcome
    assert outcome is not None
    has_points = len({*outcome.scores}) > 1 and max(outcome.scores) > 1
    order = sorted(table.seats, key=lambda place: (place.seat in outcome.winners, outcome.scores[place.seat]))
    rows = [
        FinalStanding(
            table.narrator.say("you") if place.you else place.display_name,
            seat_badge(place.seat),
            score_text(outcome.scores[place.seat]) if has_points else "",
            place.seat in outcome.winners,
        )
        for place in order
    ]
    others = table.words.rivals(table.view.row) if has_points else []
    rows = [*(FinalStanding(one.name, NOTHING, score_text(one.score), False) for one in others), *rows]
    return render("curtain.html", table.narrator, verdict=verdict(table), ending=_ending(table, outcome), rows=rows)


def score_text(number: int | None) -> str:
    return "" if number is None else str(number).replace("-", "−")


def _ending(table: TablePage, outcome: Outcome) -> str:
    """The ending, in the words of the log where there are some."""
    told = [line.text for line in table.log if line.section == outcome.section]
    meanings = [
        opening(table.words.say(line.meaning)) + "." for line in table.game.rules.ENDINGS if line.name == outcome.ending
    ]
    return (told or meanings or [""])[-1]
