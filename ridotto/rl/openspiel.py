"""The games for OpenSpiel: each is registered as `ridotto_` and its name when this is imported.

>>> import pyspiel, ridotto.rl.openspiel
>>> game = pyspiel.load_game("ridotto_turandot(players=3)")
>>> state = game.new_initial_state()
>>> state.is_chance_node(), len(state.chance_outcomes())
(True, 3)

Every draw is a chance node: a step is run on a tape of draws, and where one is missing the tape says how many outcomes it
has. Simultaneous choices are made one after the other, lowest seat first and unseen by the others; with `simultaneous=True`
they are simultaneous nodes. The other parameters are `players`, `history` (how many events the information-state tensor
contains) and the options of the game.

The utility of a seat is its share of the win, less an equal share; in a match that nobody wins all utilities are 0.
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from typing import Any, Final

from ridotto import bots
from ridotto.core import position
from ridotto.core.game import Game
from ridotto.core.state import State, seats_in
from ridotto.core.view import Seen, View, read_events, seen_by
from ridotto.engine.errors import RidottoError
from ridotto.engine.fields import EVENT_WIDTH, HIDDEN, Dice, Seat
from ridotto.games import GAMES
from ridotto.games import find as find_game
from ridotto.rl.tensors import Tensors

try:
    import pyspiel
    from open_spiel.python.algorithms import ismcts, mcts, outcome_sampling_mccfr
except ModuleNotFoundError as error:
    raise RidottoError(f"OpenSpiel is not installed: pip install 'ridotto[rl]' ({error})") from error

MOST_DECISIONS: Final = 5000
"""An upper bound: matches have about 30 to 600."""
MOST_DRAWS: Final = 5000
MOST_OUTCOMES: Final = 256
"""An upper bound on the outcomes of a draw."""
HISTORY: Final = 1000
"""How many of the last events an information-state tensor contains by default: about as many as any match has."""


# The row of a state, and the events that led to it.


class Setup:
    """What all states of one game with one number of seats and one set of options share."""

    def __init__(self, game: Game, seats: int, options: Mapping[str, int], box: str = "", start: str = "") -> None:
        import numpy

        self.game, self.seats, self.options, self.box, self.start = game, seats, dict(options), box, start
        self._start = read_start(start)
        self.build = game.build("cpu")
        self.tensors = Tensors(game, seats, is_whole=True)
        self._chosen = self.build.copy(list(options.values()))
        fields = game.rules.FIELDS
        self._hidden = {known_to: numpy.array(fields.hidden(known_to), int) for known_to in (*range(seats), None)}
        self._shape = " ".join(f"{one.name}:" + ",".join(["%d"] * one.size) for one in fields)

    @cached_property
    def initial_node(self) -> Node:
        """The node before the deal."""
        return Node.after(self, self.build.row(), None, 0, (), ())

    def masked(self, row: Any, known_to: Seat | None) -> Any:
        """A copy of a row with HIDDEN for every word that a seat (None: a spectator) may not know."""
        copy = row.copy()
        copy[self._hidden[known_to]] = HIDDEN
        return copy

    def private(self, row: Any, seat: Seat) -> Any:
        """A copy of a row with HIDDEN for every word, except those that the seat knows and a spectator does not."""
        import numpy

        own = numpy.setdiff1d(self._hidden[None], self._hidden[seat])
        copy = numpy.full_like(row, HIDDEN)
        copy[own] = row[own]
        return copy

    def text(self, row: Any) -> str:
        """A row as text: `name:number,…`, with ? for what is hidden."""
        return (self._shape % tuple(row.tolist())).replace(str(HIDDEN), "?")

    def run(self, row: Any, step: Sequence[tuple[Seat, int]], draws: Sequence[int]) -> tuple[Any, list[int], int]:
        """The row after a step (an empty one: the deal), its events, and the number of outcomes of a missing draw (or 0)."""
        after, dice, events = row.copy(), self.build.tape(draws), self.build.events()
        if not step and self._start is not None:
            words, reader = self._start
            after[:] = words
            if reader != position.EVERYTHING:
                self.build.rules.redeal(after, reader, dice)
        elif not step:
            self.build.rules.deal(after, self.seats, self._chosen, dice, events)
        for seat, action in step:
            self.build.rules.apply(after, seat, action, dice, events)
        assert dice[3] >= 0, "chance chose an impossible outcome"
        used = events[: 1 + int(events[0]) * EVENT_WIDTH]
        return after, used.tolist(), int(dice[3])  # type: ignore[attr-defined]


@cache
def _setup(name: str, seats: int, options: tuple[tuple[str, int], ...], box: str = "", start: str = "") -> Setup:
    return Setup(find_game(name, box or None), seats, dict(options), box, start)


def write_start(game: Game, fields: Mapping[str, Any]) -> str:
    """A position as the parameter `start` of a game: its words, and whose view it is."""
    words, reader = position.read_masked(game, fields)
    return ".".join(map(str, ("row", reader, *words)))


def read_start(text: str) -> tuple[list[int], Seat] | None:
    """The words of a parameter `start`, and whose view they are; None for a match that is dealt."""
    if not text:
        return None
    try:
        kind, reader, *words = text.split(".")
        if kind == "row":
            return list(map(int, words)), int(reader)
    except ValueError:
        pass
    raise RidottoError(f"{text!r} is no start of a match: `write_start` makes one of a position")


class Past:
    """The events of one step, and the past before it. Immutable."""

    __slots__ = ("_cache", "before", "events", "ply", "redealt_for", "step")

    def __init__(
        self,
        before: Past | None,
        ply: int,
        step: tuple[tuple[Seat, int], ...],
        events: Sequence[int],
        redealt_for: Seat | None = None,
    ) -> None:
        self.before, self.ply, self.step, self.events = before, ply, step, events
        self.redealt_for = redealt_for
        """If a seat, this step is a redeal for that seat: what came before is known to it, and to others as to a spectator."""
        self._cache: dict[Any, Any] = {}

    def chain(self, seat: Seat | None) -> list[tuple[Past, Seat | None]]:
        """The steps from the first to this one, each with the seat (None: a spectator) whose knowledge counts for it."""
        found = []
        at: Past | None = self
        while at is not None:
            found.append((at, seat))
            if at.redealt_for is not None and at.redealt_for != seat:
                seat = None
            at = at.before
        found.reverse()
        return found

    def seen(self, setup: Setup, known_to: Seat | None) -> list[Seen]:
        """The events of this step as a seat may know them."""
        return list(seen_by(known_to, read_events(setup.game.rules, self.events, self.ply)))

    def text(self, setup: Setup, known_to: Seat | None) -> str:
        """What a seat did and saw in this step."""
        if known_to not in self._cache:
            lines = [f"{setup.game.rules.ACTIONS.notation(action)}\n" for seat, action in self.step if seat == known_to]
            for seen in self.seen(setup, known_to):
                lines.append(f"{seen.event.name} {','.join(map(str, seen.values.values()))}\n".replace(str(HIDDEN), "?"))
            self._cache[known_to] = "".join(lines)
        text: str = self._cache[known_to]
        return text

    def history_text(self, setup: Setup, known_to: Seat | None) -> str:
        """What a seat did and saw up to here; extends the text of the last step for which it is cached."""
        missing, reader = [], known_to
        at: Past | None = self
        while at is not None and ("history", known_to) not in at._cache:
            missing.append((at, known_to))
            if at.redealt_for is not None and at.redealt_for != known_to:
                known_to = None
            at = at.before
        text = at._cache["history", known_to] if at is not None else ""
        text += "".join(one.text(setup, step_known_to) for one, step_known_to in reversed(missing))
        self._cache["history", reader] = text
        return str(text)

    def lines(self, setup: Setup, known_to: Seat | None, viewer: Seat) -> Any:
        """The events of this step as a seat may know them, as numbers, one line for each event."""
        if (known_to, viewer) not in self._cache:
            seen = self.seen(setup, known_to)
            self._cache[known_to, viewer] = setup.tensors.short_history(seen, viewer, len(seen))
        return self._cache[known_to, viewer]


class Node:
    """A state: a row, or a row and a step from it that waits for a draw. Immutable, so that clones share it."""

    __slots__ = ("_legal", "draws", "missing", "past", "ply", "row", "setup", "step", "texts", "waiting")

    def __init__(
        self, setup: Setup, row: Any, past: Past | None, ply: int, step: Any, draws: Sequence[int], missing: int
    ) -> None:
        self.setup, self.row, self.past, self.ply = setup, row, past, ply
        self.step, self.draws, self.missing = step, tuple(draws), missing
        self.waiting = 0 if missing else int(setup.build.rules.to_act(row))
        self._legal: dict[Seat, list[int]] = {}
        self.texts: dict[tuple[int, Seat], str] = {}
        """The texts of observers, as a cache."""

    @classmethod
    def after(
        cls, setup: Setup, row: Any, past: Past | None, ply: int, step: tuple[tuple[Seat, int], ...], draws: tuple[int, ...]
    ) -> Node:
        """The node that a step leads to, with the draws made so far."""
        after, events, missing = setup.run(row, step, draws)
        if missing:
            return cls(setup, row, past, ply, step, draws, missing)
        entries = max(1, len(step))
        return cls(setup, after, Past(past, ply + entries - 1, step, events), ply + entries, (), (), 0)

    def played(self, *step: tuple[Seat, int]) -> Node:
        """The node after these actions."""
        return Node.after(self.setup, self.row, self.past, self.ply, step, ())

    def drawn(self, outcome: int) -> Node:
        """The node after an outcome of the missing draw."""
        return Node.after(self.setup, self.row, self.past, self.ply, self.step, (*self.draws, outcome))

    def redealt(self, seat: Seat, seed: int) -> Node:
        """A node with another world that a seat cannot tell from this one."""
        row = self.setup.masked(self.row, seat)
        self.setup.build.rules.redeal(row, seat, self.setup.build.generator(seed))
        return Node(self.setup, row, Past(self.past, self.ply, (), (0,), seat), self.ply, (), (), 0)

    def __deepcopy__(self, memo: Any) -> Node:
        return self

    def __reduce__(self) -> Any:
        past = [(one.ply, one.step, list(one.events), one.redealt_for) for one, _ in self.past.chain(None)] if self.past else []
        here = self.setup
        setup = here.game.name, here.seats, tuple(here.options.items()), here.box, here.start
        return _restored, (setup, self.row.tolist(), past, self.ply, self.step, self.draws, self.missing)

    @property
    def seats(self) -> tuple[Seat, ...]:
        """The seats that owe a decision."""
        return seats_in(self.waiting)

    @property
    def is_over(self) -> bool:
        return not self.missing and not self.waiting

    def legal(self, seat: Seat) -> list[int]:
        """The legal actions of a seat that owes a decision."""
        if seat not in self._legal:
            self._legal[seat] = list(self._state.legal(seat))
        return self._legal[seat]

    def returns(self) -> list[float]:
        """Each seat's share of the win, less an equal share; zeros before the end."""
        return _returns(int(self.setup.build.rules.winners(self.row)) if self.is_over else 0, self.setup.seats)

    def known_row(self, known_to: Seat | None) -> Any:
        """The row as a seat may know it; nothing is hidden when the match is over."""
        return self.row if self.is_over else self.setup.masked(self.row, known_to)

    def view(self, seat: Seat) -> View:
        """The view of a bot at a seat."""
        chain = self.past.chain(seat) if self.past else []
        seen = [seen for one, known_to in chain for seen in one.seen(self.setup, known_to)]
        return self._state.view(seat, self.ply, seen)

    @property
    def _state(self) -> State:
        return State(self.setup.game, self.setup.build, self.setup.seats, self.row)


def _restored(setup: Any, row: Any, steps: Any, ply: int, step: Any, draws: Any, missing: int) -> Node:
    found = _setup(*setup)
    past = None
    for one in steps:
        past = Past(past, *one)
    return Node(found, found.build.copy(row), past, ply, step, draws, missing)


def _returns(won: int, seats: int) -> list[float]:
    if not won:
        return [0.0] * seats
    return [(won >> seat & 1) / won.bit_count() - 1 / seats for seat in range(seats)]


# What OpenSpiel sees.


class SpielState(pyspiel.State):  # type: ignore[misc]
    """A state of one of our games."""

    def __init__(self, game: SpielGame) -> None:
        super().__init__(game)
        self.node = game.setup.initial_node
        self.is_simultaneous = game.is_simultaneous

    def current_player(self) -> Any:
        if self.node.missing:
            return pyspiel.PlayerId.CHANCE
        if not self.node.waiting:
            return pyspiel.PlayerId.TERMINAL
        seats = self.node.seats
        return pyspiel.PlayerId.SIMULTANEOUS if self.is_simultaneous and len(seats) > 1 else seats[0]

    def is_terminal(self) -> bool:
        return self.node.is_over

    def _legal_actions(self, player: Seat) -> list[int]:
        return self.node.legal(player) if self.node.waiting >> player & 1 else []

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """The outcomes of the missing draw, each with the same probability."""
        return [(outcome, 1 / self.node.missing) for outcome in range(self.node.missing)]

    def _apply_action(self, action: int) -> None:
        if self.node.missing:
            self.node = self.node.drawn(action)
        else:
            self.node = self.node.played((self.node.seats[0], action))

    def _apply_actions(self, actions: Sequence[int]) -> None:
        self.node = self.node.played(*((seat, actions[seat]) for seat in self.node.seats))

    def _action_to_string(self, player: int, action: int) -> str:
        if player == pyspiel.PlayerId.CHANCE:
            return f"draw {action}"
        return str(self.node.setup.game.rules.ACTIONS.notation(action))

    def returns(self) -> list[float]:
        return self.node.returns()

    def __str__(self) -> str:
        node = self.node
        step = " ".join(f"{seat} {node.setup.game.rules.ACTIONS.notation(action)};" for seat, action in node.step)
        waits = f" {step or 'deal;'} draws {','.join(map(str, node.draws))} of {node.missing}" if node.missing else ""
        return node.setup.text(node.row) + waits

    def resample_from_infostate(self, player: Seat, rng: Callable[[], float]) -> SpielState:
        """A random state that the player cannot tell from this one. Its history begins with it."""
        if self.node.missing:
            raise ValueError("a state that waits for a draw cannot be resampled: draw first")
        state: SpielState = self.get_game().new_initial_state()
        state.node = self.node.redealt(player, int(rng() * (1 << 53)))
        return state

    def view(self, player: Seat) -> View:
        """The view of one of our own bots at that seat."""
        return self.node.view(player)


class SpielGame(pyspiel.Game):  # type: ignore[misc]
    """One of our games, with its parameters."""

    ridotto_game: Game
    """Our own game. Each game is registered as a class (a function would be freed too late at exit)."""

    def __init__(self, params: Mapping[str, Any] | None = None) -> None:
        game = self.ridotto_game
        given = {**_parameters(game), **(params or {})}
        box, start = str(given["box"]), str(given["start"])
        game = find_game(game.name, box or None)
        if start:
            words, _ = read_start(start) or ([], 0)
            if len(words) != game.rules.FIELDS.width:
                raise RidottoError(f"a start of {game.name} has {game.rules.FIELDS.width} words, not {len(words)}")
            given |= {"players": position.seats_of(game, words), **position.options_of(game, words)}
        self.is_simultaneous = bool(given["simultaneous"])
        self.history = int(given["history"])
        options = game.settle({option.name: given[option.name] for option in game.rules.OPTIONS})
        seats = game.seat_count(given["players"])
        if self.history < 1:
            raise RidottoError(f"an information-state tensor tells 1 event or more, not {self.history}")
        self.setup = _setup(game.name, seats, tuple(options.items()), box, start)
        info = pyspiel.GameInfo(
            num_distinct_actions=game.rules.ACTIONS.size,
            max_chance_outcomes=MOST_OUTCOMES,
            num_players=seats,
            min_utility=-1 / seats,
            max_utility=1 - 1 / seats,
            utility_sum=0.0,
            max_game_length=MOST_DECISIONS,
        )
        super().__init__(_type(game, self.is_simultaneous), info, dict(params or {}))

    def new_initial_state(self, *given: Any) -> SpielState:
        if given:
            raise ValueError("a state begins before the deal, and is read back with `deserialize_state` alone")
        return SpielState(self)

    def max_chance_nodes_in_history(self) -> int:
        return MOST_DRAWS

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> Observer:
        """An observer, which writes states as numbers and text, with public, private or perfect information."""
        if params:
            raise ValueError(f"an observer takes no parameters, not {params!r}")
        return Observer(self, iig_obs_type or pyspiel.IIGObservationType(perfect_recall=False))

    def state(self, view: View) -> SpielState:
        """A state that fits a view, with its seat to act: what the seat cannot know is drawn at random.

        Seats that choose at the same time and come before it have already chosen.
        """
        assert view.seat is not None
        state = self.new_initial_state()
        codes = {event.name: code for code, event in enumerate(view.game.rules.EVENTS)}
        events = [0]
        for one in view.seen:
            if one.event.name in codes:
                events[0] += 1
                events += [codes[one.event.name], *one.values.values(), *[0] * (EVENT_WIDTH - 1 - len(one.values))]
        past = Past(None, view.ply - 1, (), events)
        here = Node(self.setup, self.setup.build.copy(view.row), past, view.ply, (), (), 0)
        state.node = here.redealt(view.seat, 0)
        for seat in state.node.seats[: state.node.seats.index(view.seat)]:
            state.node = state.node.played((seat, state.node.legal(seat)[0]))
        return state


class Observer:
    """Writes states as numbers and text, as OpenSpiel's observers do."""

    def __init__(self, game: SpielGame, kind: Any) -> None:
        import numpy

        self._kind, self._history = kind, game.history
        self._number = 100 * int(kind.private_info) + 10 * kind.public_info + kind.perfect_recall
        self.tensor: Any = None
        self.dict: dict[str, Any] = {}
        if not kind.public_info:
            return
        tensors = game.setup.tensors
        more = self._history * tensors.short_history_width if kind.perfect_recall else 0
        self.tensor = numpy.zeros(tensors.size + more, "float32")
        self.dict = tensors.split(self.tensor[: tensors.size])
        if more:
            self.dict["history"] = self.tensor[tensors.size :].reshape(self._history, tensors.short_history_width)

    def set_from(self, state: SpielState, player: Seat) -> None:
        """Write the tensor."""
        import numpy

        if self.tensor is None:
            return
        node, tensors = state.node, state.node.setup.tensors
        self.tensor[: tensors.size] = tensors.encode(self._row(node, player), player)
        if "history" not in self.dict:
            return
        self.dict["history"].fill(0)
        chain = node.past.chain(self._known_to(player)) if node.past else []
        lines = [one.lines(node.setup, known_to, player) for one, known_to in chain]
        if lines:
            last = numpy.concatenate(lines)[-self._history :]
            self.dict["history"][self._history - len(last) :] = last

    def string_from(self, state: SpielState, player: Seat) -> str:
        """The text of a state: with perfect recall what the player did and saw, and the row as the player may know it."""
        node = state.node
        if (self._number, player) not in node.texts:
            node.texts[self._number, player] = self._written(node, player)
        return node.texts[self._number, player]

    def _written(self, node: Node, player: Seat) -> str:
        if self._kind.private_info == pyspiel.PrivateInfoType.NONE and not self._kind.public_info:
            return ""
        history_text = ""
        if self._kind.perfect_recall and self._kind.public_info and node.past is not None:
            history_text = node.past.history_text(node.setup, self._known_to(player))
        return f"{history_text}seat {player} {node.setup.text(self._row(node, player))}"

    def _known_to(self, player: Seat) -> Seat | None:
        return None if self._kind.private_info == pyspiel.PrivateInfoType.NONE else player

    def _row(self, node: Node, player: Seat) -> Any:
        if self._kind.private_info == pyspiel.PrivateInfoType.ALL_PLAYERS:
            return node.row
        return node.known_row(self._known_to(player)) if self._kind.public_info else node.setup.private(node.row, player)


def _parameters(game: Game) -> dict[str, Any]:
    return {
        "players": game.seats[0],
        "simultaneous": False,
        "history": HISTORY,
        "box": "",
        "start": "",
        **{option.name: option.default for option in game.rules.OPTIONS},
    }


def _type(game: Game, is_simultaneous: bool) -> Any:
    dynamics = pyspiel.GameType.Dynamics
    return pyspiel.GameType(
        short_name=f"ridotto_{game.name}",
        long_name=game.title,
        dynamics=dynamics.SIMULTANEOUS if is_simultaneous else dynamics.SEQUENTIAL,
        chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
        information=pyspiel.GameType.Information.IMPERFECT_INFORMATION,
        utility=pyspiel.GameType.Utility.ZERO_SUM,
        reward_model=pyspiel.GameType.RewardModel.TERMINAL,
        max_num_players=game.seats[-1],
        min_num_players=game.seats[0],
        provides_information_state_string=True,
        provides_information_state_tensor=True,
        provides_observation_string=True,
        provides_observation_tensor=True,
        provides_factored_observation_string=True,
        parameter_specification=_parameters(game),
    )


def load(
    name: str,
    players: int | None = None,
    *,
    box: str = "",
    position: Mapping[str, Any] | None = None,
    **parameters: Any,
) -> SpielGame:
    """A game by its own name, without the `ridotto_` of OpenSpiel's list; with another box, or from a position on.

    What a position hides ("?") is dealt by chance when a match begins.
    """
    found = find_game(name, box or None)
    given = {"players": found.seat_count(players), **parameters}
    if box:
        given["box"] = box
    if position is not None:
        given["start"] = write_start(found, position)
    game: SpielGame = pyspiel.load_game(f"ridotto_{name}", given)
    return game


for _game in GAMES.values():
    _name = f"Spiel{_game.name.title()}"
    globals()[_name] = type(_name, (SpielGame,), {"ridotto_game": _game, "__module__": __name__})
    pyspiel.register_game(_type(_game, False), globals()[_name])


# Our bots as bots of OpenSpiel.


class SpielBot(pyspiel.Bot):  # type: ignore[misc]
    """One of our own bots as a bot of OpenSpiel. It gets the view of its seat, and nothing else of a state."""

    def __init__(self, bot: bots.Bot | str, player: Seat, seed: int = 0) -> None:
        super().__init__()
        self._found = bots.find(bot) if isinstance(bot, str) else bot
        self._player, self._seed = player, seed
        self._bot = self._found.sit()

    def player_id(self) -> Seat:
        return self._player

    def restart(self) -> None:
        self._bot = self._found.sit()

    def restart_at(self, state: Any) -> None:
        self.restart()

    def step(self, state: SpielState) -> int:
        view = state.view(self._player)
        if not view.legal:
            return int(pyspiel.INVALID_ACTION)
        seed = hash((self._seed, self._player, view.ply)) & (1 << 62) - 1
        return self._bot.choose(view, bots.Budget(seed))


# Bots of OpenSpiel as our bots.


class CompiledRollouts(mcts.Evaluator):  # type: ignore[misc]
    """An evaluator for OpenSpiel's searches: one random playout, compiled, instead of one in Python."""

    def __init__(self, seed: int) -> None:
        self._seed = seed
        self._dice: Dice | None = None

    def evaluate(self, state: SpielState) -> Any:
        import numpy

        setup = state.node.setup
        if self._dice is None:
            self._dice = setup.build.generator(self._seed)
        row = state.node.row.copy()
        setup.build.driver.play_on(row, setup.build.mask(), self._dice, setup.build.events(muted=True), MOST_DECISIONS)
        return numpy.array(_returns(int(setup.build.rules.winners(row)), setup.seats))

    def prior(self, state: SpielState) -> list[tuple[int, float]]:
        actions = state.legal_actions(state.current_player())
        return [(action, 1 / len(actions)) for action in actions]


class _TimeUp(Exception):
    """The time for a decision is spent."""


class _Ismcts(ismcts.ISMCTSBot):  # type: ignore[misc]
    """OpenSpiel's ISMCTS, which also stops when its time is up."""

    until: float | None = None

    def sample_root_state(self, state: SpielState) -> SpielState:
        if self.until is not None and time.perf_counter() > self.until and self._root_node.total_visits > 0:
            raise _TimeUp
        found: SpielState = super().sample_root_state(state)
        return found

    def run_search(self, state: SpielState) -> Any:
        try:
            return super().run_search(state)
        except _TimeUp:
            return self.get_final_policy(state, self._root_node)


class _DecisionSolver(outcome_sampling_mccfr.OutcomeSamplingSolver):  # type: ignore[misc]
    """OpenSpiel's outcome-sampling MCCFR, started at a decision instead of the deal, in worlds possible for its seat."""

    def __init__(self, game: SpielGame, worlds: Iterator[SpielState]) -> None:
        super().__init__(game)
        self._worlds = worlds

    def iteration(self) -> None:
        for player in range(self._num_players):
            self._episode(next(self._worlds), player, 1.0, 1.0, 1.0)


@dataclass(frozen=True)
class OpenSpielBot:
    """A bot of OpenSpiel as one of ours: it gets a state that is made from the view alone."""

    name: str
    kind: str
    playouts: int | None
    seconds: float | None

    @property
    def is_repeatable(self) -> bool:
        return self.seconds is None

    def sit(self) -> bots.Bot:
        return self

    def opinion(self, view: View, budget: bots.Budget) -> bots.Opinion | None:
        return None

    def choose(self, view: View, budget: bots.Budget) -> int:
        import numpy

        if len(view.legal) == 1:
            return view.legal[0]
        began = time.perf_counter()
        limits = [limit for limit in (self.seconds, budget.seconds) if limit is not None]
        until = began + min(limits) if limits else None
        box = str(view.game.box_file or "")
        options: dict[str, Any] = dict(position.options_of(view.game, view.row))
        game = load(view.game.name, view.seats, box=box, **options)
        state = game.state(view)
        dice = numpy.random.RandomState(budget.seed & 0xFFFFFFFF)
        search = self._mccfr if self.kind == "mccfr" else self._ismcts
        return int(search(game, state, dice, until))

    def _ismcts(self, game: SpielGame, state: SpielState, dice: Any, until: float | None) -> int:
        if self.kind == "ismcts":
            evaluator = mcts.RandomRolloutEvaluator(1, dice)
        else:
            evaluator = CompiledRollouts(int(dice.randint(1 << 31)))
        playouts = self.playouts if self.playouts is not None else 1 << 30
        bot = _Ismcts(game, evaluator, uct_c=1.0, max_simulations=playouts, random_state=dice)
        bot.set_resampler(lambda state, player: state.resample_from_infostate(player, dice.random_sample))
        bot.until = until
        return int(bot.step(state))

    def _mccfr(self, game: SpielGame, state: SpielState, dice: Any, until: float | None) -> int:
        import numpy

        seat = state.current_player()
        worlds = (state.resample_from_infostate(seat, dice.random_sample) for _ in iter(int, 1))
        solver = _DecisionSolver(game, worlds)
        left = self.playouts
        random_state = numpy.random.get_state()  # the solver draws from the generator that everybody shares
        numpy.random.seed(int(dice.randint(1 << 31)))
        try:
            while left is None or left > 0:
                solver.iteration()
                left = None if left is None else left - game.num_players()
                if until is not None and time.perf_counter() > until:
                    break
        finally:
            numpy.random.set_state(random_state)
        chances = solver.average_policy().action_probabilities(state, seat)
        return int(dice.choice(list(chances), p=list(chances.values())))


KINDS: Final = ("ismcts", "ismcts-compiled", "mccfr")
"""OpenSpiel's ISMCTS, the same with compiled playouts, and outcome-sampling MCCFR started at the decision."""


def find(name: str) -> OpenSpielBot:
    """The bot that `openspiel:KIND:PLAYOUTS` or `openspiel:KIND:TIME` names."""
    found = re.fullmatch(r"openspiel:([a-z-]+):(?:([1-9][0-9]{0,8})|([0-9]{1,6}(?:[.][0-9]{1,3})?)(ms|s))", name)
    if found and found[1] in KINDS:
        seconds = float(found[3]) * (0.001 if found[4] == "ms" else 1) if found[3] else None
        if seconds is None or 0 < seconds <= 3600:
            return OpenSpielBot(name, found[1], int(found[2]) if found[2] else None, seconds)
    known = ", ".join(f"openspiel:{kind}:1000" for kind in KINDS)
    raise bots.UnknownBot(f"unknown bot {name!r}; there are: {known}, or a time such as 100ms instead of the number")
