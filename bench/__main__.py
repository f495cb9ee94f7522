"""One run: every part in a process of its own, one table, one file of figures, one picture.

python -m bench [--only PART ...] [--repeats 5] [--seconds 0.3] [--results FOLDER]
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Final

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from bench import ours, peers, report
from bench.figures import EFFORT, GROUPS, Job, Missing, item, line, machine, versions

PARTS: Final[dict[str, Callable[[], list[Job]]]] = {
    "games": ours.games,
    "openspiel-cpp": peers.openspiel_cpp,
    "openspiel-python": peers.openspiel_python,
    "pgx": peers.pgx,
    "pettingzoo": peers.pettingzoo,
    "chess": peers.chess,
    "rounds": ours.rounds,
    "rows": ours.growth,
    "startup": ours.startup,
}
"""The parts of a run; the names are those of `--only`."""
LONGEST: Final = 900.0
"""Seconds after which a part is stopped."""
HERE: Final = Path(__file__).parent


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m bench", description="Measure the games beside their peers.")
    parser.add_argument("--only", nargs="+", choices=PARTS, default=list(PARTS), metavar="PART", help=f"of: {', '.join(PARTS)}")
    parser.add_argument("--repeats", type=int, default=EFFORT.repeats, help="the best of how many runs")
    parser.add_argument("--seconds", type=float, default=EFFORT.seconds, help="how long a run should take")
    parser.add_argument("--results", type=Path, default=HERE / "results", help="where figures and picture go")
    parser.add_argument("--part", choices=PARTS, help=argparse.SUPPRESS)
    chosen = parser.parse_args()
    EFFORT.repeats, EFFORT.seconds = chosen.repeats, chosen.seconds
    if chosen.part:
        take(PARTS[chosen.part]())
        return
    screen = Console(width=None if sys.stdout.isatty() else 120)
    run = report.Run(
        date=time.strftime("%Y-%m-%dT%H:%M:%S"),
        command=" ".join(["python -m bench", *sys.argv[1:]]),
        machine=machine(),
        versions=versions(),
        repeats=EFFORT.repeats,
    )
    began = time.perf_counter()
    measure(run, [name for name in PARTS if name in chosen.only], screen)
    run.seconds = round(time.perf_counter() - began, 1)
    report.show(run, screen)
    for path in run.save(chosen.results):
        screen.print(f"wrote {os.path.relpath(path)}", highlight=False)


def measure(run: report.Run, parts: list[str], screen: Console) -> None:
    """Run every part, and show the progress."""
    columns = TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn()
    with Progress(*columns, console=screen) as progress:
        everything = progress.add_task("measuring", total=len(parts))
        for name in parts:
            task = progress.add_task(f"  {name}", total=None)
            for message in run_part(name):
                if message["kind"] == "jobs":
                    progress.update(task, total=message["count"])
                elif message["kind"] == "job":
                    title = f"  {name}: {message['game']}"
                    progress.update(task, completed=message["number"], description=title[:40].ljust(40))
                else:
                    run.add(item(message))
            progress.update(task, description=f"  {name}".ljust(40), total=1, completed=1, visible=False)
            progress.advance(everything)


def run_part(name: str) -> Iterator[dict[str, Any]]:
    """Run one part as a process, and yield its messages; if the process fails, a message about that."""
    command = [sys.executable, "-W", "ignore", "-m", "bench", "--part", name]
    command += ["--repeats", str(EFFORT.repeats), "--seconds", str(EFFORT.seconds)]
    environment = os.environ | {"TF_CPP_MIN_LOG_LEVEL": "3", "PYGAME_HIDE_SUPPORT_PROMPT": "1", "PYTHONWARNINGS": "ignore"}
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=HERE.parent, env=environment
    ) as process:
        assert process.stdout and process.stderr
        errors: list[str] = []
        listener = threading.Thread(target=lambda: errors.extend(process.stderr or ()), daemon=True)
        listener.start()
        watch = threading.Timer(LONGEST, process.kill)
        watch.start()
        try:
            for text in process.stdout:
                yield json.loads(text)
            process.wait()
        finally:
            watch.cancel()
            process.kill()
        listener.join(5)
    if process.returncode:
        last = next((text.strip() for text in reversed(errors) if text.strip()), "no reason given")
        group = name if name in GROUPS else "ridotto"
        reason = f"broke off with status {process.returncode}: {last}"
        yield {"kind": "missing", "group": group, "game": name, "reason": reason, "install": ""}


def take(jobs: list[Job]) -> None:
    """In the process of a part: do its jobs, and print one line of JSON for each item. What libraries print goes to stderr."""
    out = os.fdopen(os.dup(1), "w", buffering=1)
    os.dup2(2, 1)
    out.write(json.dumps({"kind": "jobs", "count": len(jobs)}) + "\n")
    for number, job in enumerate(jobs):
        out.write(json.dumps({"kind": "job", "number": number, "game": job.game}) + "\n")
        try:
            for found in job.take():
                out.write(line(found) + "\n")
        except ImportError as error:
            out.write(line(Missing(job.group, job.game, f"{error}", GROUPS[job.group].install)) + "\n")
        except (Exception, SystemExit) as error:
            out.write(line(Missing(job.group, job.game, f"{type(error).__name__}: {error}".splitlines()[0][:200])) + "\n")


if __name__ == "__main__":
    main()
