"""Lessons as pages: a table like any other, with what is to be done and what it has shown above the question."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Literal

from ridotto.core.lesson import Lesson
from ridotto.core.lesson import lesson as lesson_of
from ridotto.core.markup import Html, el, join
from ridotto.core.match import Match
from ridotto.core.narrator import say
from ridotto.core.view import View
from ridotto.engine.fields import Seat
from ridotto.games import GAMES
from ridotto.web.pages import aids, models
from ridotto.web.pages import site as pages
from ridotto.web.pages import table as tabletop

State = Literal["asked", "wrong", "done"]
"""Where somebody is in a step: before it, after something else than was wanted, or through."""


def setting(reader: models.Reader, lesson: Lesson, number: int, match: Match, state: State) -> models.TablePage:
    """The table of a step as the learner sees it."""
    seat = lesson.seat(number)
    view = match.view(seat)
    lines = tuple(
        models.LogLine(one.ply, event["section"], event["text"], one.values.get("seat"))
        for one, event in zip(view.seen, view.events(view.game.words_now()), strict=True)
    )
    seats = tuple(
        models.SeatView(
            one, tabletop.role(lesson.game, one), "person", "", you=one == seat, here=True, owing=one in view.to_act
        )
        for one in range(match.seats)
    )
    shown = resting(view, seat) if state == "done" else view
    over: Literal["playing", "over"] = "playing" if view.outcome is None else "over"
    options = dict(match.options)
    return models.TablePage(
        reader, f"learn-{lesson.game.name}", lesson.game, shown, seats, over, lines, options, is_seated=True
    )


def resting(view: View, seat: Seat) -> View:
    """A view of somebody who is not asked, whatever the match wants of them: a step that is done waits for the next one."""
    if view.outcome is not None:
        return view
    others = tuple(one for one in view.to_act if one != seat) or ((seat + 1) % view.seats,)
    return replace(view, legal=(), to_act=others)


def page(shown: models.TablePage, lesson: Lesson, number: int) -> str:
    """The page of a step."""
    reader, game = shown.reader, lesson.game
    with tabletop.speaking(shown):
        parts = {name: Html(text) for name, text in fragments(shown, lesson, number, "asked").items()}
        main = tabletop.hall(
            shown, parts, el("nav", *_steps(lesson, number), cls="extras steps", aria_label=say("The steps of this lesson"))
        )
        title = say("{title}: first lesson", title=game.title)
        return pages.page(
            reader,
            say("Step {number} of {count} – {title}", number=number, count=len(lesson), title=title),
            main,
            el("div", id="told", role="alert", hidden=True),
            el("div", id="tip", role="tooltip", hidden=True),
            el("div", id="announce", role="status", cls="unseen"),
            el("dialog", id="sheet", aria_labelledby="sheet-title") if game.name == "opera" else "",
            aids.drawer(),
            cls=f"table-page lesson {game.name}",
            back=address(lesson, number),
            menu=[el("h1", title, cls="game-title"), el("div", parts["people"], id="people")],
            data_here=address(lesson, number),
            data_game=game.name,
            data_ply=shown.view.ply,
            data_sure=say("Sure?"),
            data_failed=say("That did not reach the table. Please try again."),
        )


def _steps(lesson: Lesson, number: int) -> list[Html]:
    """Links to every step, and to the other lessons."""
    steps = [
        el("a", str(one), href=address(lesson, one), aria_current="step" if one == number else "") for one in _numbers(lesson)
    ]
    others = [
        el("a", game.title, href=f"/learn/{name}")
        for name, game in GAMES.items()
        if name != lesson.game.name and lesson_of(game) is not None
    ]
    return [
        el("section", el("h2", say("The steps of this lesson")), el("p", *steps, cls="step-links"), cls="extra"),
        el("section", el("h2", say("Other first lessons")), el("p", *others, cls="others"), cls="extra"),
    ]


def _numbers(lesson: Lesson) -> range:
    return range(1, len(lesson) + 1)


def address(lesson: Lesson, number: int) -> str:
    """Where a step is."""
    return f"/learn/{lesson.game.name}/{number}"


def fragments(shown: models.TablePage, lesson: Lesson, number: int, state: State) -> dict[str, str]:
    """The parts of the page that change with what the learner does."""
    return {
        "people": tabletop.people(shown),
        "ask": join(_told(shown, lesson, number, state), aids.buttons(shown)),
        "board": tabletop.board(shown),
        "log": tabletop.log(shown),
        "result": tabletop.result(shown),
    }


def _told(shown: models.TablePage, lesson: Lesson, number: int, state: State) -> Html:
    """What a step says, and the question of the game; when it is done, what it has shown and the way on."""
    step = lesson.steps[number - 1]
    flag = el("p", say("Step {number} of {count}", number=number, count=len(lesson)), cls="turn-flag")
    if state != "done":
        nudge = el("p", say(step.nudge), cls="nudge", role="alert") if state == "wrong" else ""
        return join(el("div", flag, el("p", say(step.told), cls="lesson-told"), nudge, cls="lesson-box"), tabletop.ask(shown))
    if number < len(lesson):
        on = el("p", el("a", say("Next step"), cls="press main lesson-next", href=address(lesson, number + 1)))
    else:
        on = join(
            el("p", say("That was the first lesson. The rest is best learned at a table."), cls="lesson-told"),
            pages.at_once(shown.reader, lesson.game),
            el("p", el("a", say("Start page"), href="/", cls="press lesson-next")),
        )
    return el(
        "div", flag, el("h2", say(step.shown), id="question", cls="lesson-shown"), on, cls="lesson-box done", role="group"
    )


def change(shown: models.TablePage, lesson: Lesson, number: int, state: State) -> dict[str, Any]:
    """What the script puts in after something was done, as in a live message of a table."""
    step = lesson.steps[number - 1]
    with tabletop.speaking(shown):
        parts = fragments(shown, lesson, number, state)
        told = say(step.shown) if state == "done" else say(step.nudge)
        title = say("{title}: first lesson", title=lesson.game.title)
        heading = say("Step {number} of {count} – {title}", number=number, count=len(lesson), title=title)
    return {"ply": shown.view.ply, "parts": parts, "heading": heading, "announcement": told, "turn": state != "done"}
