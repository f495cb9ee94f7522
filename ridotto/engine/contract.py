"""The contract of a game: what its rules and its bot provide, and what the engine builds on them.

A game's `rules.py` and `ai/bot.py` are plain modules of functions over a row of small integers; they fit the protocols `Rules`
and `BotRules` here, and a type checker can say whether they do. The functions are compiled, so nothing in them allocates,
raises, slices, recurses, or knows of people, text or time.

The driver and the search import `rules` and `bot` from here. In a build these names stand for that build's own game.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NoReturn, Protocol, cast

from ridotto.engine.arrays import ContestArrays, Deal, Judge, Network, Rows, SearchRequest, Step, Tree, Workspace
from ridotto.engine.fields import Actions, Codes, Dice, EventCodes, Events, Fields, Mask, Option, Row, Seat

if TYPE_CHECKING:
    from ridotto.engine.build import Build


# What a game provides.


class Rules(Protocol):
    """`rules.py`: the rules of a game."""

    @property
    def VERSION(self) -> int:
        """The version of the rules; a changed rule is a new version."""

    @property
    def SEATS(self) -> tuple[int, int]:
        """The fewest and the most seats."""

    @property
    def OPTIONS(self) -> Sequence[Option]:
        """The options, chosen before the deal."""

    @property
    def FIELDS(self) -> Fields:
        """The layout of a row."""

    @property
    def ACTIONS(self) -> Actions:
        """The action space."""

    @property
    def EVENTS(self) -> EventCodes:
        """The events."""

    @property
    def REASONS(self) -> Codes:
        """The reasons for refusing an action."""

    @property
    def ENDINGS(self) -> Codes:
        """The endings of a match."""

    @property
    def PARTS(self) -> Codes:
        """The parts of a score."""

    @property
    def FAULTS(self) -> Codes:
        """Invariants that may be broken, one bit each in what `check` gives back."""

    @property
    def QUESTION(self) -> int:
        """The offset of the field with the kind of the next decision; -1 if there is none. A GPU groups its rows by it."""

    @property
    def ROUND(self) -> int:
        """The offset of the field with the current round; -1 if there is none. Replays and reviews are divided by it."""

    def deal(self, s: Row, seats: int, options: Row, dice: Dice, events: Events, /) -> None:
        """Deal a match into an empty row; the word of the version may already say by which version it is to be played."""

    def to_act(self, s: Row, /) -> int:
        """The seats that owe a decision now, one bit each: several where choices are simultaneous, 0 when the match is over."""

    def legal(self, s: Row, seat: Seat, mask: Mask, /) -> None:
        """Fill the mask with the seat's legal actions: exactly those that `refuses` allows."""

    def refuses(self, s: Row, seat: Seat, action: int, /) -> int:
        """0 if the action is allowed, else the number of a reason."""

    def apply(self, s: Row, seat: Seat, action: int, dice: Dice, events: Events, /) -> None:
        """Do a legal action, which is not checked.

        A secret choice, made by an action whose audience is not `all` while other seats owe theirs, tells the others
        nothing until the last one is in: at the most an event in which everybody may see the seat, and nothing else. Who still
        owes a choice is known anyway, by `to_act`.
        """

    def ending(self, s: Row, /) -> int:
        """0 while the match goes on, else the number of the ending."""

    def score(self, s: Row, seat: Seat, parts: Row, /) -> int:
        """A seat's score; its parts go into `parts`."""

    def winners(self, s: Row, /) -> int:
        """The seats that have won, one bit each: several if they share the win, 0 if nobody wins."""

    def redeal(self, s: Row, seat: Seat, dice: Dice, /) -> None:
        """Fill a masked row (seat -1: a spectator's): draw at random what the seat cannot know, given what it has seen."""

    def check(self, s: Row, /) -> int:
        """The broken invariants, one bit each."""


class BotRules(Protocol):
    """`ai/bot.py`: a policy, an evaluation and beliefs for the search. A game without one gets `ridotto.engine.plain_bot`."""

    def policy(self, s: Row, seat: Seat, mask: Mask, dice: Dice, events: Events, scratch: Row, /) -> int:
        """The action of a sensible player, out of the legal ones in `mask`, by the seat's own knowledge alone.

        The row may be masked. `scratch` is a spare row to try actions on, `events` a muted list to pass on. A spare row has 256
        words or more, whatever the box.
        """

    def value(self, s: Row, values: Row, scratch: Row, /) -> bool:
        """Whether this position can be judged, such as the start of a round; and if so, its value for each seat.

        The values go into `values`; 10,000 is a certain win. The row is not masked. A match that is over is judged as well:
        by its scores, where a narrow win is worth less than a high one.
        """

    def recall(self, s: Row, seat: Seat, /) -> None:
        """Take back, in a masked row, hidden choices that others have made at the same time as `seat` (-1: all seats).

        Who chose first tells nothing, so a search lets the others choose again: they are in `to_act` afterwards, and after a
        `redeal` the row is a possible position. A game without choices that are simultaneous and hidden does nothing here.
        """

    def plausible(self, s: Row, belief: Row, /) -> int:
        """The plausibility of a world, by the conclusions of `believe` from the actions of others; 256 is a perfect fit."""

    def believe(self, build: Build, view: Any, /) -> list[int]:
        """Conclusions from the actions of others, as numbers for `plausible`, by a View's `row` and `seen` alone. Not compiled.

        For None instead of a view: numbers with which `plausible` takes all worlds to be equally plausible.
        """


class FeatureRules(Protocol):
    """`ai/features.py`: inputs of a trained network besides the row. A game without one gets `plain_features`."""

    COUNT: int
    """The number of inputs."""

    def compute(self, s: Row, seat: Seat, mask: Mask, scratch: Row, out: list[float], at: int, /) -> None:
        """Compute `COUNT` numbers, mostly from -1 to 1, by the seat's own knowledge alone, and write them from `out[at]` on.

        The row is masked, `mask` has the seat's legal actions. `out` is 0 there before. `scratch` is a spare row; what an
        earlier call has left in it may be used again.
        """


# What the engine builds on it. Each build has its own copies of these modules, compiled for its target.


class DiceFunctions(Protocol):
    """`ridotto.engine.dice`: draws, events, sets of bits."""

    def draw(self, dice: Dice, n: int, /) -> int: ...
    def next_bits(self, dice: Dice, /) -> int: ...
    def start(self, dice: Dice, seed: int, seed_high: int, stream: int, stream_high: int, /) -> None: ...
    def emit(self, events: Events, code: int, a: int = 0, b: int = 0, c: int = 0, d: int = 0, e: int = 0, /) -> None: ...
    def ones(self, bits: int, /) -> int: ...
    def nth(self, bits: int, n: int, /) -> int: ...
    def lowest(self, bits: int, /) -> int: ...
    def draw_from(self, dice: Dice, bits: int, /) -> int: ...
    def allow(self, mask: Mask, first: int, bits: int, /) -> None: ...
    def clear(self, mask: Mask, /) -> None: ...
    def is_legal(self, mask: Mask, action: int, /) -> bool: ...
    def count_legal(self, mask: Mask, /) -> int: ...
    def nth_legal(self, mask: Mask, n: int, /) -> int: ...


class Driver(Protocol):
    """`ridotto.engine.driver`: random play, counting, and many matches at once."""

    TALLY_SIZE: int
    DECISIONS: int
    FORCED: int
    SHORTEST: int
    LONGEST: int
    WINS: int
    ENDS: int
    SHARE: int

    def random_action(self, mask: Mask, dice: Dice, /) -> int: ...
    def mask_row(self, s: Row, seat: Seat, masked: Row, /) -> None: ...
    def play_on(self, s: Row, mask: Mask, dice: Dice, events: Events, limit: int, /) -> int: ...
    def simulate(self, work: Workspace, deal: Deal, first: int, games: int, tally: Row, /) -> None: ...
    def trace(self, work: Workspace, deal: Deal, first: int, hashes: Row, /) -> None: ...
    def contest(self, work: Workspace, deal: Deal, bot_seats: int, first: int, games: int, out: ContestArrays, /) -> None: ...
    def count(self, rows: list[Row], masks: list[Mask], next_action: Row, dice: Dice, events: Events, depth: int, /) -> int: ...
    def deal_rows(self, batch: Rows, work: Workspace, deal: Deal, first: int, last: int, /) -> None: ...
    def advance_rows(
        self,
        batch: Rows,
        work: Workspace,
        deal: Deal,
        actions: Row,
        decisions: int,
        bot_seats: int | None,
        first: int,
        last: int,
        /,
    ) -> int: ...
    def mask_rows(self, batch: Rows, masked: list[Row], first: int, last: int, /) -> None: ...
    def list_legal(self, batch: Rows, counts: Row, ids: list[Row], first: int, last: int, /) -> None: ...


class Search(Protocol):
    """`ridotto.engine.search`: the tree search."""

    NODE: int
    EDGE: int
    FIRST: int
    COUNT: int
    ACTION: int
    PRIOR: int
    VISITS: int
    SUM: int
    NODES: int
    EDGES: int
    PLAYOUTS: int
    ROOT_PLAYOUTS: int
    VALUE_SUMS: int
    COUNTERS: int
    MOST_DEPTH: int
    SURE: int
    FIRST_MULTIPLIERS: Sequence[int]
    SECOND_MULTIPLIERS: Sequence[int]
    IS_HIDDEN: Sequence[int]

    def search(
        self, request: SearchRequest, playouts: int, tree: Tree, work: Workspace, network: Network | None = None, /
    ) -> int: ...
    def draw_world(self, world: Row, masked: Row, seat: Seat, belief: Row, dice: Dice, /) -> None: ...
    def hash_infostate(self, s: Row, seat: Seat, multipliers: Sequence[int], /) -> int: ...
    def slot_of(self, nodes: Row, key: int, check: int, /) -> int: ...
    def most_visited(self, tree: Tree, node: int, /) -> int: ...


class Luck(Protocol):
    """`ridotto.engine.luck`: the luck of each seat, draw by draw."""

    DEAL: int
    REDEAL: int
    APPLY: int
    MOST_DRAWS: int
    TAPE: int
    KEPT: int

    def run_step(self, s: Row, step: Step, dice: Dice, events: Events, /) -> None: ...
    def worth(self, s: Row, judge: Judge, shares: list[float], work: Workspace, /) -> None: ...
    def worth_of_outcome(self, step: Step, judge: Judge, length: int, work: Workspace, /) -> None: ...
    def luck_of(self, step: Step, draws: Row, at: int, judge: Judge, luck: list[float], work: Workspace, /) -> int: ...
    def add_choice(
        self, step: Step, chosen: int, chances: list[float], judge: Judge, luck: list[float], work: Workspace, /
    ) -> None: ...


class NetworkFunctions(Protocol):
    """`ridotto.engine.network`: trained networks."""

    def unpack(self, stored: list[Row], scales: list[float], out: list[list[float]], /) -> None: ...
    def fold(
        self, rows: Row, columns: Row, numbers: list[float], lines: list[list[float]], out: list[list[float]], /
    ) -> None: ...
    def evaluate(self, s: Row, seat: Seat, network: Network, /) -> None: ...
    def best_action(self, mask: Mask, network: Network, /) -> int: ...
    def likelihoods(self, mask: Mask, network: Network, temperature: float, /) -> None: ...
    def shares(self, seat: Seat, network: Network, most: int, values: Row, /) -> None: ...


# Placeholders, which a build replaces by the modules of its game.


class _Unbuilt:
    """Empty rules, so that the driver and the search can be imported by themselves, to be read or checked."""

    FIELDS = Fields.of(1, (1, 1), ())
    ACTIONS = Actions.of()
    QUESTION = ROUND = -1

    def __getattr__(self, name: str) -> NoReturn:
        raise AttributeError(f"no game is loaded here to have a {name!r}: use ridotto.engine.build.load(PACKAGE)")


rules = cast(Rules, _Unbuilt())
bot = cast(BotRules, _Unbuilt())
features = cast(FeatureRules, _Unbuilt())
