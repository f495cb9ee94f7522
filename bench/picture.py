"""The figures of a run as one picture: bars on a logarithmic scale, our games above, the peers below."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import matplotlib

from bench.figures import GROUPS, Figure
from bench.report import NAMES, OURS, Run, format_rate

COLOURS: Final = {
    "ridotto": "#9b1c31",
    "ridotto-cores": "#9b1c31",
    "ridotto-python": "#c46a78",
    "ridotto-cuda": "#9b1c31",
    "openspiel-cpp": "#1f4e79",
    "openspiel-python": "#4f81b0",
    "pgx": "#2f7d6d",
    "pgx-gpu": "#2f7d6d",
    "chess": "#8a7a3c",
    "pettingzoo": "#7d6b8a",
}
INK: Final = "#2b2b2b"


@dataclass(frozen=True)
class Bar:
    """One line of the picture; `reach` is where a paler end goes to, if any: the same on all cores."""

    label: str
    rate: float
    reach: float
    colour: str


def bars(run: Run) -> dict[str, list[Bar]]:
    """The bars under each heading, in the order they are drawn."""
    most = max((one.detail.get("threads", 1) for one in run.of("ridotto-cores")), default=1)
    threaded = {(o.game, o.seats): o.rate for o in run.of("ridotto-cores") if o.detail.get("threads") == most}
    drawn: dict[str, list[Bar]] = {}
    for group, about in GROUPS.items():
        figures = run.of(group)
        if not figures or group == "ridotto-cores":
            continue
        if group == "ridotto-python":  # interpreted, one bar a game is enough
            figures = [max(run.of(group, [game]), key=lambda one: one.rate) for game in dict.fromkeys(o.game for o in figures)]
        title = f"{about.title}; paler: {most} threads" if group == "ridotto" and threaded else about.title
        figures = figures if group in OURS else sorted(figures, key=lambda one: -one.rate)
        drawn[title] = [
            Bar(
                _label(one, len(run.of(group, [one.game])) > 1 and group != "ridotto-python"),
                one.rate,
                threaded.get((one.game, one.seats), 0.0) if group == "ridotto" else 0.0,
                COLOURS[group],
            )
            for one in figures
        ]
    return drawn


def draw(run: Run, stem: Path) -> list[Path]:
    """Draw the run beside `stem`, as PNG and as SVG; give back the files."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure as Sheet

    groups = bars(run)
    lines = sum(len(group) + 1.45 for group in groups.values())
    style: dict[Any, Any] = {"font.family": "DejaVu Sans", "font.size": 9.5, "svg.hashsalt": "ridotto", "text.color": INK}
    files = [stem.with_name(f"{stem.name}.{kind}") for kind in ("png", "svg")]
    with matplotlib.rc_context(style):
        height = 1.2 + 0.225 * lines
        sheet = Sheet(figsize=(9.2, height))
        FigureCanvasAgg(sheet)
        axes = sheet.add_axes((0.185, 0.36 / height, 0.8, 1 - 1.1 / height))
        _fill(axes, groups)
        machine = run.machine
        where = machine["gpu"] or f"{machine['cpu']}, {machine['cores']} cores"
        about = f"{where}; all measured in one run, the best of {run.repeats}; logarithmic scale; {run.date[:10]}"
        sheet.text(0.012, 1 - 0.3 / height, "Decisions a second in random play", fontsize=14, fontweight="bold")
        sheet.text(0.012, 1 - 0.54 / height, about, fontsize=9, color="#666666")
        sheet.savefig(files[0], dpi=160, facecolor="white", metadata={"Software": None})
        sheet.savefig(files[1], facecolor="white", metadata={"Date": None, "Creator": None})
    text = files[1].read_text("utf-8")
    files[1].write_text("\n".join(line.rstrip() for line in text.splitlines()) + "\n", "utf-8")
    return files


def _fill(axes: Any, groups: dict[str, list[Bar]]) -> None:
    at, places, labels = 0.0, [], []
    everything = [bar for group in groups.values() for bar in group]
    low = 10 ** (len(f"{min((bar.rate for bar in everything), default=1):.0f}") - 1) / 2
    high = max((max(bar.rate, bar.reach) for bar in everything), default=10)
    for title, group in groups.items():
        axes.text(low * 1.02, at + 0.05, title, fontweight="bold", fontsize=9.5, va="center", color=group[0].colour)
        at += 1
        for bar in group:
            if bar.reach > bar.rate:
                axes.barh(at, bar.reach - low, left=low, height=0.74, color=bar.colour, alpha=0.3, linewidth=0)
            axes.barh(at, bar.rate - low, left=low, height=0.74, color=bar.colour, linewidth=0)
            end = max(bar.rate, bar.reach)
            figure = format_rate(bar.rate) if bar.reach <= bar.rate else f"{format_rate(bar.rate)}; {format_rate(bar.reach)}"
            axes.text(end * 1.12, at, figure, va="center", fontsize=8.5, color=INK)
            places.append(at)
            labels.append(bar.label)
            at += 1
        at += 0.45
    axes.set_yticks(places, labels)
    axes.set_ylim(at - 0.6, -0.7)
    axes.set_xscale("log")
    axes.set_xlim(low, high * 8)
    decades = [10**power for power in range(1, 12) if low <= 10**power <= high * 3]
    axes.set_xticks(decades, [f"{format_rate(decade)}" for decade in decades])
    axes.minorticks_off()
    axes.grid(axis="x", color="#dddddd", linewidth=0.7)
    axes.set_axisbelow(True)
    axes.tick_params(length=0, colors=INK)
    for side in axes.spines.values():
        side.set_visible(False)


def _label(figure: Figure, with_seats: bool) -> str:
    name = NAMES.get(figure.game, figure.game.replace("_", " "))
    if figure.group == "pettingzoo":
        name = name.rpartition(" ")[0]
    return f"{name}, {figure.seats} seats" if with_seats else name
