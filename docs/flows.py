"""The flows of docs/architecture.md, as data: `python docs/flows.py` draws each as a picture, and lists its stations below it.

A flow is the way of one thing through the program, station by station; each station is a file, a function or class in it, and
what happens there. `tests/test_architecture.py` checks that every station is where it is said to be, and that no flow
goes back to a file it has left.
"""

from __future__ import annotations

import re
from html import escape
from pathlib import Path
from typing import Final, NamedTuple

HERE: Final = Path(__file__).with_name("pictures")
PAGE: Final = Path(__file__).with_name("architecture.md")
WIDE, ROW, LEFT = 900, 58, 24


class Station(NamedTuple):
    """A place that a flow passes."""

    file: str
    """Under ridotto/; a folder stands for its `__init__.py`."""
    name: str
    """The function, class or method there that does the work."""
    what: str


def draw(title: str, stations: tuple[Station, ...]) -> str:
    """A flow as SVG: one box a station, from top to bottom, coloured by its folder."""
    tall = 64 + ROW * len(stations)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDE} {tall}" role="img" aria-label="{escape(title)}">',
        "<style>text{font:14px 'Source Sans Pro','Helvetica Neue',Arial,sans-serif;fill:#2a171e}"
        ".title{font:600 20px 'Source Serif Pro',Georgia,serif}.file{font-family:monospace;font-weight:600}"
        ".name{font-family:monospace;fill:#7d5a10}.box{fill:#fbf5ea;stroke:#b79a63}.way{stroke:#9c3049;stroke-width:2;fill:none}"
        ".tip{fill:#9c3049}</style>",
        f'<rect width="{WIDE}" height="{tall}" fill="#efe4d2"/>',
        f'<text x="{LEFT}" y="34" class="title">{escape(title)}</text>',
    ]
    for number, station in enumerate(stations):
        y = 52 + ROW * number
        parts.append(f'<rect x="{LEFT}" y="{y}" width="{WIDE - 2 * LEFT}" height="{ROW - 16}" rx="7" class="box"/>')
        parts.append(f'<text x="{LEFT + 14}" y="{y + 18}" class="file">{escape(station.file)}</text>')
        parts.append(f'<text x="{LEFT + 14}" y="{y + 35}" class="name">{escape(station.name)}</text>')
        parts.append(f'<text x="{LEFT + 330}" y="{y + 26}">{escape(station.what)}</text>')
        if number + 1 < len(stations):
            x, end = LEFT + 60, y + ROW
            parts.append(f'<path class="way" d="M{x} {y + ROW - 16}V{end - 4}"/>')
            parts.append(f'<path class="tip" d="M{x - 5} {end - 7}H{x + 5}L{x} {end}Z"/>')
    return "\n".join([*parts, "</svg>", ""])


def listed(stations: tuple[Station, ...]) -> str:
    """A flow as text: a line for each station."""
    return "".join(f"{number}. `{one.file}` · `{one.name}`\n" for number, one in enumerate(stations, 1))


def with_lists(page: str) -> str:
    """The page, with the stations of each flow below its picture."""
    for name, (_, stations) in FLOWS.items():
        picture = rf"(\(pictures/flow-{name}\.svg\)\n\n)(?:\d+\. .*\n)*\n?"
        page = re.sub(picture, rf"\g<1>{listed(stations)}\n", page)
    return page


CLICK: Final = (
    Station("web/static/question.js", "act", 'The browser sends {do: "pick meg", ply: 12} to /t/ID/act.'),
    Station(
        "web/server/middleware.py", "Gatekeeper", "Known host, not too often, not too large; log and headers on the way out."
    ),
    Station(
        "web/server/requests.py", "Context", "Who asks (signed cookie), same origin, the form's nonce, the seat they have."
    ),
    Station(
        "web/server/routes/table.py",
        "TableRoutes.act",
        "The route: reads the action, hands it to the table writer, answers 204.",
    ),
    Station(
        "web/live/table_writer.py", "TableWriter._write", "One change at a time; another server's entries first, then this one."
    ),
    Station("core/match.py", "Match.play", "Checks the action against the rules, or raises IllegalAction and changes nothing."),
    Station(
        "web/storage/tables.py", "TableStorage.append", "The commit point: (match, ply) is unique, so of two writers one wins."
    ),
    Station("web/live/state.py", "TableState", "The table as it now is, sent to everybody who is connected."),
    Station("web/server/routes/live.py", "LiveRoutes._events", "Each open page has a stream here, and the state it shows."),
    Station(
        "web/live/messages.py", "message", "What changed, worked out and compressed once for all who see the same of the table."
    ),
    Station(
        "web/live/view_models.py",
        "table_page",
        "What this audience may know, as plain data: the audience of each field decides.",
    ),
    Station("games/<game>/ui/picture", "shared", "The game describes the view as items: once for all, then for each seat."),
    Station("present/scene.py", "difference", "The items that appear, change, move or go."),
    Station(
        "web/pages/table_question.py", "ask", "The question, the players and the new lines of the log as HTML, from templates."
    ),
    Station("web/static/connection.js", "onTable", "The browser gets the message; if one is missing, it asks for everything."),
    Station("web/static/beats.js", "receive", "Its beats wait in a queue, so that each can be seen."),
    Station("web/static/table.js", "update", "The parts of the page are replaced, the new lines added to the log."),
    Station("web/static/board.js", "apply", "The browser puts the items in, so that the page is as if loaded afresh."),
)
"""From a click to everybody's screen."""

PLAYOUT: Final = (
    Station("core/batch.py", "Batch.play", "Many matches at once, as arrays; threads take a share of the rows each."),
    Station("engine/build.py", "load", "The game's rules and the driver, loaded and compiled for one target."),
    Station("engine/driver.py", "advance", "The compiled loop: who is to act, which actions are legal, choose, apply."),
    Station("games/<game>/rules.py", "apply", "One decision: the § of the rulebook that it belongs to, on a row of integers."),
    Station("engine/dice.py", "draw", "A draw, from the generator of that row."),
)
"""From a batch to a die."""

THOUGHT: Final = (
    Station("web/live/bot_runner.py", "BotRunner.wake", "A bot owes a decision: one server claims it."),
    Station(
        "web/live/workers.py", "BotWorkers.choose", "A worker process is handed the seat's view and nothing else of the match."
    ),
    Station("bots/registry.py", "find", "The bot of that name: level:3."),
    Station("bots/levels.py", "Level.choose", "What the level means in this game, from its tuning.toml."),
    Station("bots/search.py", "Search.choose", "The budget, the trees, and how often each action was tried."),
    Station("engine/search.py", "search", "Compiled: imagine a world that fits the view, go down the tree, play out."),
    Station("games/<game>/ai/bot.py", "value", "What each seat may hope for at the end of a round."),
)
"""From a bot's turn to its choice; the choice then goes the way of a click, from the table writer on."""

FLOWS: Final = {
    "click": ("The flow of a click", CLICK),
    "playout": ("The flow of a playout", PLAYOUT),
    "thought": ("The flow of a bot's thought", THOUGHT),
}

if __name__ == "__main__":
    HERE.mkdir(exist_ok=True)
    for name, (title, stations) in FLOWS.items():
        (HERE / f"flow-{name}.svg").write_text(draw(title, stations), "utf-8")
    PAGE.write_text(with_lists(PAGE.read_text("utf-8")), "utf-8")
