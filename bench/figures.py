"""The figures of a benchmark, how they are timed, and the machine that they were measured on."""

from __future__ import annotations

import json
import os
import platform
import re
import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import asdict, dataclass, field
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any, Final


@dataclass
class Effort:
    """How long to measure: the best of `repeats` runs of about `seconds` each."""

    repeats: int = 5
    seconds: float = 0.3


EFFORT: Final = Effort()


@dataclass(frozen=True)
class Group:
    """Figures that are compared together: a library, and how it is used."""

    title: str
    clock: str
    """The clock of its rate: "cpu" for seconds of CPU time, "wall" for seconds of wall time."""
    install: str = ""
    """The packages to install for it, if it is not ours."""


GROUPS: Final[dict[str, Group]] = {
    "ridotto": Group("Ridotto, one core", "cpu"),
    "ridotto-cores": Group("Ridotto, threads", "wall"),
    "ridotto-python": Group("Ridotto, interpreted", "cpu"),
    "ridotto-cuda": Group("Ridotto, one GPU", "wall"),
    "openspiel-cpp": Group("OpenSpiel, its C++ rollouts", "cpu", "open_spiel"),
    "openspiel-python": Group("OpenSpiel from Python", "cpu", "open_spiel"),
    "pgx": Group("pgx, JAX on the CPU", "cpu", "pgx jax"),
    "pgx-gpu": Group("pgx, JAX on the GPU", "wall", "pgx 'jax[cuda13]'"),
    "chess": Group("python-chess", "cpu", "chess"),
    "pettingzoo": Group("PettingZoo classic", "cpu", "'pettingzoo[classic]'"),
}


@dataclass(frozen=True)
class Figure:
    """Decisions a second of one game in one group."""

    group: str
    game: str
    per_second: float
    """Decisions a second of CPU time, of all threads of the process together."""
    per_wall_second: float
    seats: int = 0
    detail: Mapping[str, Any] = field(default_factory=dict)

    @property
    def rate(self) -> float:
        """The rate by the clock of its group."""
        return self.per_wall_second if GROUPS[self.group].clock == "wall" else self.per_second


@dataclass(frozen=True)
class Growth:
    """What one decision costs as something grows: matches at once, seats, rounds."""

    what: str
    game: str
    seats: int
    at: int
    per_second: float
    detail: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Startup:
    """Seconds from the first line of a fresh Python, with the compiler's cache empty ("cold") or filled ("warm")."""

    game: str
    cache: str
    imported: float
    """`import ridotto` is done."""
    decided: float
    """The first compiled match is played."""
    complete: float
    """Everything compiled that the game has is ready, as after `ridotto warm`."""
    decided_cpu: float
    complete_cpu: float
    """The same two in seconds of CPU time, which other programs on the machine do not stretch."""


@dataclass(frozen=True)
class Missing:
    """A figure that could not be measured, why not, and the packages to install for it."""

    group: str
    game: str
    reason: str
    install: str = ""


Item = Figure | Growth | Startup | Missing
KINDS: Final[dict[str, type[Item]]] = {kind.__name__.lower(): kind for kind in (Figure, Growth, Startup, Missing)}


def line(item: Item) -> str:
    """An item as one line of JSON."""
    return json.dumps({"kind": type(item).__name__.lower(), **asdict(item)})


def item(read: Mapping[str, Any]) -> Item:
    """The item in the JSON of such a line."""
    return KINDS[read["kind"]](**{key: value for key, value in read.items() if key != "kind"})


@dataclass(frozen=True)
class Job:
    """Some figures of one game, measured together; if that fails, other jobs are still done."""

    group: str
    game: str
    take: Callable[[], Iterable[Item]]


@dataclass(frozen=True)
class Speed:
    """The best of several runs, by each clock."""

    per_second: float
    per_wall_second: float


def best_of(play: Callable[[int], float], clock: str = "cpu") -> Speed:
    """Time `play(n)`, which does n units of work and returns how many decisions they were; the first call is not timed.

    There are as many units as fill the time by the given clock: "cpu", or "wall" for work on another device.
    """
    play(1)
    units, clock_index = 1, 2 if clock == "wall" else 1
    while (spent := _timed(play, units)[clock_index]) < EFFORT.seconds / 4:
        units *= 4 if spent * 16 < EFFORT.seconds else 2
    units = max(1, round(units * EFFORT.seconds / spent))
    runs = [_timed(play, units) for _ in range(EFFORT.repeats)]
    return Speed(max(done / cpu for done, cpu, _ in runs), max(done / wall for done, _, wall in runs))


def _timed(play: Callable[[int], float], units: int) -> tuple[float, float, float]:
    wall, cpu = time.perf_counter(), time.process_time()
    done = play(units)
    return done, max(time.process_time() - cpu, 1e-9), max(time.perf_counter() - wall, 1e-9)


VERSIONS: Final = (
    "ridotto",
    "numba",
    "numba-cuda",
    "llvmlite",
    "numpy",
    "open_spiel",
    "pgx",
    "jax",
    "jaxlib",
    "pettingzoo",
    "gymnasium",
    "rlcard",
    "shimmy",
    "chess",
)


def machine(gpu: str = "") -> dict[str, Any]:
    """A description of this machine."""
    cores = os.cpu_count() or 1
    cpu = _cpu()
    kind = re.sub(r"[^a-z0-9]+", "-", (gpu or f"{cpu} {cores} cores").lower()).strip("-")
    return {
        "kind": kind,
        "cpu": cpu,
        "cores": cores,
        "memory_gib": round(os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30, 1),
        "system": f"{platform.system()} {platform.machine()}",
        "gpu": gpu,
        "load_before": [round(load, 2) for load in os.getloadavg()],
    }


def versions() -> dict[str, str]:
    """The versions of all measured packages that are installed."""
    found = {"python": platform.python_version()}
    for name in VERSIONS:
        try:
            found[name] = version(name)
        except PackageNotFoundError:
            continue
    return found


def _cpu() -> str:
    info = Path("/proc/cpuinfo")
    names = [line for line in info.read_text().splitlines() if line.startswith("model name")] if info.exists() else []
    return names[0].partition(":")[2].strip() if names else platform.processor()
