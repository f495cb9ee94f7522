"""The same on a GPU: our games and pgx's, side by side, on whatever GPU there is.

python bench/gpu.py [--repeats 5] [--rows 1048576 ...] [--results FOLDER]

Needs `ridotto[gpu]`; JAX with CUDA and pgx for the peers. What is not installed may lie in the folder bench/peers-site:
pip install --no-deps --target bench/peers-site pgx svgwrite typing_extensions rich markdown-it-py mdurl pygments
"""

from __future__ import annotations

import argparse
import os
import sys
import time
from collections.abc import Callable, Iterator
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import Any, Final

HERE: Final = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
if (HERE / "peers-site").is_dir():
    sys.path.append(str(HERE / "peers-site"))
os.environ.setdefault("XLA_PYTHON_CLIENT_PREALLOCATE", "false")  # the memory is shared with our own rows

from rich.console import Console  # noqa: E402

from bench import peers, report  # noqa: E402
from bench.figures import EFFORT, GROUPS, Figure, Growth, Item, Missing, best_of, machine, versions  # noqa: E402
from bench.ours import SEED, SHOWN, SPREAD, bytes_per_row  # noqa: E402
from ridotto.games import GAMES  # noqa: E402

ROWS: Final = (1 << 14, 1 << 17, 1 << 20, 1 << 22)
DECISIONS: Final = 256
"""Decisions in every row in one call, where the choice is made on the device."""
PGX: Final = ("sparrow_mahjong", "backgammon", "go_9x9", "hex")
PGX_BATCHES: Final = (1 << 14, 1 << 16, 1 << 18)
EQUAL_TABLES: Final = 1 << 14
EQUAL_DECISIONS: Final = 640
"""Decisions in each of so many rows over which the builds are compared: more than ten million in all."""


def ridotto(name: str, seats: int, sizes: tuple[int, ...]) -> Iterator[Item]:
    """One of our games at several numbers of rows; the best of them is its figure."""
    found: list[Figure] = []
    for rows in sizes:
        try:
            figure = cuda_figure(name, seats, rows, DECISIONS)
            single = cuda_figure(name, seats, rows, 1)
        except Exception as error:
            if not _is_full(error) or not found:
                raise
            yield Missing("ridotto-cuda", f"{name}, {rows:,} rows", "more than the memory of this GPU holds")
            break
        found.append(figure)
        detail = {
            "bytes_per_row": figure.detail["bytes_per_row"],
            "decisions_a_call": DECISIONS,
            "one_a_call": single.per_wall_second,
        }
        yield Growth("rows", name, seats, rows, figure.per_wall_second, detail)
    yield max(found, key=lambda one: one.rate)


def cuda_figure(name: str, seats: int, rows: int, decisions: int) -> Figure:
    """Random play in so many rows on the GPU, so many decisions in each row in one call."""
    from ridotto.core.batch import Batch
    from ridotto.engine.build import cuda

    device = cuda()
    began = time.perf_counter()
    batch = Batch(GAMES[name], rows, seats, seed=SEED, target="cuda")
    batch.play(SPREAD)
    device.synchronize()
    first = time.perf_counter() - began

    def play(calls: int) -> int:
        for _ in range(calls):
            batch.play(decisions)
        device.synchronize()
        return calls * decisions * rows

    speed = best_of(play, "wall")
    detail = {
        "rows": rows,
        "decisions_a_call": decisions,
        "bytes_per_row": bytes_per_row(batch),
        "seconds_to_first": first,
        **_kernel(batch),
    }
    return Figure("ridotto-cuda", name, speed.per_second, speed.per_wall_second, seats, detail)


def _kernel(batch: Any) -> dict[str, Any]:
    """What the compiler made of the kernel: registers and local memory a thread."""
    compiled = list(getattr(batch.build.device.advance_rows, "overloads", {}).values())
    if not compiled:
        return {}
    return {"registers": compiled[-1].regs_per_thread, "local_bytes": compiled[-1].local_mem_per_thread}


def mismatches(name: str, seats: int, rows: int, decisions: int) -> dict[str, Any]:
    """Play the same rows on the CPU and on the GPU, and count the words of rows, dice and masks that differ."""
    from ridotto.core.batch import Batch

    threads = os.cpu_count() or 1
    on_cpu = Batch(GAMES[name], rows, seats, seed=SEED, threads=threads)
    on_gpu = Batch(GAMES[name], rows, seats, seed=SEED, target="cuda")
    words = compared = 0
    for part in (decisions // 2, decisions - decisions // 2):
        on_cpu.play(part)
        on_gpu.play(part)
        for field in ("rows", "dice", "matches", "acting", "masks", "rewards", "ended"):
            own, other = getattr(on_cpu, field), getattr(on_gpu, field).copy_to_host()
            words += int((own != other).sum())
            compared += int(own.size)
    return {"decisions": rows * decisions, "seats": seats, "rows": rows, "words": words, "compared": compared}


def _is_full(error: Exception) -> bool:
    return "memory" in str(error).lower()


def main() -> None:
    parser = argparse.ArgumentParser(description="Measure the games on a GPU beside pgx.")
    parser.add_argument("--repeats", type=int, default=EFFORT.repeats, help="the best of how many runs")
    parser.add_argument("--seconds", type=float, default=EFFORT.seconds, help="how long a run should take")
    parser.add_argument("--rows", type=int, nargs="+", default=list(ROWS), help="rows at once to try")
    parser.add_argument("--results", type=Path, default=HERE / "results", help="where figures and picture go")
    chosen = parser.parse_args()
    EFFORT.repeats, EFFORT.seconds = chosen.repeats, chosen.seconds
    screen = Console(width=None if sys.stdout.isatty() else 120)
    run = report.Run(
        date=time.strftime("%Y-%m-%dT%H:%M:%S"),
        command=f"python bench/gpu.py --seconds {chosen.seconds} --rows {' '.join(map(str, chosen.rows))}",
        machine=machine(_gpu()),
        versions=versions(),
        repeats=EFFORT.repeats,
    )
    began = time.perf_counter()
    for name, seats in SHOWN.items():
        _take(run, screen, "ridotto-cuda", name, partial(ridotto, name, seats, tuple(chosen.rows)))
        try:
            run.mismatches[name] = mismatches(name, seats, EQUAL_TABLES, EQUAL_DECISIONS)
        except Exception as error:
            run.add(Missing("ridotto-cuda", f"{name}, builds compared", _error_text(error)))
    if _jax_has_gpu():
        for name in PGX:
            _take(run, screen, "pgx-gpu", name, partial(peers.pgx_figure, "pgx-gpu", name, PGX_BATCHES, 1 << 21))
    else:
        run.add(Missing("pgx-gpu", "all", "JAX with CUDA or pgx is not installed", GROUPS["pgx-gpu"].install))
    run.seconds = round(time.perf_counter() - began, 1)
    report.show(run, screen)
    for path in run.save(chosen.results):
        screen.print(f"wrote {os.path.relpath(path)}", highlight=False)


def _take(run: report.Run, screen: Console, group: str, game: str, take: Callable[[], Iterator[Item]]) -> None:
    screen.print(f"measuring {GROUPS[group].title}: {game}", style="dim")
    try:
        for item in take():
            run.add(item)
    except Exception as error:
        run.add(Missing(group, game, _error_text(error)))


def _error_text(error: Exception) -> str:
    return f"{type(error).__name__}: {error}".splitlines()[0][:200]


def _gpu() -> str:
    """The name of the GPU, or nothing."""
    from ridotto.engine.build import cuda
    from ridotto.engine.errors import RidottoError

    try:
        name = cuda().get_current_device().name
    except RidottoError as error:
        sys.exit(f"bench/gpu.py: {error}")
    return name.decode() if isinstance(name, bytes) else str(name)


def _jax_has_gpu() -> bool:
    try:
        import_module("pgx")
        return any(device.platform == "gpu" for device in import_module("jax").devices())
    except (ImportError, RuntimeError):
        return False


if __name__ == "__main__":
    main()
