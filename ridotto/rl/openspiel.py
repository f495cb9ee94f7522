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

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from ridotto import bots
from ridotto.core import position
from ridotto.core.game import Game
from ridotto.core.view import View
from ridotto.engine.errors import RidottoError
from ridotto.engine.fields import EVENT_WIDTH, Seat
from ridotto.games import GAMES
from ridotto.games import find as find_game
from ridotto.rl.openspiel_states import NOT_INSTALLED, Node, Past, read_start, setup_of, write_start

try:
    import pyspiel
except ModuleNotFoundError as error:
    raise RidottoError(f"{NOT_INSTALLED} ({error})") from error

MOST_DECISIONS: Final = 5000
"""An upper bound: matches have about 30 to 600."""
MOST_DRAWS: Final = 5000
MOST_OUTCOMES: Final = 256
"""An upper bound on the outcomes of a draw."""
HISTORY: Final = 1000
"""The number of last events in an information-state tensor by default: about as many as any match has."""


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
            raise RidottoError(f"an information-state tensor has 1 event or more, not {self.history}")
        self.setup = setup_of(game.name, seats, tuple(options.items()), box, start)
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
        """A state that fits a view, with its seat to act: secrets are drawn at random.

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
        """The text of a state: with perfect recall the player's actions and events, then the row as the player may know it."""
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

    Hidden words of a position ("?") are dealt by chance when a match begins.
    """
    ours = find_game(name, box or None)
    given = {"players": ours.seat_count(players), **parameters}
    if box:
        given["box"] = box
    if position is not None:
        given["start"] = write_start(ours, position)
    game: SpielGame = pyspiel.load_game(f"ridotto_{name}", given)
    return game


for _game in GAMES.values():
    _name = f"Spiel{_game.name.title()}"
    globals()[_name] = type(_name, (SpielGame,), {"ridotto_game": _game, "__module__": __name__})
    pyspiel.register_game(_type(_game, False), globals()[_name])


# Our bots for OpenSpiel.


class SpielBot(pyspiel.Bot):  # type: ignore[misc]
    """One of our own bots as a bot of OpenSpiel. It gets the view of its seat, and nothing else of a state."""

    def __init__(self, bot: bots.Bot | str, player: Seat, seed: int = 0) -> None:
        super().__init__()
        self._kind = bots.find(bot) if isinstance(bot, str) else bot
        self._player, self._seed = player, seed
        self._bot = self._kind.sit()

    def player_id(self) -> Seat:
        return self._player

    def restart(self) -> None:
        self._bot = self._kind.sit()

    def restart_at(self, state: Any) -> None:
        self.restart()

    def step(self, state: SpielState) -> int:
        view = state.view(self._player)
        if not view.legal:
            return int(pyspiel.INVALID_ACTION)
        seed = hash((self._seed, self._player, view.ply)) & (1 << 62) - 1
        return self._bot.choose(view, bots.Budget(seed))
