"""What a game provides: one protocol for each file of its folder, what it is for, and whether it may be missing.

A game is a package with a ``game`` (a `Game`, see `ridotto.core.game`) and these modules:

================== ========= =====================================================================================
file               missing?  what happens without it
================== ========= =====================================================================================
rules.py           never     the functions and tables of `ridotto.engine.contract.Rules`
components.py      never     `BOX`, the components as plain data, and constants worked out from it
inputs.py          may be    texts mean what the notation of actions says, in the order in which the rules ask
tuning.toml        may be    the standard levels, without ratings; see `ridotto.core.tuning`
rulebook/LANG.md   may be    the English one is shown; without that, the page says that there is no rulebook
locale/            may be    sentences stay English
------------------ --------- -------------------------------------------------------------------------------------
ui/words.py        never     a class `Words`: the numbers of the rules in sentences; without its `figures`, a review says
                             what was better, and not why
ui/sketch.py       may be    a terminal lists the named fields
ui/picture.py      may be    a page shows the named fields as one panel; a folder `picture/` does as well
ui/page.py         may be    every answer is a plain button
ui/page.css        may be    no styles of its own
ui/stage.py        may be    a beat is what one seat does in a row, and nothing gets a stage of its own
ui/lesson.py       may be    no lesson is offered
ui/owner.py        may be    nothing is asked about its box; see `ridotto.present.owner`
ui/figures.py      may be    its rulebook has no figures; see `ridotto.present.figures`
------------------ --------- -------------------------------------------------------------------------------------
ai/bot.py          may be    bots choose at random inside their playouts, and play every match to its end
ai/features.py     may be    a trained network is shown the row alone; see `ridotto.engine.contract.FeatureRules`
ai/solver.py       may be    the bot `solver` searches instead; see `Solver`
================== ========= =====================================================================================

`ridotto check GAME` says in plain words what a game lacks. Nothing else is looked for: no attribute is found by its name.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, Any, Generic, NamedTuple, Protocol, Self, TypeVar

from ridotto.core.view import CLASH, LATER, OVER, REDEALT, RESIGNED, UNDONE
from ridotto.engine.fields import Kind, Seat
from ridotto.present.narrator import Narrator

if TYPE_CHECKING:
    from ridotto.core.errors import BadSeries
    from ridotto.core.view import Refusal, Seen, View
    from ridotto.engine.build import Build
    from ridotto.present.html import Html
    from ridotto.present.lesson import Step
    from ridotto.present.scene import Item, Layer, Move


# Words.

W = TypeVar("W")


@lru_cache(256)
def _the_same(words: W) -> W:
    """One object for all words that are equal."""
    return words


class Rival(NamedTuple):
    """A rival without a seat whose points count at the end."""

    name: str
    parts: dict[str, int]
    score: int


class Standing(NamedTuple):
    """How a seat stands in a match that goes on, by what everybody knows."""

    text: str
    """A word or two: "23 points"."""
    leads: bool = False


class OptionText(NamedTuple):
    """The title and the explanation of an option, for a form."""

    title: str
    explanation: str


@dataclass(frozen=True)
class Words:
    """Puts the numbers of a game's rules into sentences, with one narrator. A game's `ui/words.py` has a subclass `Words`.

    A game must implement the first five methods; the others have a default.
    """

    narrator: Narrator

    def __hash__(self) -> int:
        return self._hash  # it is a key of many caches

    @cached_property
    def _hash(self) -> int:
        return hash(self.narrator)

    def label(self, row: Sequence[int], seat: Seat, action: int) -> str:
        """The label of the button for an action, from a masked row."""
        raise NotImplementedError

    def player(self, seat: Seat) -> str:
        """A seat's player as the beginning of a sentence: by name, or what the game calls the seat ("Ada", "The inspector")."""
        raise NotImplementedError

    def sentence(self, event: str, values: Mapping[str, int]) -> str:
        """An event as a line of the log; numbers that the reader may not know are HIDDEN."""
        raise NotImplementedError

    def because(self, reason: str, row: Sequence[int], seat: Seat, action: int) -> str:
        """Why an action is refused, as the end of a sentence, said to the player who tried it: "you have no money left"."""
        raise NotImplementedError

    def question(self, row: Sequence[int], seat: Seat) -> str:
        """What is wanted of a seat, as one sentence."""
        raise NotImplementedError

    def verb(self, verb: str) -> str:
        """A family of actions as a phrase ("play a character"), where no single action is meant."""
        return verb

    def option(self, name: str) -> OptionText | None:
        """The title and the explanation of an option in a form; None: those that the rules declare."""
        return None

    def rivals(self, row: Sequence[int]) -> list[Rival]:
        """The rivals without a seat whose points count at the end."""
        return []

    def standings(self, row: Sequence[int]) -> Sequence[Standing]:
        """How each seat stands, by what everybody knows; nothing if there is nothing to tell."""
        return []

    def guide(self, row: Sequence[int], seat: Seat) -> str:
        """What somebody who plays for the first time should know about the decision that is wanted of them; "" if nothing.

        A sentence or two: what the decision is for, and what to look at. The question itself is said anyway.
        """
        return ""

    def early(self, row: Sequence[int], seat: Seat, text: str) -> str:
        """The label of the button for a decision that is made early, see `ridotto.core.inputs`."""
        raise NotImplementedError

    def fault(self, row: Sequence[int], seat: Seat, fault: BadSeries) -> str:
        """A fault in the text of a series of actions, as a sentence."""
        raise NotImplementedError

    def figures(self, row: Sequence[int], seat: Seat) -> Mapping[str, tuple[int, ...]]:
        """What a table comes to for a seat, as numbers by name, the most telling first; nothing: a review gives no reasons.

        `row` is what the seat may know, after a turn of its own. See `ridotto.bots.reasons`.
        """
        return {}

    def reason(self, seat: Seat, name: str, better: Sequence[int], played: Sequence[int]) -> str:
        """Why a table is better for a seat than another, of which a figure differs; "" if that is no advantage."""
        return ""

    def usage(self) -> Mapping[str, str]:
        """What can be typed in a terminal besides actions, each with one sentence about it."""
        return {}

    # For all games.

    def event(self, seen: Seen) -> str:
        """An event as a line of the log."""
        name, values = seen.event.name, seen.values
        if name == RESIGNED.name:
            if values["seat"] in self.narrator.late:
                return self.tell(values["seat"], "You ran out of time.", "{who} ran out of time.")
            return self.tell(values["seat"], "You resign.", "{who} resigns.")
        if name == UNDONE.name:
            return self.say("Move taken back.")
        if name == REDEALT.name:
            return self.say("Everything hidden is dealt again.")
        return self.sentence(name, values)

    def refusal(self, refusal: Refusal) -> str:
        """The reason of a refusal, as the end of a sentence, without its §."""
        if refusal.reason == OVER:
            return self.say("the match is over")
        if refusal.reason == LATER:
            return self.say("wait and see what comes of this before you decide what follows")
        if refusal.reason == CLASH:
            return self.say("that does not go with what you have decided already")
        if isinstance(refusal.action, int):
            return self.because(refusal.reason, refusal.row, refusal.seat, refusal.action)
        assert refusal.fault is not None
        return self.fault(refusal.row, refusal.seat, refusal.fault)

    def all_early(self, view: View) -> list[tuple[str, str]]:
        """The decisions that a reader may make early, each with its label."""
        return [] if view.seat is None else [(one.text, self.early(view.row, view.seat, one.text)) for one in view.early]

    def ranked(self, texts: Sequence[str], numbers: Sequence[int]) -> list[Standing]:
        """Standings by numbers: whoever has most of them leads, unless all have the same."""
        most = max(numbers)
        return [Standing(text, number == most > min(numbers)) for text, number in zip(texts, numbers, strict=True)]

    def nameless(self) -> Self:
        """The same words without names and reader: one object for each language, so that drawings are cached by it."""
        return self._nameless

    @cached_property
    def _nameless(self) -> Self:
        nameless: Self = _the_same(replace(self, narrator=replace(self.narrator, names=(), reader=None)))
        return nameless

    def unaddressed(self) -> Self:
        """The same words without a reader: everybody is called by name."""
        return self if self.narrator.reader is None else self._unaddressed

    @cached_property
    def _unaddressed(self) -> Self:
        return replace(self, narrator=replace(self.narrator, reader=None))

    def say(self, message: str, **values: object) -> str:
        """A message in the reader's language, with its gaps filled."""
        return self.narrator.say(message, **values)

    def count(self, one: str, many: str, number: int, **values: object) -> str:
        """A message in the singular or plural form for a number."""
        return self.narrator.count(one, many, number, **values)

    def tell(self, seat: Seat, you: str, they: str, **values: object) -> str:
        """A sentence about a seat: the message `you` if the seat is the reader's, otherwise the message `they`.

        Its player fills the gap `{who}`.
        """
        return self.narrator.tell(seat, you, they, **{"who": self._called(seat), **values})

    def _called(self, seat: Seat) -> str:
        """A seat's player, looked up once."""
        if seat not in self._players:
            self._players[seat] = self.player(seat)
        return self._players[seat]

    @cached_property
    def _players(self) -> dict[Seat, str]:
        return {}

    def is_reader(self, seat: Seat) -> bool:
        """Whether a seat is the reader's."""
        return self.narrator.is_reader(seat)

    def spoken_to(self, seat: Seat | None) -> Seat | None:
        """Whom the words about a view speak to: the reader, who may look at somebody else's; without one, its seat."""
        reader = self.narrator.reader
        return seat if reader is None else reader

    def names(self, seats: Iterable[Seat]) -> str:
        """Players as a phrase, the reader first: "you, Ada and Bo"."""
        found = sorted(seats, key=lambda seat: not self.is_reader(seat))
        return self.listed([self.say("you") if self.is_reader(seat) else self.player(seat) for seat in found])

    def listed(self, items: Sequence[str]) -> str:
        """Items as a phrase: "a, b and c"."""
        return self.narrator.listed(items)


# Sketch, picture, page.


class Sketch(Protocol):
    """`ui/sketch.py`: the table as text for a terminal."""

    def text(self, view: View, words: Any) -> str:
        """The table in Rich's markup."""


class Picture(Protocol):
    """`ui/picture.py`: the table drawn, as panels and items; see `ridotto.present.scene`.

    A module may also have a function `kept_looks(words)`, which returns looks that come again and again, such as the faces of
    cards: they are not sent with every card that is turned up, since browsers keep them with the board.
    """

    COLUMNS: tuple[tuple[str, ...], ...]
    """The names of the panels, column by column, as a wide page lays them out."""
    STYLE: str
    """Styles of the panels; colours are named as in `ridotto.present.svg`."""

    def board(self, view: View, words: Any) -> Mapping[str, str]:
        """The parts that do not change during a match, as SVG by the name of their panel.

        It may depend on the number of seats, the options and the language, and on nothing else of the view: browsers keep it.
        """

    def shared(self, view: View, words: Any) -> Layer:
        """The panels, the most important first, and the items that everybody sees. It is asked for once for all readers.

        The view has no seat. What its row shows may be drawn: when somebody looks back with open eyes, nothing is hidden.
        """

    def own(self, view: View, words: Any) -> Layer:
        """What a seat sees besides, or instead: panels and items that replace those of the same name or key, or are added."""

    def moves(self, view: View, seen: Sequence[Seen]) -> list[Move]:
        """How things went from place to place in these latest events, where their keys do not tell it."""

    def preview(self, view: View, words: Any, action: int) -> Mapping[str, Sequence[Item]]:
        """The items of the panels that an action would change, as far as the seat can know; nothing without previews."""

    def vignette(self, words: Any) -> tuple[Sequence[str], str] | None:
        """The drawing on the game's card in the lobby, as its parts and its viewBox; None: the table after the deal."""


WordsT = TypeVar("WordsT", bound=Words)


class Sign(NamedTuple):
    """A mark on the board and what it means: a line of the legend."""

    look: str
    """As it is drawn on the board, inside what gives it its state ("cleared")."""
    text: str
    box: str = "-24 -24 48 48"
    """The part of the drawing that is shown, as a viewBox."""


class Page(Generic[WordsT]):
    """`ui/page.py`: how the web table of a game differs from the standard one, as a subclass called `Page`.

    Every method has a default. The pages of a game, and nothing else, are inside an element whose class is the game's name,
    for the selectors of its `ui/page.css`.
    """

    usual_seats: int = 0
    """The number of seats of a table that is opened with one click; 0: the smallest."""
    is_forced_known: bool = False
    """Whether everybody can tell when a seat has no choice. Then a page may answer for its reader where there is one answer:
    how soon it does shows nobody anything."""
    drawn_early: Sequence[str] = ()
    """The fields that the picture shows, while a turn is put together, as the decisions that wait will leave them."""

    def play_as(self, words: WordsT, seat: Seat) -> str:
        """The label of the button that opens a table with the reader at a seat; "": one button is enough for all seats."""
        return ""

    def answers(self, view: View, words: WordsT) -> Html | None:
        """The answers to a question; None: plain buttons, see `ridotto.present.answers`."""
        return None

    def purse(self, view: View, words: WordsT) -> str:
        """What the reader has to spend, and their points, in a few words beside the question, where they are always seen."""
        return ""

    def needs(self, view: View) -> Sequence[str]:
        """The panels that the question needs besides those with something to choose: a page keeps them large enough to read.

        After the end, those that show the result and what it came from.
        """
        return ()

    def news(self, view: View, words: WordsT) -> Html | None:
        """The latest events, above the question, such as cards that were turned up; None: a few lines of the log."""
        return None

    def legend(self, words: WordsT) -> Sequence[Sign]:
        """The marks that only this game's board has, and what they mean; those of every board are explained anyway."""
        return ()

    def compose(self, view: View, words: WordsT, text: str) -> Mapping[str, Any] | None:
        """The worth of a series of actions that the player is composing on a sheet; None: there is no such sheet now.

        `text` is the series as it would be played, without its verb. The answer has either a `fault`, as a sentence, or
        `worth`: pairs of a number as people read it and what it is. It may hold more for programs that play by the same
        requests; with an empty `text`, it is about everything as it stands.
        """
        return None

    def target(self, kind: Kind) -> str:
        """The kind of thing that an argument of an action points at, where several kinds share names; "" if it is no thing."""
        return kind.name

    def distance(self, view: View, kind: Kind, one: str, other: str) -> int | None:
        """How far apart two arguments of an action are, to suggest the nearest legal action; None: compare their numbers."""
        return None


# Beats and moments.


class Moment(NamedTuple):
    """Something that the game is played for, shown large: a page opens a curtain on it."""

    title: str
    parts: Sequence[Html]
    """What is shown, one after another; classes of the game's `ui/page.css` and looks of its picture."""
    holds: bool = True
    """Whether it waits for its reader, who has to understand it; otherwise it goes by after a while."""


class Stage(Generic[WordsT]):
    """`ui/stage.py`: in which rhythm a page shows what happens, as a subclass called `Stage`. Every method has a default.

    A page shows one *beat* after another: what a player does in a turn. It is given events as one reader may know them, and
    nothing else, so that it can tell nobody what they may not know.
    """

    def goes_on(self, before: Sequence[Seen], seen: Sequence[Seen]) -> bool:
        """Whether an action belongs to the same beat as the one before, given the events of both; neither is empty."""
        return actor(before) is not None and actor(before) == actor(seen)

    def moments(self, view: View, words: WordsT, seen: Sequence[Seen]) -> Sequence[Moment]:
        """What these latest events of a view put on the stage, one after another; mostly nothing."""
        return ()


def actor(seen: Sequence[Seen]) -> Seat | None:
    """Who did it, as far as events tell: the first seat that they name."""
    return next((one.values["seat"] for one in seen if "seat" in one.values), None)


class Lesson(Protocol):
    """`ui/lesson.py`: the first lesson of a game."""

    STEPS: tuple[Step, ...]
    """The steps of the lesson in order; see `ridotto.present.lesson`."""


# Solving.


class Solver(Protocol):
    """A game's `ai/solver.py`: mixed strategies for positions of this game. It is loaded into the compiled build."""

    def reason_against(self, build: Build, /) -> str | None:
        """Why it cannot play with the components of this build; None if it can."""

    def mixture(
        self,
        build: Build,
        view: View,
        memory: dict[bytes, Any],
        iterations: int | None,
        seconds: float | None,
        now: Callable[[], float],
        /,
    ) -> tuple[dict[int, float], tuple[float, ...], int]:
        """How likely the seat is to do each legal action, each seat's share of the win, and the iterations made.

        It takes so many iterations, or so many seconds by this clock, whichever is less. What it puts into the memory saves
        time in later decisions of the same match, and changes nothing else: without it the same view leads to the same answer.
        """
