"""The speed for learners: environment steps a second, each with the observation and the mask of legal actions.

python bench/rl.py [--only PART ...] [--threads 2] [--seconds 1] [--results FOLDER]
python bench/rl.py --only plain --beside OLD    the same part of another version, a checkout in the folder OLD, in turns
python bench/rl.py --table FILE ...      figures taken before, as Markdown

On the CPU: our vector environment and our PettingZoo environment beside PettingZoo's classic games and pgx, all with random
legal play. On a GPU, if there is one: a small network of PyTorch chooses every action of our games, and one of the same size
in JAX every action of pgx's. Each part runs in a process of its own; what is not installed is left out and named, and may
lie in the folder bench/peers-site (see bench/gpu.py; for this: gymnasium, farama-notifications, cloudpickle as well).
"""

from __future__ import annotations

import argparse
import json
import os
import re
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from importlib import import_module
from itertools import pairwise
from pathlib import Path
from typing import Any, Final

HERE: Final = Path(__file__).resolve().parent
sys.path.insert(0, os.environ.get("RIDOTTO_BESIDE", str(HERE.parent)))  # the version that is measured
sys.path.insert(1, str(HERE.parent))
if (HERE / "peers-site").is_dir():
    sys.path.append(str(HERE / "peers-site"))
os.environ.setdefault("XLA_PYTHON_CLIENT_PREALLOCATE", "false")

from bench.figures import EFFORT, best_of, machine, versions  # noqa: E402
from bench.peers import PETTINGZOO, agent_by_agent  # noqa: E402

GAMES: Final = (("fantome", 2), ("turandot", 2), ("turandot", 4), ("opera", 4))
ENVIRONMENTS: Final = 2048
"""Environments at once on the CPU: their observations should fit into its caches."""
PGX: Final = ("sparrow_mahjong", "backgammon", "go_9x9")
PGX_BATCHES: Final = (256, 1024)
GPU_BATCHES: Final = (1 << 16, 1 << 18, 1 << 20)
"""Matches at once on a GPU."""
PGX_GPU_BATCHES: Final = (1 << 16, 1 << 18)
WIDTH: Final = 128
"""The width of the two hidden layers of the network."""
WANTED: Final = {"vector": 1e6, "network": 20e6}
"""Steps a second that Le Fantôme should make: on two cores, and with a network on a GPU."""


# On the CPU.


def vector(threads: int) -> Iterator[dict[str, Any]]:
    """Our vector environment: self-play, a random legal action in every environment chosen by a compiled loop."""
    import numba
    import numpy

    from ridotto.rl import vector as vectors

    @numba.njit(nogil=True)  # type: ignore[untyped-decorator, unused-ignore]
    def choose(allowed: Any, points: Any, actions: Any) -> None:
        for i in range(len(actions)):
            left = int(points[i] * allowed[i].sum())
            for action in range(allowed.shape[1]):
                if allowed[i, action]:
                    if left == 0:
                        actions[i] = action
                        break
                    left -= 1

    for name, seats in GAMES:
        matches = vectors(name, ENVIRONMENTS, seats, threads=threads, copy=False)
        seen, _ = matches.reset(seed=1)
        chance, actions = numpy.random.default_rng(1), numpy.zeros(ENVIRONMENTS, "int64")

        def play(
            calls: int, matches: Any = matches, seen: Any = seen, chance: Any = chance, actions: Any = actions
        ) -> int:  # `seen` is written anew by every step
            for _ in range(calls):
                choose(seen["action_mask"], chance.random(ENVIRONMENTS), actions)
                matches.step(actions)
            return calls * ENVIRONMENTS

        play(50)
        speed = best_of(play, "wall")
        yield {
            "game": f"{name}, {seats} seats",
            "rate": speed.per_wall_second,
            "per_cpu_second": speed.per_second,
            "at_once": ENVIRONMENTS,
            "threads": threads,
        }


def plain(threads: int) -> Iterator[dict[str, Any]]:
    """The same with a plain loop of NumPy, as in docs/research.md, and with arrays that one may keep."""
    import numpy

    from ridotto.rl import vector as vectors

    for name, seats in GAMES:
        matches = vectors(name, ENVIRONMENTS, seats, threads=threads)
        chance, seen = numpy.random.default_rng(1), [matches.reset(seed=1)[0]]

        def play(calls: int, matches: Any = matches, seen: list[Any] = seen, chance: Any = chance) -> int:
            for _ in range(calls):
                mask = seen[0]["action_mask"]
                actions = (mask * chance.random(mask.shape, "float32")).argmax(axis=1)
                seen[0], _, _, _, _ = matches.step(actions)
            return calls * ENVIRONMENTS

        play(50)
        speed = best_of(play, "wall")
        yield {
            "game": f"{name}, {seats} seats",
            "rate": speed.per_wall_second,
            "per_cpu_second": speed.per_second,
            "at_once": ENVIRONMENTS,
            "threads": threads,
        }


def aec(threads: int) -> Iterator[dict[str, Any]]:
    """Our games agent by agent, behind PettingZoo's interface; the rules interpreted, every action checked."""
    from ridotto.rl import aec as environments

    for name, seats in GAMES:
        environment = environments(name, seats)
        yield {"game": f"{name}, {seats} seats", "rate": agent_by_agent(environment).per_second, "at_once": 1, "threads": 1}


def pettingzoo(threads: int) -> Iterator[dict[str, Any]]:
    """PettingZoo's classic games, the same way."""
    for name in PETTINGZOO:
        environment = import_module(f"pettingzoo.classic.{name}").env()
        yield {"game": name, "rate": agent_by_agent(environment).per_second, "at_once": 1, "threads": 1}


def pgx(threads: int) -> Iterator[dict[str, Any]]:
    """Batches of pgx's games, compiled by JAX with all cores it finds; every state carries observation and mask."""
    from bench.peers import pgx_player

    for name in PGX:
        found = {}
        for batch in PGX_BATCHES:
            play = pgx_player(import_module("pgx").make(name), batch, max(1, (1 << 14) // batch))
            found[batch] = best_of(play, "wall").per_wall_second
        best = max(found, key=lambda batch: found[batch])
        yield {"game": name, "rate": found[best], "at_once": best, "threads": os.cpu_count()}


# On a GPU, with a network that chooses.


def network(threads: int) -> Iterator[dict[str, Any]]:
    """Our games on the GPU, every action drawn from a network of PyTorch; nothing leaves the device."""
    torch: Any = import_module("torch")
    from ridotto.rl import vector as vectors

    if not torch.cuda.is_available():
        raise ImportError("no GPU that PyTorch can use")
    torch.set_float32_matmul_precision("high")
    for name, seats in GAMES:
        for count in GPU_BATCHES:
            matches = vectors(name, count, seats, target="cuda", copy=False)
            seen, _ = matches.reset(seed=1)
            views, legal = (torch.as_tensor(seen[key], device="cuda") for key in ("observation", "action_mask"))
            net = torch.nn.Sequential(
                torch.nn.Linear(views.shape[1], WIDTH),
                torch.nn.ReLU(),
                torch.nn.Linear(WIDTH, WIDTH),
                torch.nn.ReLU(),
                torch.nn.Linear(WIDTH, legal.shape[1]),
            ).to("cuda")

            def play(
                calls: int, matches: Any = matches, net: Any = net, views: Any = views, legal: Any = legal, count: int = count
            ) -> int:  # `views` and `legal` are written anew by every step
                with torch.no_grad():
                    for _ in range(calls):
                        chances = (net(views) + (legal.float() - 1) * 1e9).softmax(-1)
                        matches.step((chances / torch.empty_like(chances).exponential_()).argmax(-1))
                torch.cuda.synchronize()
                matches.batch.check()
                return calls * count

            play(20)
            speed = best_of(play, "wall")
            yield {"game": f"{name}, {seats} seats", "rate": speed.per_wall_second, "at_once": count, "network": WIDTH}
            del matches, views, legal, seen, play
            torch.cuda.empty_cache()


def equal(threads: int) -> Iterator[dict[str, Any]]:
    """The same steps on the CPU and on the GPU: how many numbers of observations, masks and rewards differ."""
    import numpy

    from ridotto.engine.build import cuda
    from ridotto.engine.errors import NoDevice
    from ridotto.rl import vector as vectors

    try:
        cuda()
    except NoDevice as error:
        raise ImportError(str(error)) from error
    for name, seats in GAMES:
        on_cpu, on_gpu = vectors(name, 4096, seats, threads=threads), vectors(name, 4096, seats, target="cuda")
        seen, _ = on_cpu.reset(seed=1)
        other, _ = on_gpu.reset(seed=1)
        chance = numpy.random.default_rng(1)
        compared = words = 0
        for _ in range(200):
            mask = seen["action_mask"]
            actions = (mask * chance.random(mask.shape, "float32")).argmax(axis=1)
            seen, rewards, over, _, infos = on_cpu.step(actions)
            other, gpu_rewards, gpu_over, _, gpu_infos = on_gpu.step(actions)
            pairs = [
                *((seen[key], other[key]) for key in seen),
                (rewards, gpu_rewards),
                (over, gpu_over),
                *((infos[key], gpu_infos[key]) for key in ("seat", "rewards")),
            ]
            for own, theirs in pairs:
                words += int((own != theirs.copy_to_host()).sum())
                compared += own.size
        yield {"game": f"{name}, {seats} seats", "differ": words, "compared": compared}


def pgx_network(threads: int) -> Iterator[dict[str, Any]]:
    """pgx's games on the GPU, every action drawn from a network of the same size, in one compiled loop."""
    jax: Any = import_module("jax")
    if not any(device.platform == "gpu" for device in jax.devices()):
        raise ImportError("no GPU that JAX can use")
    for name in PGX:
        found: dict[int, float] = {}
        for batch in PGX_GPU_BATCHES:
            try:
                found[batch] = best_of(_pgx_player(name, batch, max(1, (1 << 21) // batch)), "wall").per_wall_second
            except jax.errors.JaxRuntimeError:  # a batch too large for the memory
                break
        best = max(found, key=lambda batch: found[batch])
        yield {"game": name, "rate": found[best], "at_once": best, "network": WIDTH}


def _pgx_player(name: str, batch: int, length: int) -> Callable[[int], int]:
    jax: Any = import_module("jax")
    numbers: Any = import_module("jax.numpy")
    environment: Any = import_module("pgx").make(name)
    step = import_module("pgx.experimental.wrappers").auto_reset(environment.step, environment.init)
    state = jax.jit(jax.vmap(environment.init))(jax.random.split(jax.random.PRNGKey(0), batch))
    sizes = [state.observation[0].size, WIDTH, WIDTH, environment.num_actions]
    weights = [0.1 * jax.random.normal(jax.random.PRNGKey(i), (low, high)) for i, (low, high) in enumerate(pairwise(sizes))]

    def one(carry: Any, _: None) -> tuple[Any, None]:
        state, key = carry
        key, choosing, stepping = jax.random.split(key, 3)
        hidden = state.observation.reshape(batch, -1).astype(numbers.float32)
        for layer in weights[:-1]:
            hidden = jax.nn.relu(hidden @ layer)
        liking = numbers.where(state.legal_action_mask, hidden @ weights[-1], -1e9)
        actions = jax.random.categorical(choosing, liking)
        return (jax.vmap(step)(state, actions, jax.random.split(stepping, batch)), key), None

    @jax.jit  # type: ignore[untyped-decorator, unused-ignore]
    def many(state: Any, key: Any) -> Any:
        return jax.lax.scan(one, (state, key), None, length=length)[0]

    at = [state, jax.random.PRNGKey(1)]

    def play(calls: int) -> int:
        for _ in range(calls):
            at[:] = many(*at)
        jax.block_until_ready(at)
        return calls * batch * length

    return play


# One run.

PARTS: Final[dict[str, tuple[str, Callable[[int], Iterator[dict[str, Any]]]]]] = {
    "vector": ("Ridotto, vector environment", vector),
    "plain": ("Ridotto, vector environment, plain NumPy loop", plain),
    "aec": ("Ridotto, PettingZoo", aec),
    "pettingzoo": ("PettingZoo classic", pettingzoo),
    "pgx": ("pgx, JAX on the CPU", pgx),
    "network": ("Ridotto, GPU, network of PyTorch", network),
    "pgx-network": ("pgx, GPU, network of JAX", pgx_network),
    "equal": ("Ridotto, CPU and GPU compared", equal),
}


def main() -> None:
    parser = argparse.ArgumentParser(description="Measure what a learner gets, beside the peers.")
    parser.add_argument("--only", nargs="+", choices=PARTS, default=list(PARTS), metavar="PART", help=f"of: {', '.join(PARTS)}")
    parser.add_argument("--threads", type=int, default=min(2, os.cpu_count() or 1), help="of our vector environment")
    parser.add_argument("--repeats", type=int, default=3, help="the best of how many runs")
    parser.add_argument("--seconds", type=float, default=1.0, help="how long a run should take")
    parser.add_argument("--longest", type=float, default=600, help="seconds after which a part is given up")
    parser.add_argument("--results", type=Path, default=HERE / "results", help="where the figures go")
    parser.add_argument("--beside", type=Path, metavar="FOLDER", help="a checkout of another version, measured as well")
    parser.add_argument("--table", type=Path, nargs="+", metavar="FILE", help="show figures taken before, as Markdown")
    parser.add_argument("--part", choices=PARTS, help=argparse.SUPPRESS)
    chosen = parser.parse_args()
    EFFORT.repeats, EFFORT.seconds = chosen.repeats, chosen.seconds
    if chosen.part:
        for found in PARTS[chosen.part][1](chosen.threads):
            print(json.dumps(found), flush=True)
        return
    if chosen.table:
        print("\n".join(table([json.loads(path.read_text("utf-8")) for path in chosen.table])))
        return
    began, figures, missing = time.perf_counter(), [], []
    found_on = machine(gpu())
    for name in chosen.only:
        title = PARTS[name][0]
        print(f"\n{title}", flush=True)
        for found in (*run_part(name, chosen), *(run_part(name, chosen, chosen.beside) if chosen.beside else ())):
            if "missing" in found:
                missing.append({"part": name, **found})
                print(f"  left out: {found['missing']}", flush=True)
            else:
                figures.append({"part": name, **found})
                print(f"  {format_figure(found)}", flush=True)
    document = {
        "date": time.strftime("%Y-%m-%dT%H:%M:%S"),
        "command": re.sub(r" --results \S+", "", " ".join(["python bench/rl.py", *sys.argv[1:]])),
        "machine": found_on,
        "versions": versions() | {"torch": torch_version()},
        "unit": "environment steps a second, with observations and masks, by the clock; agent by agent: by CPU time",
        "seconds": round(time.perf_counter() - began, 1),
        "figures": figures,
        "missing": missing,
        "targets": [
            {"part": part, "wanted": wanted, "measured": measured, "shown": measured >= wanted}
            for part, wanted in WANTED.items()
            if (
                measured := max((one["rate"] for one in figures if one["part"] == part and "fantome" in one["game"]), default=0)
            )
        ],
    }
    chosen.results.mkdir(parents=True, exist_ok=True)
    path = chosen.results / f"{document['date'][:10]}-rl-{found_on['kind']}.json"
    path.write_text(json.dumps(document, indent=2, ensure_ascii=False) + "\n", "utf-8")
    print(f"\nwrote {os.path.relpath(path)} after {document['seconds']} s")


def run_part(name: str, chosen: argparse.Namespace, beside: Path | None = None) -> Iterator[dict[str, Any]]:
    """Run one part as a process, of this version or of another, and yield its figures; if the process fails, why it did."""
    command = [sys.executable, "-W", "ignore", str(Path(__file__).resolve()), "--part", name, "--threads", str(chosen.threads)]
    command += ["--repeats", str(chosen.repeats), "--seconds", str(chosen.seconds)]
    environment = os.environ | {"TF_CPP_MIN_LOG_LEVEL": "3", "PYGAME_HIDE_SUPPORT_PROMPT": "1"}
    if beside:
        environment |= {"RIDOTTO_BESIDE": str(beside), "PYTHONPATH": str(beside)}
    try:
        done = subprocess.run(
            command, cwd=HERE.parent, env=environment, capture_output=True, text=True, timeout=chosen.longest, check=False
        )
        out, errors = done.stdout, done.stderr.strip() if done.returncode else ""
    except subprocess.TimeoutExpired as error:
        out, errors = (error.stdout or b"").decode(), f"given up after {chosen.longest} s"
    for text in out.splitlines():
        if text.startswith("{"):
            yield json.loads(text) | ({"version": beside.name} if beside else {})
    if errors:
        yield {"missing": errors.splitlines()[-1][:200]}


def format_figure(found: dict[str, Any]) -> str:
    if "differ" in found:
        return f"{found['game']:<22} {found['differ']} of {found['compared']:,} numbers differ"
    version = f"   {found['version']}" if "version" in found else ""
    return f"{found['game']:<22} {found['rate']:>14,.0f} steps/s   {found['at_once']:,} at once{version}"


def table(documents: list[dict[str, Any]]) -> Iterator[str]:
    """The figures of several runs as lines of Markdown, the best of each game; those of other versions beside are left out."""
    yield "| on | by | game | steps a second | at once |"
    yield "|---|---|---|---:|---:|"
    for document in documents:
        where = document["machine"]["gpu"] or f"{document['machine']['cores']} cores"
        for part, (title, _) in PARTS.items():
            best: dict[str, dict[str, Any]] = {}
            for one in document["figures"]:
                if one["part"] != part or "rate" not in one or "version" in one:
                    continue
                if one["rate"] > best.get(one["game"], one | {"rate": 0})["rate"]:
                    best[one["game"]] = one
            for game, one in best.items():
                yield f"| {where} | {title} | {game} | {one['rate']:,.0f} | {one['at_once']:,} |"


def gpu() -> str:
    """The name of the GPU, or nothing."""
    from ridotto.engine.build import cuda
    from ridotto.engine.errors import RidottoError

    try:
        name = cuda().get_current_device().name
    except RidottoError:
        return ""
    return name.decode() if isinstance(name, bytes) else str(name)


def torch_version() -> str:
    try:
        return str(import_module("torch").__version__)
    except ImportError:
        return ""


if __name__ == "__main__":
    main()
