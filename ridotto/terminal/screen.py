"""A view as text: the table, the log, the question, the legal actions, and how the match ended."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from rich.console import Console, Group, RenderableType
from rich.rule import Rule
from rich.table import Table
from rich.text import Text

from ridotto.core.view import Outcome, View
from ridotto.engine.fields import Seat
from ridotto.present import views
from ridotto.present.ui import ui
from ridotto.present.words import Words
from ridotto.terminal.encoding import make_legible

LINES: Final = 10
"""Lines of the log shown below the table; the command `log` shows all."""
QUIET, BRIGHT, WRONG = "dim", "bold yellow", "bold red"


def show(view: View, words: Words, console: Console, *, whole: bool = False) -> None:
    """Print a view: which box, the board, the last lines of the log (or the whole log), and the question."""
    make_legible(console)
    viewer = words.say("spectator") if view.seat is None else ui(view.game).role(view.seat, words)
    console.print(Rule(Text(f"{view.game.title} · {viewer}"), align="left", style=QUIET))
    if view.game.box_name:
        print_text(console, words.say("Played with another box: {name}", name=view.game.box_name), QUIET)
    board = Text.from_markup(ui(view.game).drawing(view, words), emoji=False)
    console.print(board, no_wrap=True, overflow="crop", highlight=False)
    console.print()
    events = views.events(view, words)
    first = 0 if whole else max(0, len(events) - LINES)
    if first:
        print_text(console, words.say("… and before these: {count}", count=first), QUIET)
    for event in events[first:]:
        console.print(log_line(event))
    if view.outcome is not None:
        console.print(result(view, words, view.outcome))
    else:
        if events:
            console.print()
        print_text(console, views.question(view, words), BRIGHT)


def print_text(console: Console, text: str, style: str) -> None:
    """Print a text in one style, without markup."""
    console.print(Text(text, style), highlight=False)


def log_line(event: Mapping[str, Any]) -> Text:
    """A line of the log."""
    line = Text("  " + event["text"])
    if event["section"]:
        line.append(f" §{event['section']}", QUIET)
    return line


def action_list(actions: Sequence[Mapping[str, Any]], width: int) -> RenderableType:
    """The legal actions with their numbers, in as many columns as fit."""
    size = [max(len(action[key]) for action in actions) for key in ("label", "notation", "section")]
    wide = sum(size) + 9
    columns = max(1, min((width + 1) // wide, -(-len(actions) // 4)))
    rows = -(-len(actions) // columns)
    table = Table.grid(padding=(0, 1))
    for _ in range(columns):
        table.add_column(justify="right", style=BRIGHT, no_wrap=True)
        table.add_column()
        table.add_column(style=QUIET, no_wrap=True)
        table.add_column(style=QUIET, no_wrap=True)
    for row in range(rows):
        cells: list[Text] = []
        for number in range(row, len(actions), rows):
            action = actions[number]
            cells += [Text(str(number + 1)), Text(action["label"]), Text(action["notation"]), Text(f"§{action['section']}  ")]
        table.add_row(*cells)
    return table


def result(view: View, words: Words, outcome: Outcome) -> RenderableType:
    """The winners, the ending, and every part of the score."""
    rules = view.game.rules
    title = _who_won(view, words, outcome)
    sentences = [event["text"] for event in views.events(view, words) if event["section"] == outcome.section]
    meanings = [words.say(line.meaning) for line in rules.ENDINGS if line.name == outcome.ending]
    table = Table.grid(padding=(0, 2))
    table.add_column()
    rivals = words.rivals(view.row)
    heads = [*(name_and_role(view, words, seat) for seat in range(view.seats)), *(one.name for one in rivals)]
    table.add_row("", *(Text(head, "bold") for head in heads))
    for part in rules.PARTS:
        if part.seats not in (0, view.seats):
            continue
        values = [str(parts[part.name]) for parts in outcome.parts]
        values += [str(one.parts.get(part.name, "")) for one in rivals]
        table.add_row(Text(words.say(part.meaning)).append(f" §{part.section}", QUIET), *values)
    scores = [*outcome.scores, *(one.score for one in rivals)]
    table.add_row(Text(words.say("score"), "bold"), *(Text(str(score), "bold") for score in scores))
    ending = Text((sentences or meanings or [""])[-1]).append(f" §{outcome.section}", QUIET)
    return Group("", Text(title, BRIGHT), ending, "", table, "")


def _who_won(view: View, words: Words, outcome: Outcome) -> str:
    """A sentence about the winners, to the reader."""
    others = ", ".join(name_and_role(view, words, seat) for seat in outcome.winners if seat != view.seat)
    if not outcome.winners:
        return words.say("Nobody wins.")
    if view.seat not in outcome.winners:
        won = words.say("Won by: {who}.", who=others)
        return won if view.seat is None else f"{won} {words.say('You have lost.')}"
    return words.say("You have won, together with {who}.", who=others) if others else words.say("You have won.")


def name_and_role(view: View, words: Words, seat: Seat) -> str:
    """The name of a player and what the game calls the seat; only the latter for a player without a name."""
    names, role = words.narrator.names, ui(view.game).role(seat, words)
    name = names[seat] if seat < len(names) else ""
    return f"{name} ({role})" if name else role
