"""Reviews as pictures and as a page of their own."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable
from html import escape
from typing import Final

from ridotto.bots.judging import Judgement
from ridotto.bots.reasons import boards
from ridotto.bots.review import Review, view_at
from ridotto.bots.review_words import (
    ExplainedDecision,
    cost,
    explain,
    heading,
    name_of,
    note,
    summary,
    title_of,
    turning_point,
)
from ridotto.core.match import Match
from ridotto.engine.fields import Seat
from ridotto.present import svg as drawing
from ridotto.present.composition import one_column
from ridotto.present.svg import Panel, tag, write
from ridotto.present.ui import ui
from ridotto.present.words import Words

# The picture.

LEFT, TOP, BOTTOM = 46, 34, 44
DASHES: Final = ("", "9 4", "2 4", "12 4 2 4", "5 5", "14 3 2 3 2 3")
STYLE: Final = """
.grid { stroke: $brass; stroke-width: 0.6; stroke-opacity: 0.55; }
.rounds { stroke: $brass; stroke-width: 0.6; stroke-dasharray: 2 5; }
.chance0 { stroke: $seat0; } .chance1 { stroke: $seat1; } .chance2 { stroke: $seat2; }
.chance3 { stroke: $seat3; } .chance4 { stroke: $seat4; } .chance5 { stroke: $seat5; }
.chance { fill: none; stroke-width: 2.6; stroke-linejoin: round; }
.slip { fill: $plush; stroke: $bad; stroke-width: 2; }
.here { stroke: $glow; stroke-width: 2; }
.slipped { fill: $bad; font-weight: 700; }
"""


def picture(
    match: Match,
    words: Words,
    made: Review,
    link: Callable[[int], str] | None = None,
    here: int | None = None,
    narrow: bool = False,
) -> Panel:
    """Win chances over time, each seat's from its own view at its decisions; the costliest decisions are numbered."""
    wide, high, right = (360, 280, 18) if narrow else (720, 320, 92)
    last = max(1, made.plies)

    def x(ply: float) -> float:
        return LEFT + (wide - LEFT - right) * ply / last

    def y(share: float) -> float:
        return TOP + (high - TOP - BOTTOM) * (1 - share)

    parts: list[str] = [tag("rect", width=wide, height=high, rx=10, cls="panel")]
    for percent in (0, 25, 50, 75, 100):
        level = y(percent / 100)
        parts.append(tag("line", x1=LEFT, x2=wide - right, y1=level, y2=level, cls="grid"))
        parts.append(write(str(percent), LEFT - 8, level + 5, 14, cls="quiet", anchor="end"))
    parts += _rounds(match, words, x, high)
    if here is not None:
        parts.append(tag("line", x1=x(here), x2=x(here), y1=TOP - 6, y2=high - BOTTOM, cls="here"))
    ends: list[tuple[float, Seat]] = []
    for seat in range(match.seats):
        points = [(one.ply, one.values[seat]) for one in made.of_seat(seat)]
        if not points:
            continue
        if made.result is not None:
            points.append((last, made.result[seat]))
        path = "M" + " L".join(f"{x(ply):.1f} {y(share):.1f}" for ply, share in points)
        parts.append(tag("path", d=path, stroke_dasharray=DASHES[seat], cls=f"chance chance{seat}"))
        ends.append((y(points[-1][1]), seat))
    # The marks are at the ends of the lines, moved down where they would overlap; names are beside them if there is room.
    below = TOP - 20.0
    for level, seat in sorted(ends):
        below = max(level, below + 20)
        parts.append(drawing.seat_mark(seat, wide - right + (8 if narrow else 14), below, 13))
        if not narrow:
            parts.append(
                write(name_of(match, words, seat), wide - right + 25, below + 5, 14, anchor="start", within=right - 28)
            )
    for number, one in enumerate(made.costliest, 1):
        parts.append(_slip(match, words, one, number, x(one.ply), y(one.values[one.seat]), link))
    title = words.say("Win chances over time")
    parts.append(write(title, LEFT, TOP - 12, 16, cls="title", anchor="start"))
    return Panel("narrow-chances" if narrow else "wide-chances", title, wide, high, "".join(parts))


def _slip(
    match: Match, words: Words, one: Judgement, number: int, x: float, y: float, link: Callable[[int], str] | None
) -> str:
    """The number of a costly decision, on the line of its seat."""
    text = f"{number}. {name_of(match, words, one.seat)}: {cost(words, one)}"
    inside = [tag("title", text), tag("circle", cx=x, cy=y, r=11, cls="slip"), write(str(number), x, y + 5, 14, cls="slipped")]
    return tag("a", *inside, href=link(one.ply), aria_label=text) if link else tag("g", *inside)


def _rounds(match: Match, words: Words, x: Callable[[float], float], high: int) -> list[str]:
    """The marks at the beginnings of rounds; none in a game without rounds."""
    if match.rules.ROUND < 0:
        return []
    parts, before, free = [], None, 0.0
    for ply in match.line:
        now = int(match.row_after(ply)[match.rules.ROUND])
        if now != before:
            at = x(ply)
            parts.append(tag("line", x1=at, x2=at, y1=TOP, y2=high - BOTTOM, cls="rounds"))
            if at >= free:
                parts.append(write(str(now), at + 3, high - BOTTOM + 18, 14, cls="quiet", anchor="start"))
                free = at + 26
            before = now
    parts.append(write(words.say("round"), LEFT, high - 8, 14, cls="quiet", anchor="start"))
    return parts


BARS: Final = "▁▂▃▄▅▆▇█"


def sparkline(made: Review, seat: Seat, width: int = 60) -> str:
    """A seat's chances over time as a line of blocks."""
    points = [(one.ply, one.values[seat]) for one in made.of_seat(seat)]
    if not points:
        return ""
    plies = [ply for ply, _ in points]
    line = ""
    for column in range(width):
        at = max(0, bisect_right(plies, made.plies * column / width) - 1)
        line += BARS[min(7, int(8 * points[at][1]))]
    return line


# The page.

PAGE_STYLE: Final = (
    f"""
body {{ font-family: {drawing.SANS}; }}
h1, h2, h3 {{ font-family: {drawing.SERIF}; }}
"""
    + """
body { margin: 0; background: $velvet; color: $ink; font-size: 17px; line-height: 1.5; }
main { max-width: 56rem; margin: 0 auto; padding: 1.5rem 1rem 4rem; }
h1, h2, h3 { color: $gilt; font-weight: 600; line-height: 1.2; }
svg { width: 100%; height: auto; }
article { background: $plush; border: 1px solid $brass; border-radius: 10px; padding: 0.4rem 1rem 1rem; margin: 1rem 0; }
table { border-collapse: collapse; width: 100%; }
th, td { text-align: left; padding: 0.25rem 0.6rem; border-bottom: 1px solid $brass; vertical-align: top; }
td.number { text-align: right; font-variant-numeric: tabular-nums; }
dl { display: grid; grid-template-columns: auto 1fr; gap: 0.1rem 0.9rem; margin: 0.8rem 0; }
dt { font-weight: 700; } dd { margin: 0; }
.boards { display: grid; grid-template-columns: repeat(auto-fit, minmax(14rem, 1fr)); gap: 0.6rem; } figure { margin: 0; }
.quiet { color: $ash; } .bad { color: $bad; } .good { color: $good; }
"""
)


def page(match: Match, words: Words, made: Review, theme: str = "dark", account: str = "") -> str:
    """The whole review as one self-contained HTML page; `account` is the part about luck, as HTML."""
    title = words.say("{title}: review", title=match.game.title)
    drawn = ui(match.game).picture
    parts = [f"<h1>{escape(title)}</h1>", f"<p>{escape(turning_point(match, words, made))}</p>"]
    parts.append(f"<p class=quiet>{escape(note(words, made))}</p>")
    panel = picture(match, words, made)
    parts.append(drawing.compose([panel], one_column([panel]), STYLE, theme))
    parts.append("<ul>" + "".join(f"<li>{escape(line)}</li>" for line in summary(match, words, made)) + "</ul>")
    parts.append(f"<h2>{escape(heading(words, made))}</h2>")
    for number, one in enumerate(made.costliest, 1):
        explained = explain(match, words, one)
        view = view_at(match, one.ply)
        table = ui(match.game).file(view, words, theme)
        lines = "".join(f"<li>{escape(reason)}</li>" for reason in explained.reasons)
        saw = words.say("The table at that moment, as far as it could be seen")
        small = _small_boards(words, explained, boards(view, words, one.compared), drawn.STYLE, theme)
        parts.append(
            f"<article><h3>{number}. {escape(title_of(words, explained))}</h3>{_moves(words, explained)}{small}"
            f"<ul class=quiet>{lines}</ul><details><summary>{escape(saw)}</summary>{table}</details></article>"
        )
    parts.append(account)
    parts.append(f"<h2>{escape(words.say('Every decision'))}</h2>{_list(match, words, made)}")
    style = drawing.sheet(PAGE_STYLE, theme)
    head = f'<meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>{escape(title)}</title>'
    return (
        f'<!DOCTYPE html>\n<html lang="{words.narrator.language}"><head>{head}<style>{style}</style></head>'
        f"<body><main>{''.join(parts)}</main></body></html>\n"
    )


def _small_boards(words: Words, explained: ExplainedDecision, tables: list[list[Panel]], style: str, theme: str) -> str:
    """The table before a decision, after it, and after the better one, side by side."""
    if len(tables) < 2:
        return ""
    titles = [words.say("Before"), explained.did, explained.better]
    figures = [
        f"<figure><figcaption>{escape(title)}</figcaption>{drawing.compose(panels, one_column(panels), style, theme)}</figure>"
        for title, panels in zip(titles, tables, strict=True)
    ]
    return f"<div class=boards>{''.join(figures)}</div>"


def _moves(words: Words, explained: ExplainedDecision) -> str:
    """The action that was played, and the better one."""
    lines = {words.say("Played"): explained.did} | ({words.say("Better"): explained.better} if explained.better else {})
    return f"<dl>{''.join(f'<dt>{escape(name)}<dd>{escape(text)}' for name, text in lines.items())}</dl>"


def _list(match: Match, words: Words, made: Review) -> str:
    say = words.say
    titles = [say("ply"), say("who"), say("played"), say("better"), say("chance before"), say("cost")]
    rows = []
    for one in made.judgements:
        explained = explain(match, words, one)
        chance, lost = round(100 * one.values[one.seat]), round(100 * one.loss)
        cells = [escape(text) for text in (explained.who, explained.did, explained.better)]
        rows.append(
            f"<tr><td class=number>{one.ply}</td>{''.join(f'<td>{cell}</td>' for cell in cells)}"
            f"<td class=number>{chance}</td><td class=number>{lost or ''}</td></tr>"
        )
    return f"<table><tr>{''.join(f'<th>{escape(text)}</th>' for text in titles)}</tr>{''.join(rows)}</table>"
