"""Lessons as pages: a table like any other, with what is to be done and what it has shown above the question."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any, Literal

from ridotto.core.match import Match
from ridotto.core.view import View
from ridotto.games import GAMES
from ridotto.present.html import Html, join
from ridotto.present.lesson import Lesson
from ridotto.present.lesson import lesson as lesson_of
from ridotto.present.narrator import opening
from ridotto.present.scene import Scene
from ridotto.present.ui import ui
from ridotto.web.pages import aids, models, table_log, table_panels, table_people, table_question, table_result
from ridotto.web.pages.render import render
from ridotto.web.pages.site import game_card
from ridotto.web.pages.site import page as whole_page

State = Literal["asked", "wrong", "done"]
"""The state of a step: before it, after another action than the wanted one, or done."""


def setting(reader: models.Reader, lesson: Lesson, number: int, match: Match, state: State) -> models.TablePage:
    """The table of a step as the learner sees it."""
    seat = lesson.seat(number)
    view, words = match.view(seat), ui(lesson.game).words(ui(lesson.game).narrator(reader.language, reader=seat))
    lines = table_log.log_lines(view.seen, words)
    seats = tuple(
        models.SeatView(
            one,
            opening(ui(lesson.game).role(one, words)),
            "person",
            "",
            you=one == seat,
            here=True,
            owing=one in view.to_act,
        )
        for one in range(match.seats)
    )
    shown = resting(view) if state == "done" else view
    over: Literal["playing", "over"] = "playing" if view.outcome is None else "over"
    options = dict(match.options)
    return models.TablePage(
        reader,
        f"learn-{lesson.game.name}",
        lesson.game,
        shown,
        seats,
        over,
        lines,
        options,
        rights=models.Rights(is_seated=True),
        spoken=words,
        pictured=lit(ui(lesson.game).scene(shown, words), lesson, number),
    )


def lit(scene: Scene, lesson: Lesson, number: int) -> Scene:
    """The picture of a step, with light on the one thing that it asks for."""
    wanted = {
        key: item._replace(cls=f"{item.cls} advised advised-1".strip())
        for key, item in scene.items.items()
        if item.do in lesson.steps[number - 1].do
    }
    return replace(scene, items={**scene.items, **wanted}, own={**scene.own, **wanted})


def resting(view: View) -> View:
    """A view in which nothing can be done: a step that is done waits for the next one. Whose turn it is stays as it is."""
    return replace(view, legal=())


def page(table: models.TablePage, lesson: Lesson, number: int) -> str:
    """The page of a step."""
    return whole_page(
        "lesson.html",
        table.reader,
        table.narrator,
        table=table,
        live={**parts(table, lesson, number, "asked"), "board": table_panels.board(table)},
        heading=_heading(table, lesson, number),
        here=address(lesson, number),
        number=number,
        steps=len(lesson),
        others=[game for game in GAMES.values() if game != lesson.game and lesson_of(game) is not None],
    )


def address(lesson: Lesson, number: int) -> str:
    """The address of a step."""
    return f"/learn/{lesson.game.name}/{number}"


def _heading(table: models.TablePage, lesson: Lesson, number: int) -> str:
    """The title of the tab."""
    title = table.narrator.say("{title}: first lesson", title=table.game.title)
    return table.narrator.say("Step {number} of {count} – {title}", number=number, count=len(lesson), title=title)


def parts(table: models.TablePage, lesson: Lesson, number: int, state: State) -> dict[str, Html]:
    """The parts of the page that change with what the learner does, besides the board."""
    return {
        "people": table_people.people(table),
        "ask": join(_step(table, lesson, number, state), aids.buttons(table)),
        "jumps": table_panels.jumps(table),
        "log": table_log.log(table),
        "result": table_result.result(table),
    }


def _step(table: models.TablePage, lesson: Lesson, number: int, state: State) -> Html:
    """The text of a step and the game's question; after it, its conclusion and the way on."""
    step, say = lesson.steps[number - 1], table.words.say
    story, wanted = instruction(say(step.instruction))
    return render(
        "lesson_step.html",
        table.narrator,
        reader=table.reader,
        card=game_card(lesson.game, table.reader.language),
        story=story,
        wanted=wanted,
        step=replace(step, feedback=say(step.feedback), hint=say(step.hint)),
        state=state,
        number=number,
        steps=len(lesson),
        part=say(lesson.steps[number].part) if number < len(lesson) and lesson.steps[number].part else "",
        question=table_question.ask(table) if state != "done" else Html(""),
    )


def instruction(text: str) -> tuple[str, str]:
    """The text before a decision in two parts: the story, and its last sentence, which says what is to be done.

    >>> instruction("Each hall costs 2 ducats. Build the main part of Wien: two halls.")
    ('Each hall costs 2 ducats.', 'Build the main part of Wien: two halls.')
    """
    *story, wanted = re.split(r"(?<=[.!?…])\s+(?=\S)", text)
    return " ".join(story), wanted


def change(table: models.TablePage, lesson: Lesson, number: int, state: State) -> dict[str, Any]:
    """The message after an action, as a live message of a table."""
    step = lesson.steps[number - 1]
    return {
        "ply": table.view.ply,
        "parts": parts(table, lesson, number, state),
        "scene": table_panels.whole_scene(table),
        "heading": _heading(table, lesson, number),
        "announcement": table.words.say(step.feedback) if state == "done" else table.words.say(step.hint),
        "turn": state != "done",
    }
