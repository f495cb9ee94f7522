"""A game: facts about it, and access to its modules."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields, replace
from difflib import get_close_matches
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from ridotto.core.errors import BadNotation, BadSetup
from ridotto.core.inputs import Inputs
from ridotto.engine import build as builds
from ridotto.engine.build import Build
from ridotto.engine.contract import Rules
from ridotto.engine.fields import Target

LONGEST_QUOTE: Final = 60
"""The most characters of a text that an error quotes."""

if TYPE_CHECKING:
    from ridotto.core.tuning import Tuning


@dataclass(frozen=True)
class Game:
    """A game: facts about it, and access to its rules, its inputs and the settings of its bots."""

    name: str
    title: str
    authors: str
    publisher: str
    year: int
    minutes: int
    pitch: str
    package: str
    roles: tuple[str, ...] = field(repr=False)
    """The game's name for each seat, for players without a name: a different word for each possible seat."""
    resigning: str = field(repr=False)
    """The § about resigning."""
    findings: Callable[[Any], list[str]] | None = field(default=None, repr=False)
    """Makes additional lines for the balance report of this game, from a Contest of `ridotto.arena.simulation`."""
    box_file: Path | None = None

    def __post_init__(self) -> None:
        if not all(self.roles) or not 0 < len(set(self.roles)) == len(self.roles):
            raise BadSetup(f"the roles of {self.name} must be a different word for each seat, not {self.roles!r}")

    def __getstate__(self) -> dict[str, Any]:
        """Its facts alone: modules, and values computed from them, are not pickled."""
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
        """The additional boxes of the game, by name: the files in its folder `boxes`."""
        return {path.stem: path for path in sorted((self.folder / "boxes").glob("*.toml"))}

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
        """The name of its box; "" for the standard one."""
        return "" if self.build().box == self.standard.build().box else self.build().box_name

    @cached_property
    def inputs(self) -> Inputs:
        """The `Inputs` of its `inputs.py`, which interpret texts; without one, the notation of its actions alone."""
        module = self.build().module("inputs")
        inputs: Inputs = module.Inputs() if module is not None else Inputs()
        return inputs

    @cached_property
    def rules(self) -> Rules:
        """The interpreted rules, on which matches run."""
        rules = self.build().rules
        if len(self.roles) < rules.SEATS[1]:
            raise BadSetup(f"{self.name} has up to {rules.SEATS[1]} seats and only {len(self.roles)} roles to call them by")
        return rules

    @cached_property
    def option_offsets(self) -> tuple[tuple[str, int], ...]:
        """The offset of each option in a row."""
        offsets = {field.name: at for field, at in self.rules.FIELDS.slices()}
        return tuple((option.name, offsets[option.name]) for option in self.rules.OPTIONS)

    @cached_property
    def tuning(self) -> Tuning:
        """The settings of its bots, and measurements of them."""
        from ridotto.core import tuning

        return tuning.load(builds.folder(self.package) / "tuning.toml")

    @property
    def seats(self) -> range:
        """The possible numbers of seats."""
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
            action_id: int | None = actions.parse(action)
            if action_id is None:
                raise self.unknown_action(action)
            return action_id
        if type(action) is not int or not 0 <= action < actions.size:
            raise BadNotation(f"{self.name} has actions 0 to {actions.size - 1}, not {action!r}")
        return action

    def section_of(self, action: int | str) -> str:
        """The § of an action; of resigning for a text that names none."""
        actions = self.rules.ACTIONS
        action_id = actions.parse(action) if isinstance(action, str) else action
        return self.resigning if action_id is None else actions.family(action_id).section

    def unknown_action(self, text: str) -> BadNotation:
        """The error for a text that names no action."""
        actions, text = self.rules.ACTIONS, text[:LONGEST_QUOTE]
        near = get_close_matches(text.lower(), [actions.notation(i) for i in range(actions.size)], 3)
        hint = f"did you mean {', '.join(map(repr, near))}?" if near else f"verbs: {', '.join(a.verb for a in actions)}"
        return BadNotation(f"{text!r} names no action of {self.name}; {hint}")

    @cached_property
    def names(self) -> frozenset[str]:
        """Every name in the notation of its actions and fields."""
        kinds = [kind for family in self.rules.ACTIONS for kind in family.of]
        kinds += [kind for one in self.rules.FIELDS for kind in (one.kind, *one.of)]
        return frozenset(name for kind in kinds for name in kind.names)


def _span(numbers: range) -> str:
    return str(numbers[0]) if len(numbers) == 1 else f"{numbers[0]} to {numbers[-1]}"
