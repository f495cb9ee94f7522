"""The protocols of a game's files for readers, one for each file, and whether it may be missing.

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
ui/words.py        never     a class `Words`, see `ridotto.present.words`; without its `figures`, a review says what was
                             better, and not why
ui/sketch.py       may be    a terminal lists the named fields
ui/picture.py      may be    a page shows the named fields as one panel; a folder `picture/` does as well
ui/page.py         may be    every answer is a plain button
ui/page.css        may be    no styles of its own
ui/stage.py        may be    a beat is what one seat does in a row, and nothing gets a stage of its own
ui/ledger.py       may be    no list of its rounds is offered; see `ridotto.present.ledger`
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

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Generic, NamedTuple, Protocol, TypeVar

from ridotto.engine.fields import Kind, Row, Seat
from ridotto.present.words import Words

if TYPE_CHECKING:
    from ridotto.core.view import Seen, View
    from ridotto.engine.build import Build
    from ridotto.present.composition import Compositions
    from ridotto.present.html import Html
    from ridotto.present.lesson import Step
    from ridotto.present.scene import Item, Layer, Move


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
    """The names of the panels, column by column: their places on a page, unless `Page.compositions` says others."""
    STYLE: str
    """Styles of the panels; colours are named as in `ridotto.present.svg`."""

    def board(self, view: View, words: Any) -> Mapping[str, str]:
        """The parts that do not change during a match, as SVG by the name of their panel.

        It may depend on the number of seats, the options and the language, and on nothing else of the view: browsers keep it.
        """

    def shared(self, view: View, words: Any) -> Layer:
        """The panels, the most important first, and the items that everybody sees. It is asked for once for all readers.

        The view has no seat. Everything that its row shows may be drawn: in a replay with open eyes, nothing is hidden.
        """

    def own(self, view: View, words: Any) -> Layer:
        """A seat's own layer: panels and items that replace those of the same name or key, or are added."""

    def moves(self, view: View, seen: Sequence[Seen]) -> list[Move]:
        """Movements of things in these latest events that do not follow from their keys."""

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
        """The reader's money and points, in a few words beside the question, always in sight."""
        return ""

    def compositions(self, view: View) -> Compositions | None:
        """The places of all panels, for a large window, a small one and a phone; None: `composition.standard`.

        They depend on the seats, the options, on whether the view has a seat, and on what the rules change for everybody, such
        as a city that opens: on nothing that changes from one question to the next. The panels have the shapes of their places.
        """
        return None

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
        """The distance between two arguments of an action, for suggesting the nearest legal one; None: by their numbers."""
        return None


# Beats and moments.


class Moment(NamedTuple):
    """Something that the game is played for, shown large: a page opens a curtain on it."""

    title: str
    parts: Sequence[Html]
    """The drawings, one after another, with classes of the game's `ui/page.css` and styles of its picture."""
    holds: bool = True
    """Whether it waits for its reader, who has to understand it; otherwise it goes by after a while."""
    panel: str = ""
    """The panel of the board on which it happens: the stage stands beside the board then, which changes as it opens. Without
    one it is in front of the board, which shows the table as it was before until the stage is left."""
    is_late: bool = False
    """Whether the board beside it changes only when all of it has been seen: points arrive when they are counted."""


class Cut(NamedTuple):
    """The end of a part of an action: so many of its events are in it, and the board is as it was at one of its events."""

    stop: int
    at: int


class Stage(Generic[WordsT]):
    """`ui/stage.py`: in which rhythm a page shows what happens, as a subclass called `Stage`. Every method has a default.

    A page shows one *beat* after another: what a player does in a turn. It is given events as one reader may know them, and
    nothing else, so that it can tell nobody what they may not know.
    """

    quick: Collection[str] = ()
    """The events that nobody waits for, such as a pass: they are shown at once, with what comes before them."""

    def cuts(self, seen: Sequence[Seen]) -> Sequence[Cut]:
        """The ends of the parts of an action that are shown one after another, given its events; not that of the last one.

        What nobody decided, such as income, follows in the same action. At each cut, a page stands as it was in between.
        """
        return ()

    def settle(self, row: Row) -> None:
        """Change the row at such a cut so that a picture can be drawn from it: nothing is asked then."""

    def goes_on(self, before: Sequence[Seen], seen: Sequence[Seen]) -> bool:
        """Whether an action belongs to the same beat as the one before, given the events of both; neither is empty."""
        return actor(before) is not None and actor(before) == actor(seen)

    def moments(self, view: View, words: WordsT, seen: Sequence[Seen]) -> Sequence[Moment]:
        """The moments of these latest events of a view, one after another; mostly none."""
        return ()


def actor(seen: Sequence[Seen]) -> Seat | None:
    """The seat that acted, as far as events tell: the first one that they name."""
    return next((one.values["seat"] for one in seen if "seat" in one.values), None)


class LessonModule(Protocol):
    """`ui/lesson.py`: the first lesson of a game."""

    STEPS: tuple[Step, ...]
    """The steps of the lesson in order; see `ridotto.present.lesson`."""


# Solving.


class Solver(Protocol):
    """A game's `ai/solver.py`: mixed strategies for positions of this game. It is loaded into the compiled build."""

    def reason_against(self, build: Build, /) -> str | None:
        """The reason why it cannot play with the components of this build; None if it can."""

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
        """The probability of each legal action, each seat's share of the win, and the iterations made.

        It takes so many iterations, or so many seconds by this clock, whichever is less. What it puts into the memory saves
        time in later decisions of the same match, and changes nothing else: without it the same view leads to the same answer.
        """
