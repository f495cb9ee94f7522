"""The peers, each driven the fastest way we know of that its users have too: random legal play of whole games.

Where a choice was ours, it is the one that favours the peer: a cheap random choice, the best of several batch sizes, no
observation that is not asked for, and in OpenSpiel a chance node counts as a step although our draws do not.
"""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from importlib import import_module
from pathlib import Path
from random import Random
from typing import Any, Final

from bench.figures import EFFORT, GROUPS, Figure, Item, Job, Speed, best_of

OPENSPIEL: Final = ("hearts", "hanabi", "tarok", "skat", "leduc_poker", "backgammon")
PGX: Final = ("sparrow_mahjong", "bridge_bidding", "backgammon", "go_9x9", "hex")
PGX_BATCHES: Final = (64, 256, 1024)
PETTINGZOO: Final = (
    "tictactoe_v3",
    "connect_four_v3",
    "leduc_holdem_v4",
    "texas_holdem_v4",
    "hanabi_v5",
    "go_v5",
    "chess_v6",
)


def _jobs(group: str, names: Sequence[str], take: Callable[[str], Iterator[Item]]) -> list[Job]:
    return [Job(group, name, partial(take, name)) for name in names]


# OpenSpiel.


def openspiel_python() -> list[Job]:
    """State by state from Python: what its Python users do."""
    return _jobs("openspiel-python", OPENSPIEL, _openspiel_python)


def openspiel_cpp() -> list[Job]:
    """Whole random playouts inside its C++."""
    return _jobs("openspiel-cpp", OPENSPIEL, _openspiel_cpp)


def _openspiel_python(name: str) -> Iterator[Item]:
    game: Any = import_module("pyspiel").load_game(name)
    chance, total = Random(1), [0, 0]

    def play(matches: int) -> int:
        before = total[0]
        for _ in range(matches):
            state = game.new_initial_state()
            steps, decisions = _play_out(state, chance)
            total[0] += steps
            total[1] += decisions
        return total[0] - before

    speed = best_of(play)
    detail = {"decisions_per_second": speed.per_second * total[1] / total[0], "counted": "chance nodes too"}
    yield Figure("openspiel-python", name, speed.per_second, speed.per_wall_second, game.num_players(), detail)


def _play_out(state: Any, chance: Random) -> tuple[int, int]:
    """Random play to the end: how many steps, and how many of them were decisions."""
    steps = decisions = 0
    while not state.is_terminal():
        if state.is_chance_node():
            state.apply_action(_drawn(state, chance))
        else:
            actions = state.legal_actions()
            state.apply_action(actions[int(chance.random() * len(actions))])
            decisions += 1
        steps += 1
    return steps, decisions


def _drawn(state: Any, chance: Random) -> int:
    point = chance.random()
    action = 0
    for action, share in state.chance_outcomes():  # noqa: B007
        point -= share
        if point < 0:
            break
    return action


def _openspiel_cpp(name: str) -> Iterator[Item]:
    """There are two ways to playouts in C++: its search with one simulation of many rollouts, and matches of its random bots.

    Neither reports how many steps it made, so we use the mean of playouts from the same position; the faster way counts.
    """
    spiel: Any = import_module("pyspiel")
    game = spiel.load_game(name)
    bots = [spiel.make_uniform_random_bot(seat, seat + 1) for seat in range(game.num_players())]
    chance = Random(1)
    deal = game.new_initial_state()
    while deal.is_chance_node():
        deal.apply_action(_drawn(deal, chance))

    def roll_out(rollouts: int) -> None:
        evaluator = spiel.RandomRolloutEvaluator(rollouts, 1)
        spiel.MCTSBot(game, evaluator, 1.0, 1, 1, False, 1, False).step(deal)

    def matches(count: int) -> None:
        for seed in range(count):
            spiel.evaluate_bots(game.new_initial_state(), bots, seed)

    ways: list[tuple[float, float, float, str]] = []
    for way, start, play in (
        ("rollouts of its search", deal, roll_out),
        ("matches of its bots", game.new_initial_state(), matches),
    ):
        steps, decisions = _mean(start, chance)

        def counted(units: int, play: Callable[[int], None] = play, steps: float = steps) -> float:
            play(units)
            return units * steps

        try:
            speed = best_of(counted)
        except spiel.SpielError:  # its search does not play games with rewards on the way, such as hanabi
            continue
        ways.append((speed.per_second, speed.per_wall_second, decisions / steps, way))
    best = max(ways)
    detail = {
        "way": best[3],
        "decisions_per_second": best[0] * best[2],
        "counted": "chance nodes too",
        "ways": {way: rate for rate, _, _, way in ways},
    }
    yield Figure("openspiel-cpp", name, best[0], best[1], game.num_players(), detail)


def _mean(start: Any, chance: Random) -> tuple[float, float]:
    """Mean steps and decisions of playouts from a position."""
    until = time.process_time() + 2 * EFFORT.seconds
    steps = decisions = playouts = 0
    while time.process_time() < until or playouts < 10:
        more = _play_out(start.clone(), chance)
        steps, decisions, playouts = steps + more[0], decisions + more[1], playouts + 1
    return steps / playouts, decisions / playouts


# pgx.


def pgx() -> list[Job]:
    """Batches of matches that begin anew by themselves, compiled by JAX; compiling is not counted."""
    return _jobs("pgx", PGX, lambda name: pgx_figure("pgx", name, PGX_BATCHES, 1 << 14))


def pgx_figure(group: str, name: str, batches: Sequence[int], steps: int) -> Iterator[Item]:
    """The best of several batch sizes, each timed over at least `steps` steps a call."""
    jax: Any = import_module("jax")
    environment = _pgx_environment(name)
    tried: dict[int, tuple[float, float]] = {}
    for batch in batches:
        play = pgx_player(environment, batch, max(1, steps // batch))
        try:
            speed = best_of(play, GROUPS[group].clock)
        except jax.errors.JaxRuntimeError:  # a batch too large for the memory
            continue
        tried[batch] = speed.per_second, speed.per_wall_second
    clock = 1 if GROUPS[group].clock == "wall" else 0
    batch = max(tried, key=lambda size: tried[size][clock])
    detail = {
        "batch": batch,
        "device": str(jax.devices()[0].device_kind),
        "batches": {str(k): v[clock] for k, v in tried.items()},
    }
    yield Figure(group, name, *tried[batch], seats=environment.num_players, detail=detail)


def pgx_player(environment: Any, batch: int, length: int) -> Callable[[int], int]:
    """Random play of a batch of matches: a function of how many times `length` steps to make at each."""
    jax: Any = import_module("jax")
    numbers: Any = import_module("jax.numpy")
    step = import_module("pgx.experimental.wrappers").auto_reset(environment.step, environment.init)

    def one(carry: Any, _: None) -> tuple[Any, None]:
        state, key = carry
        key, choosing, stepping = jax.random.split(key, 3)
        counted = numbers.cumsum(state.legal_action_mask, axis=-1)
        chosen = (jax.random.uniform(choosing, (batch, 1)) * counted[:, -1:]).astype(counted.dtype)
        actions = numbers.argmax(counted > chosen, axis=-1)
        return (jax.vmap(step)(state, actions, jax.random.split(stepping, batch)), key), None

    @jax.jit  # type: ignore[untyped-decorator, unused-ignore]
    def many(state: Any, key: Any) -> Any:
        return jax.lax.scan(one, (state, key), None, length=length)[0]

    at: list[Any] = []

    def play(calls: int) -> int:
        if not at:
            keys = jax.random.split(jax.random.PRNGKey(0), batch)
            at.extend((jax.jit(jax.vmap(environment.init))(keys), jax.random.PRNGKey(1)))
        for _ in range(calls):
            at[:] = many(*at)
        jax.block_until_ready(at)
        return calls * batch * length

    return play


def _pgx_environment(name: str) -> Any:
    if name != "bridge_bidding":
        return import_module("pgx").make(name)
    # Bridge needs a table of solved deals, hundreds of megabytes to fetch: one of the same shape, made up, is as fast.
    numpy: Any = import_module("numpy")
    chance = numpy.random.default_rng(1)
    owners = chance.permuted(numpy.tile(numpy.arange(52) // 13, (100_000, 1)), axis=1).reshape(-1, 4, 13)
    deals = (owners << numpy.arange(24, -1, -2)).sum(axis=2)
    tricks = (chance.integers(0, 14, (100_000, 4, 5)) << numpy.arange(16, -1, -4)).sum(axis=2)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "deals.npy"
        numpy.save(path, numpy.stack([deals, tricks]).astype("int32"))
        return import_module("pgx.bridge_bidding").BridgeBidding(str(path))


# PettingZoo and python-chess.


def agent_by_agent(environment: Any) -> Speed:
    """Random play through PettingZoo's interface."""
    chance = Random(1)

    def play(matches: int) -> int:
        decisions = 0
        for _ in range(matches):
            environment.reset(seed=chance.getrandbits(30))
            for _agent in environment.agent_iter():
                observation, _reward, terminated, truncated, information = environment.last()
                if terminated or truncated:
                    environment.step(None)
                    continue
                mask = observation["action_mask"] if "action_mask" in observation else information["action_mask"]
                legal = mask.nonzero()[0]
                environment.step(int(legal[int(chance.random() * len(legal))]))
                decisions += 1
        return decisions

    return best_of(play)


def pettingzoo() -> list[Job]:
    """Classic games agent by agent, through the interface they share."""
    return _jobs("pettingzoo", PETTINGZOO, _pettingzoo)


def _pettingzoo(name: str) -> Iterator[Item]:
    environment: Any = import_module(f"pettingzoo.classic.{name}").env()
    speed = agent_by_agent(environment)
    seats = len(environment.possible_agents)
    yield Figure("pettingzoo", name, speed.per_second, speed.per_wall_second, seats, {})


def chess() -> list[Job]:
    """Random chess: all legal moves, one of them pushed."""
    return _jobs("chess", ("chess",), _chess)


def _chess(name: str) -> Iterator[Item]:
    library: Any = import_module("chess")
    chance = Random(1)

    def play(matches: int) -> int:
        decisions = 0
        for _ in range(matches):
            board = library.Board()
            while True:
                moves = list(board.generate_legal_moves())
                if not moves or board.halfmove_clock >= 150 or board.is_insufficient_material():
                    break
                board.push(moves[int(chance.random() * len(moves))])
                decisions += 1
        return decisions

    speed = best_of(play)
    yield Figure("chess", name, speed.per_second, speed.per_wall_second, 2, {})
