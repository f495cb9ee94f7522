"""The report of a benchmark run: a table on the terminal, a file of figures, a picture."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, Final

from rich.console import Console, Group
from rich.table import Table
from rich.text import Text

from bench.figures import GROUPS, Figure, Growth, Item, Missing, Startup

FORMAT: Final = 1
CLOCKS: Final = (
    "decisions (environment steps) a second, random legal play, best of {repeats}. By CPU time of all threads, except where "
    "a line says threads or GPU: those go by the clock. In OpenSpiel chance nodes count as steps, in our games "
    "draws do not. Compiling is not counted. k thousand, M million, G thousand million."
)
NAMES: Final = {"fantome": "Le Fantôme de l'Opéra", "opera": "Opera", "turandot": "Turandot"}
OURS: Final = ("ridotto", "ridotto-cores", "ridotto-python", "ridotto-cuda")
PEERS: Final = tuple(group for group in GROUPS if group not in OURS)
ON_GPU: Final = ("ridotto-cuda", "pgx-gpu")


@dataclass(frozen=True)
class Target:
    """A target, and what was measured."""

    what: str
    wanted: float
    measured: float | None
    unit: str
    most: bool = False
    """Whether `wanted` is the most it may be, not the least."""

    @property
    def shown(self) -> bool | None:
        if self.measured is None:
            return None
        return self.measured <= self.wanted if self.most else self.measured >= self.wanted


@dataclass(frozen=True)
class Ratio:
    """One of our games against the games of a group: how many times as fast as the fastest and the slowest of them."""

    game: str
    seats: int
    group: str
    fastest: str
    times_fastest: float
    slowest: str
    times_slowest: float


@dataclass
class Run:
    """All that one run measured."""

    date: str
    command: str
    machine: Mapping[str, Any]
    versions: Mapping[str, str]
    repeats: int = 5
    seconds: float = 0.0
    """How long the whole run took."""
    figures: list[Figure] = field(default_factory=list)
    growth: list[Growth] = field(default_factory=list)
    startup: list[Startup] = field(default_factory=list)
    missing: list[Missing] = field(default_factory=list)
    mismatches: dict[str, Any] = field(default_factory=dict)
    """Words that differed between builds, by game; filled by the run on a GPU."""

    def add(self, item: Item) -> None:
        """Put an item where it belongs."""
        if isinstance(item, Figure):
            self.figures.append(item)
        elif isinstance(item, Growth):
            self.growth.append(item)
        elif isinstance(item, Startup):
            self.startup.append(item)
        else:
            self.missing.append(item)

    def of(self, group: str, games: Iterable[str] = ()) -> list[Figure]:
        """The figures of a group, or of some of its games."""
        wanted = set(games)
        return [one for one in self.figures if one.group == group and (not wanted or one.game in wanted)]

    def ratios(self) -> list[Ratio]:
        """Each of our games against each group of peers that runs on the same kind of hardware."""
        found = []
        for own in ("ridotto", "ridotto-cuda"):
            for one in self.of(own):
                for group in PEERS:
                    peers = sorted(self.of(group), key=lambda peer: peer.rate)
                    if peers and (own in ON_GPU) == (group in ON_GPU):
                        low, high = peers[0], peers[-1]
                        times = one.rate / high.rate, one.rate / low.rate
                        found.append(Ratio(one.game, one.seats, group, high.game, times[0], low.game, times[1]))
        return found

    def targets(self) -> list[Target]:
        """The targets of issue 5, with what was measured here."""
        return list(self._on_gpu() if self.machine["gpu"] else self._on_cpu())

    def document(self) -> dict[str, Any]:
        """The run as one JSON document."""
        return {
            "format": FORMAT,
            **asdict(self),
            "unit": CLOCKS.format(repeats=self.repeats),
            "ratios": [asdict(one) for one in self.ratios()],
            "targets": [asdict(one) | {"shown": one.shown} for one in self.targets()],
        }

    @classmethod
    def read(cls, document: Mapping[str, Any]) -> Run:
        """The run in such a document."""
        if document.get("format") != FORMAT:
            raise ValueError(f"cannot read figures of format {document.get('format')!r}; this is format {FORMAT}")
        made = {"unit", "ratios", "targets", "format"}
        kept = {key: value for key, value in document.items() if key not in made}
        for name, kind in (("figures", Figure), ("growth", Growth), ("startup", Startup), ("missing", Missing)):
            kept[name] = [kind(**one) for one in kept[name]]
        return cls(**kept)

    def save(self, folder: Path) -> list[Path]:
        """Write the document and the picture; returns the files that were written."""
        folder.mkdir(parents=True, exist_ok=True)
        stem = folder / f"{self.date[:10]}-{self.machine['kind']}"
        document = stem.with_name(stem.name + ".json")
        document.write_text(json.dumps(self.document(), indent=2, ensure_ascii=False) + "\n", "utf-8")
        try:
            from bench.picture import draw
        except ImportError:
            return [document]
        return [document, *draw(self, stem)]

    def _on_cpu(self) -> Iterator[Target]:
        for game, seats, wanted in (("fantome", (2,), 8e6), ("turandot", (2, 3, 4, 5), 5e6), ("opera", (4,), 3e6)):
            rates = [one.rate for one in self.of("ridotto", [game]) if one.seats in seats]
            which = f", {seats[0]} seats" if len(seats) == 1 else ", slowest number of seats"
            yield Target(f"{NAMES[game]} on one core{which}", wanted, min(rates, default=None), "/s")
        for game in NAMES:
            two = [one for one in self.of("ridotto-cores", [game]) if one.detail.get("threads") == 2]
            times = [one.detail["times_one_thread"] for one in two]
            yield Target(f"{NAMES[game]}, two threads against one, least over seats", 1.8, min(times, default=None), "times")
        for group, games, wanted in (
            ("openspiel-python", ("hearts", "hanabi", "tarok"), 6.0),
            ("openspiel-cpp", ("hearts",), 1.0),
            ("pgx", ("sparrow_mahjong", "bridge_bidding"), 20.0),
            ("pettingzoo", (), 300.0),
        ):
            peers = self.of(group, games)
            against = max(peers, key=lambda peer: peer.rate, default=None)
            for game in NAMES:
                own = min((one.rate for one in self.of("ridotto", [game])), default=None)
                measured = own / against.rate if own and against else None
                named = f"{GROUPS[group].title}: {against.game}" if against else GROUPS[group].title
                yield Target(f"{NAMES[game]} against {named}", wanted, measured, "times")
        for cache, wanted in (("cold", 120.0), ("warm", 1.0)):
            for one in self.startup:
                if one.cache == cache:
                    measured = one.complete if cache == "cold" else one.decided
                    what = "compiled from nothing" if cache == "cold" else "import and first decision, warm"
                    yield Target(f"{NAMES[one.game]}, {what}", wanted, measured, "s", most=True)

    def _on_gpu(self) -> Iterator[Target]:
        for game, wanted in (("fantome", 1e9), ("turandot", 7e8), ("opera", 3e8)):
            rates = [one.rate for one in self.of("ridotto-cuda", [game])]
            yield Target(f"{NAMES[game]} on one GPU", wanted, max(rates, default=None), "/s")
        for game, comparison in self.mismatches.items():
            what = f"{NAMES[game]}, words that differ between CPU and GPU after {comparison['decisions']:,} decisions"
            yield Target(what, 0, comparison["words"], "", most=True)


def show(run: Run, screen: Console) -> None:
    """Print all of it."""
    screen.print(_figures(run))
    if run.growth:
        screen.print(_growth(run))
    if run.startup:
        screen.print(_startup(run))
    if ratios := run.ratios():
        screen.print(_ratios(ratios))
    screen.print(_targets(run))


def _figures(run: Run) -> Group:
    machine = run.machine
    where = machine["gpu"] or f"{machine['cpu']}, {machine['cores']} cores"
    table = Table(title=f"Ridotto beside its peers: {where}, {run.date[:10]}", title_style="bold")
    for column in ("", "game", "seats"):
        table.add_column(column, justify="right" if column == "seats" else "left")
    table.add_column("by CPU time", justify="right")
    table.add_column("by the clock", justify="right")
    table.add_column("note")
    for name, group in GROUPS.items():
        figures, missing = run.of(name), [one for one in run.missing if one.group == name]
        if not figures and not missing:
            continue
        table.add_section()
        title: Text | str = Text(group.title, style="bold green" if name in OURS else "bold")
        for one in figures if name in OURS else sorted(figures, key=lambda one: -one.rate):
            wall = group.clock == "wall"
            rates = [Text(format_rate(rate), style="bold" if wall == by_wall else "dim") for rate, by_wall in _both(one)]
            table.add_row(title, NAMES.get(one.game, one.game), str(one.seats or ""), *rates, _note(one))
            title = ""
        for reason, install in dict.fromkeys((gap.reason, gap.install) for gap in missing):
            games = ", ".join(gap.game for gap in missing if (gap.reason, gap.install) == (reason, install))
            hint = f"; pip install {install}" if install else ""
            table.add_row(title, games, "", Text("missing", style="yellow"), "", Text(f"{reason}{hint}"))
            title = ""
    return Group(table, Text(CLOCKS.format(repeats=run.repeats), style="italic dim"), Text(""))


def _both(figure: Figure) -> tuple[tuple[float, bool], tuple[float, bool]]:
    return (figure.per_second, False), (figure.per_wall_second, True)


def _note(figure: Figure) -> str:
    detail = figure.detail
    notes = {
        "ridotto": lambda: f"{detail['decisions_per_match']:.0f} decisions a match",
        "ridotto-cores": lambda: f"{detail['threads']} threads: {detail['times_one_thread']:.2f} times one",
        "ridotto-python": lambda: f"compiled is {detail['times_slower']:.0f} times faster",
        "ridotto-cuda": lambda: f"{detail['rows']:,} rows, {detail['bytes_per_row']:.0f} bytes each",
        "openspiel-cpp": lambda: f"{detail['way']}; decisions alone {format_rate(detail['decisions_per_second'])}",
        "openspiel-python": lambda: f"decisions alone {format_rate(detail['decisions_per_second'])}",
        "pgx": lambda: f"{detail['batch']:,} matches at once",
        "pgx-gpu": lambda: f"{detail['batch']:,} matches at once",
    }
    return notes[figure.group]() if detail and figure.group in notes else ""


def _growth(run: Run) -> Table:
    where = "one GPU" if run.machine["gpu"] else "one core"
    table = Table(title=f"How cost grows, {where}", title_style="bold")
    for column in ("growing", "game", "seats", "at", "decisions a second", "a decision", "a match"):
        table.add_column(column, justify="left" if column in ("growing", "game") else "right")
    for what, title in (("rows", "matches at once"), ("seats", "seats"), ("rounds", "rounds")):
        lines = [one for one in run.growth if one.what == what]
        for game in dict.fromkeys(one.game for one in lines):
            table.add_section()
            for i, one in enumerate(one for one in lines if one.game == game):
                match = one.detail.get("decisions_per_match", 0) / one.per_second
                table.add_row(
                    title if i == 0 else "",
                    NAMES.get(game, game) if i == 0 else "",
                    str(one.seats),
                    f"{one.at:,}",
                    format_rate(one.per_second),
                    f"{1e9 / one.per_second:,.0f} ns",
                    f"{1e6 * match:,.1f} µs" if match else "",
                )
    calls = sorted({one.detail["decisions_a_call"] for one in run.growth if one.what == "rows"})
    if calls:
        table.caption = (
            f"matches at once: decisions in every row in one call, {', '.join(map(str, calls))}; masks and rewards out"
        )
    return table


def _startup(run: Run) -> Table:
    table = Table(title="Start-up: seconds from the first line of a fresh Python", title_style="bold")
    for column in ("game", "cache", "import ridotto", "first compiled match", "everything compiled", "of it CPU time"):
        table.add_column(column, justify="left" if column in ("game", "cache") else "right")
    for one in run.startup:
        name = NAMES.get(one.game, one.game)
        spent = one.imported, one.decided, one.complete, one.complete_cpu
        table.add_row(name, one.cache, *(f"{seconds:.2f}" for seconds in spent))
    return table


def _ratios(ratios: Iterable[Ratio]) -> Table:
    table = Table(title="How many times as fast: against the fastest – the slowest game of each group", title_style="bold")
    table.add_column("game")
    table.add_column("seats", justify="right")
    ratios = list(ratios)
    groups = list(dict.fromkeys(one.group for one in ratios))
    for group in groups:
        table.add_column(GROUPS[group].title, justify="right")
    for game, seats in dict.fromkeys((one.game, one.seats) for one in ratios):
        by = {one.group: one for one in ratios if (one.game, one.seats) == (game, seats)}
        table.add_row(NAMES.get(game, game), str(seats), *(_span(by[group]) if group in by else "" for group in groups))
    return table


def _span(ratio: Ratio) -> str:
    least, most = _times(ratio.times_fastest), _times(ratio.times_slowest)
    return least if ratio.fastest == ratio.slowest else f"{least} – {most}"


def _times(times: float) -> str:
    return f"{times:.3g}" if times < 999.5 else f"{times:,.0f}"


def _targets(run: Run) -> Table:
    table = Table(title="Set out to show, and measured here", title_style="bold")
    for column in ("", "wanted", "measured", ""):
        table.add_column(column, justify="right" if column else "left")
    for one in run.targets():
        unit = one.unit if one.unit.startswith("/") or not one.unit else f" {one.unit}"
        bound = "at most" if one.most else "at least"
        number = _times if one.unit in ("times", "s") else format_rate
        measured = "not measured" if one.measured is None else f"{number(one.measured)}{unit}"
        verdict = {True: Text("yes", style="green"), False: Text("no", style="red"), None: Text("–", style="yellow")}
        table.add_row(one.what, f"{bound} {number(one.wanted)}{unit}", measured, verdict[one.shown])
    return table


def format_rate(rate: float) -> str:
    """A rate with three significant figures: 11.8 M, 416 k, 950."""
    size, letter = next((pair for pair in ((1e9, " G"), (1e6, " M"), (1e3, " k")) if rate >= pair[0] * 0.9995), (1, ""))
    return f"{rate / size:.3g}{letter}" if rate / size < 999.5 else f"{rate / size:,.0f}{letter}"
