"""A game: facts about it, and access to its modules."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from difflib import get_close_matches
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ridotto.core.errors import BadNotation, BadSetup
from ridotto.core.narrator import LOCALE, Narrator
from ridotto.core.protocols import Page, Picture, Sketch, Stage, Words
from ridotto.engine import build as builds
from ridotto.engine.build import Build
from ridotto.engine.contract import Rules
from ridotto.engine.fields import Seat, Target

if TYPE_CHECKING:
    from ridotto.core.drawing import Panel
    from ridotto.core.scene import Scene
    from ridotto.core.tuning import Tuning
    from ridotto.core.view import View


@dataclass(frozen=True)
class Game:
    """A game: facts about it, and access to its modules (rules, words, pictures, pages, tuning)."""

    name: str
    title: str
    authors: str
    publisher: str
    year: int
    minutes: int
    pitch: str
    package: str
    roles: tuple[str, ...] = field(repr=False)
    """What the game calls each seat, for players without a name: a different word for each possible seat."""
    resigning: str = field(repr=False)
    """The § about resigning."""
    findings: Callable[[Any], list[str]] | None = field(default=None, repr=False)
    """Makes additional lines for the balance report of this game, from a Contest of `ridotto.arena.simulation`."""
    box_file: Path | None = None

    def __post_init__(self) -> None:
        if not all(self.roles) or not 0 < len(set(self.roles)) == len(self.roles):
            raise BadSetup(f"the roles of {self.name} must be a different word for each seat, not {self.roles!r}")

    def __getstate__(self) -> dict[str, Any]:
        """Its facts; modules and what was worked out from them are not copied or sent to other processes."""
        return {one.name: getattr(self, one.name) for one in fields(self)}

    def __deepcopy__(self, memo: Any) -> Game:
        return self

    def build(self, target: Target = "python") -> Build:
        """The build of this game for a target."""
        return builds.load(self.package, target, self.box_file)

    def rulebook(self, language: str) -> Path:
        """The file with the rulebook in a language."""
        return builds.folder(self.package) / "rulebook" / f"{language}.md"

    @property
    def folder(self) -> Path:
        """The folder with everything of this game."""
        return builds.folder(self.package)

    @property
    def boxes(self) -> dict[str, Path]:
        """The boxes that came with the game besides its own, by name: the files in its folder `boxes`."""
        return {path.stem: path for path in sorted((self.folder / "boxes").glob("*.toml"))}

    @property
    def css(self) -> str:
        """The styles of its pages, from its `page.css`; "" without one. Every selector contains the game's name as a class."""
        path = builds.folder(self.package) / "page.css"
        return path.read_text("utf-8") if path.exists() else ""

    def with_box(self, path: Path | None) -> Game:
        """The same game with other components."""
        game = replace(self, box_file=path)
        game.build()
        return game

    @property
    def standard(self) -> Game:
        """The same game with the standard box."""
        return replace(self, box_file=None) if self.box_file else self

    @property
    def box_name(self) -> str:
        """What the box is called that it is played with; "" for the standard one."""
        return "" if self.build().box == self.standard.build().box else self.build().box_name

    def narrator(self, language: str = "en", names: Sequence[str] = (), reader: Seat | None = None) -> Narrator:
        """A narrator of this game for one reader."""
        return Narrator(language, tuple(names), reader, self.locales)

    def words(self, narrator: Narrator) -> Words:
        """The game's `Words` with this narrator; sentences are looked up in the game's own catalogues first."""
        if narrator.locales != self.locales:
            narrator = replace(narrator, locales=self.locales)
        words: Words = self.build().words.Words(narrator)
        return words

    @cached_property
    def english(self) -> Words:
        """Its words in English, without names of players and without a reader."""
        return self.words(self.narrator())

    def role(self, seat: Seat, words: Words) -> str:
        """What the game calls a seat."""
        return words.say(self.roles[seat])

    def player(self, seat: Seat, words: Words) -> str:
        """The name of a seat's player; for a player without a name, what the game calls the seat."""
        return words.narrator.name(seat, self.role(seat, words))

    def drawing(self, view: View, words: Words) -> str:
        """The table as text for a terminal, in Rich's markup."""
        return self.sketch.text(view, words)

    def scene(self, view: View, words: Words, shared: Scene | None = None) -> Scene:
        """The picture of a view as data. `shared` is what everybody sees of the same state, if it was worked out already."""
        from ridotto.core import scene

        shown = self.page.drafted(view) if view.noted else view
        if shared is None:
            shared = self.shared(shown.public(), words)
        if view.seat is None:
            return shared
        return scene.lit(scene.overlaid(shared, self.picture.own(shown, words)), view, words)

    def shared(self, view: View, words: Words) -> Scene:
        """What everybody sees of a state; the words address nobody."""
        from ridotto.core import scene

        return scene.scene(self.picture.shared(view, words.unaddressed()))

    def looks(self, words: Words) -> Sequence[str]:
        """Looks that come again and again in matches, which browsers keep with the board; `picture.py` need not name any."""
        found = getattr(self.picture, "kept_looks", None)
        return [] if found is None else found(words.nameless())

    def board(self, view: View, words: Words) -> Mapping[str, str]:
        """The parts of the picture that do not change during a match, as SVG by panel; drawn once for all such matches."""
        from ridotto.core import position

        language = words.narrator.language
        key = language, view.seats, tuple(position.options_of(self, view.row).items())
        if key not in self._boards:
            self._boards[key] = self.picture.board(view, words.nameless())
        return self._boards[key]

    @cached_property
    def _boards(self) -> dict[tuple[Any, ...], Mapping[str, str]]:
        return {}

    def panels(self, view: View, words: Words) -> list[Panel]:
        """The picture of a view as panels that are drawn completely, for files."""
        from ridotto.core.scene import drawn

        board, scene = self.board(view, words), self.scene(view, words)
        return [
            replace(panel, body=board.get(name, "") + drawn(scene, name, live=False)) for name, panel in scene.panels.items()
        ]

    @property
    def sketch(self) -> Sketch:
        """Its `sketch.py`, which draws the table for a terminal; without one, a module that lists the named fields."""
        from ridotto.core import plain

        found: Sketch | None = self.build().sketch
        return found if found is not None else plain

    @property
    def picture(self) -> Picture:
        """Its `picture.py`, which draws the table; without one, a module that lists the named fields."""
        from ridotto.core import plain

        found: Picture | None = self.build().picture
        return found if found is not None else plain

    @cached_property
    def page(self) -> Page[Any]:
        """The `Page` of its `page.py`, which adapts the web table; without one, the standard page with plain buttons."""
        module = self.build().page
        page: Page[Any] = module.Page() if module is not None else Page()
        return page

    @cached_property
    def stage(self) -> Stage[Any]:
        """The `Stage` of its `stage.py`, which says what is shown as one beat; without one, the standard stage."""
        module = self.build().stage
        stage: Stage[Any] = module.Stage() if module is not None else Stage()
        return stage

    @cached_property
    def locales(self) -> tuple[Path, ...]:
        """The folders with the catalogues of this game's sentences: its own, and the general one."""
        return builds.folder(self.package) / "locale", LOCALE

    @cached_property
    def rules(self) -> Rules:
        """The rules, interpreted: what a match runs on."""
        rules = self.build().rules
        if len(self.roles) < rules.SEATS[1]:
            raise BadSetup(f"{self.name} has up to {rules.SEATS[1]} seats and only {len(self.roles)} roles to call them by")
        return rules

    @cached_property
    def option_offsets(self) -> tuple[tuple[str, int], ...]:
        """Where each option stands in a row."""
        offsets = {field.name: at for field, at in self.rules.FIELDS.slices()}
        return tuple((option.name, offsets[option.name]) for option in self.rules.OPTIONS)

    @cached_property
    def tuning(self) -> Tuning:
        """The settings of its bots, and measurements of them."""
        from ridotto.core import tuning

        return tuning.load(builds.folder(self.package) / "tuning.toml")

    @property
    def seats(self) -> range:
        """How many seats there may be."""
        low, high = self.rules.SEATS
        return range(low, high + 1)

    @property
    def version(self) -> int:
        return int(self.rules.VERSION)

    def settle(self, options: Mapping[str, int] | None = None) -> dict[str, int]:
        """All options, the given ones checked, the others at their default."""
        known = {option.name: option for option in self.rules.OPTIONS}
        settled = {name: option.default for name, option in known.items()}
        for name, value in (options or {}).items():
            if name not in known:
                raise BadSetup(f"{self.name} has no option {name!r}; it has: {', '.join(known) or 'none'}")
            option = known[name]
            if type(value) is not int or not option.low <= value <= option.high:
                raise BadSetup(f"option {name!r} takes {option.low} to {option.high} (§{option.section}), not {value!r}")
            settled[name] = value
        return settled

    def seat_count(self, seats: int | None) -> int:
        """The requested number of seats, checked; the smallest if None."""
        if seats is None:
            return self.seats[0]
        if type(seats) is not int or seats not in self.seats:
            raise BadSetup(f"{self.name} has {_span(self.seats)} seats, not {seats!r}")
        return seats

    def action(self, action: int | str) -> int:
        """The id of an action given by id or notation."""
        actions = self.rules.ACTIONS
        if isinstance(action, str):
            found: int | None = actions.parse(action)
            if found is None:
                near = get_close_matches(action.lower(), [actions.notation(i) for i in range(actions.size)], 3)
                hint = f"did you mean {', '.join(map(repr, near))}?" if near else f"verbs: {', '.join(a.verb for a in actions)}"
                raise BadNotation(f"{action!r} names no action of {self.name}; {hint}")
            return found
        if type(action) is not int or not 0 <= action < actions.size:
            raise BadNotation(f"{self.name} has actions 0 to {actions.size - 1}, not {action!r}")
        return action


def _span(numbers: range) -> str:
    return str(numbers[0]) if len(numbers) == 1 else f"{numbers[0]} to {numbers[-1]}"
