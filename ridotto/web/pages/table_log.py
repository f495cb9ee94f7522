"""The log of a table as HTML: all of it by rounds, and the latest lines."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache, partial
from itertools import takewhile
from sys import intern
from typing import Final, NamedTuple

from ridotto.core.view import Seen
from ridotto.present.html import Html, el, seat_badge
from ridotto.present.ui import ui
from ridotto.present.words import Words
from ridotto.web.pages.models import LogLine, TablePage
from ridotto.web.pages.render import render
from ridotto.web.pages.table_parts import NOTHING, rule_link


def since(table: TablePage, first: int | None = None, last: int | None = None) -> Html:
    """The lines that are news to the reader, or those of a few entries, as items of a list, the oldest first."""
    start, stop = table.recent if first is None else first, table.view.ply - 1 if last is None else last
    recent = takewhile(lambda line: line.ply >= start, reversed(table.log))
    return Html("".join([_news_line(line) for line in recent if line.ply <= stop][::-1]))


def latest(table: TablePage, count: int) -> Html:
    """The latest lines, so many of them, as items of such a list."""
    return Html("".join(map(_news_line, table.log[len(table.log) - count :])))


@lru_cache(2000)
def _news_line(line: LogLine) -> Html:
    return el("li", NOTHING if line.seat is None else seat_badge(line.seat), line.text, data_ply=line.ply, data_seat=line.seat)


class Chapter(NamedTuple):
    """The lines of one round, the newest first."""

    number: int
    title: str
    lines: list[LogLine]


def log_lines(seen: Iterable[Seen], words: Words, before: LogLine | None = None) -> tuple[LogLine, ...]:
    """Events as lines of a log that goes on after the line `before`."""
    lines, number, chapter = [], before.round if before else None, before.chapter if before else 0
    for one in seen:
        if one.event.begins_round:
            number, chapter = one.values["round"], chapter + 1
        text = intern(words.event(one))
        lines.append(_log_line(one.ply, one.event.section, text, one.values.get("seat"), number, chapter))
    return tuple(lines)


_log_line: Final = lru_cache(8192)(LogLine)
"""Most lines are the same for everybody."""


def chapters(table: TablePage, lines: Sequence[LogLine]) -> list[Chapter]:
    """Lines of the log by rounds, the newest round first; in one piece where the game has none."""
    newest_first: list[Chapter] = []
    for line in reversed(lines):
        if not newest_first or newest_first[-1].number != line.chapter:
            newest_first.append(Chapter(line.chapter, _chapter_title(table, line), []))
        newest_first[-1].lines.append(line)
    return newest_first


def _chapter_title(table: TablePage, line: LogLine) -> str:
    say = table.narrator.say
    if line.round is not None:
        return say("Round {round}", round=line.round)
    has_rounds = any(event.begins_round for event in table.game.rules.EVENTS)
    at = table.game.rules.ROUND
    if at >= 0 and table.log[-1].chapter == 0 and table.view.row[at] > 1:  # it began in the middle, from a position
        return say("Round {round}", round=table.view.row[at])
    return say("Before the first round") if has_rounds else say("The whole match")


def log(table: TablePage) -> Html:
    """Everything that happened, in sentences, the newest first, foldable by round."""
    address = f"/t/{table.id}/ledger" if ui(table.game).has_ledger and table.id else ""
    found = chapters(table, table.log)
    return render("log.html", table.narrator, chapters=found, lines_of=partial(_lines, table), ledger=address)


def log_since(table: TablePage, count: int) -> list[dict[str, str]]:
    """The lines of the log after the first `count`, by chapter, the oldest chapter first: lines to add, or a new chapter."""
    last = table.log[count - 1].chapter
    parts = []
    for chapter in reversed(chapters(table, table.log[count:])):
        name = f"round-{chapter.number}"
        if chapter.number == last:
            parts.append({"id": name, "lines": _lines(table, chapter)})
        else:
            html = render("log_chapter.html", table.narrator, is_open=True, chapter=chapter, lines_of=partial(_lines, table))
            parts.append({"id": name, "chapter": html})
    return parts


def _lines(table: TablePage, chapter: Chapter) -> Html:
    """The lines of one round, the newest first."""
    language, game = table.narrator.language, table.game.name
    return Html("".join(_line(language, game, line) for line in chapter.lines))


@lru_cache(8192)
def _line(language: str, game: str, line: LogLine) -> Html:
    """A line of the log: most are the same for all who read the same language."""
    badge = seat_badge(line.seat) if line.seat is not None else NOTHING
    return el("li", badge, line.text, " ", rule_link(language, game, line.section), data_line=line.ply)
