"""A view as text, and the prompt loop: a table in a terminal for people and bots.

What is printed for a seat comes from that seat's view. Where several people share the keyboard, the screen is wiped
before it passes from one to another.
"""

from __future__ import annotations

import codecs
import io
import re
import secrets
import shlex
import sys
import unicodedata
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from difflib import get_close_matches
from pathlib import Path
from threading import Timer
from typing import Any, Final

from rich.console import Console, Group, RenderableType
from rich.padding import Padding
from rich.rule import Rule
from rich.table import Table
from rich.text import Text

from ridotto import bots as players
from ridotto.bots import Bot, Budget
from ridotto.bots.opinion import choices, reasons
from ridotto.core import record
from ridotto.core.errors import BadNotation, BadSetup, IllegalAction
from ridotto.core.game import Game
from ridotto.core.match import Match
from ridotto.core.narrator import called, mark, rank, say, seated, spoken, stage_name
from ridotto.core.view import Outcome, View
from ridotto.engine.digest import digest
from ridotto.engine.fields import Seat

NEWS: Final = 10
"""Lines of the log shown beside the table; the command `log` shows all."""
PATIENCE: Final = 0.5
"""Seconds before a spinner tells that somebody is thinking."""
QUIET, BRIGHT, WRONG = "dim", "bold yellow", "bold red"

COMMANDS: Final = {
    "why ACTION": mark("why this action is not allowed now, or that it is"),
    "hint": mark("the three actions a strong player would think of first, and why"),
    "undo": mark("take your last decision back"),
    "save FILE": mark("write the match to a file"),
    "rules [§]": mark("a paragraph of the rulebook, or its contents"),
    "log": mark("everything that has happened"),
    "resign": mark("give the match up"),
    "help": mark("this list"),
    "quit": mark("leave the table"),
}
ALSO: Final = {"?": "help", "q": "quit", "exit": "quit"}
AFTERWARDS: Final = ("save", "log", "rules")
"""What can still be asked for when the match is over."""
LONGEST: Final = 30
"""Characters an action may take to type."""


def play(
    match: Match,
    seats: Sequence[str],
    *,
    bots: Mapping[Seat, Bot],
    bot_seed: int | None = None,
    names: Sequence[str] | None = None,
    path: Path | None = None,
    console: Console | None = None,
) -> int:
    """Play a match out at this terminal; the exit status. With a path, the match is saved there after every action."""
    return _Sitting(match, seats, bots, bot_seed, names, path, console or Console()).run()


def show(view: View, console: Console, *, whole: bool = False) -> None:
    """The table as a seat or a spectator sees it: the board, what happened last (or all of it), and what is wanted now."""
    _make_legible(console)
    eyes = say("spectator") if view.seat is None else view.game.role(view.seat, view.game.words_now())
    console.print(Rule(Text(f"{view.game.title} · {eyes}"), align="left", style=QUIET))
    board = Text.from_markup(view.game.drawing(view, view.game.words_now()), emoji=False)
    console.print(board, no_wrap=True, overflow="crop", highlight=False)
    console.print()
    events = view.events
    first = 0 if whole else max(0, len(events) - NEWS)
    if first:
        _print(console, say("… and before these: {count}", count=first), QUIET)
    for event in events[first:]:
        console.print(_line(event))
    if view.outcome is not None:
        console.print(_result(view, view.outcome))
    else:
        if events:
            console.print()
        _print(console, view.question, BRIGHT)


class _Left(Exception):
    """Somebody has left the table."""


class _Sitting:
    """One match being played at this terminal."""

    def __init__(
        self,
        match: Match,
        seats: Sequence[str],
        bots: Mapping[Seat, Bot],
        bot_seed: int | None,
        names: Sequence[str] | None,
        path: Path | None,
        console: Console,
    ) -> None:
        self.match = match
        self.seats = seats
        self.bots = {seat: bot.sit() for seat, bot in bots.items()}
        self.bot_seed = bot_seed
        self.names = names if names is not None else seats
        self.path = path
        self.console = console
        self.people = [seat for seat in range(match.seats) if seat not in bots]
        self.shared = len(self.people) > 1
        self.holder: Seat | None = None
        """Who has the keyboard, where it is shared."""
        self.looked = dict.fromkeys(range(match.seats), 0)
        """The ply up to which each seat has seen the log."""
        self.saved: tuple[Path, int] | None = None
        """The last file written, and the ply it goes up to."""
        self.commands: dict[str, Callable[[View, str], bool]] = {
            "why": self.why,
            "hint": self.hint,
            "undo": self.undo,
            "save": self.save,
            "rules": self.rules,
            "log": self.log,
            "resign": self.resign,
            "help": self.help,
            "quit": self.quit,
        }

    def run(self) -> int:
        """Play until the match is over or somebody leaves; the exit status."""
        _make_legible(self.console)
        with seated([self.name(seat) for seat in range(self.match.seats)]):
            return self.played()

    def played(self) -> int:
        """Play; the exit status."""
        try:
            self.keep()
            self.go_on()
            return 0
        except (_Left, EOFError) as left:
            self.leave(typed=isinstance(left, _Left))
            return 0
        except KeyboardInterrupt:
            self.leave(typed=False)
            return 130

    def go_on(self) -> None:
        """Ask whoever owes a decision, one after another."""
        if not self.people:
            show(self.match.view(), self.console)
        while waiting := self.match.to_act:
            # Of several who owe a decision at once, programs go first and the keyboard stays where it is.
            seat = min(waiting, key=lambda one: (one in self.people, one != self.holder, one))
            if seat in self.bots:
                self.let_play(seat)
            else:
                self.ask(seat)
            self.keep()
        self.close()

    # A bot's turn.

    def let_play(self, seat: Seat) -> None:
        """A bot plays from its own view. With nobody at the keyboard, what happens is told at once."""
        ply = self.match.ply
        with self.thinking(say("{who} is thinking …", who=self.called(seat))):
            action = self.bots[seat].choose(self.match.view(seat), Budget(self.seed("bot")))
        self.match.play(action, seat)
        if not self.people:
            for event in self.match.view(None, ply).events:
                self.console.print(_line(event))

    def seed(self, purpose: str) -> int:
        """A number for one decision of a bot."""
        if self.bot_seed is None:
            return secrets.randbits(62)
        return int(digest([purpose, self.bot_seed, self.match.ply])[:15], 16)

    @contextmanager
    def thinking(self, text: str) -> Iterator[None]:
        """Show a spinner if what is done takes long."""
        spinner = "line" if self.console.options.ascii_only else "dots"
        status = self.console.status(Text(text, QUIET), spinner=spinner)
        timer = Timer(PATIENCE, status.start)
        timer.daemon = True
        timer.start()
        try:
            yield
        finally:
            timer.cancel()
            timer.join()
            status.stop()

    # A person's turn.

    def ask(self, seat: Seat) -> None:
        """Show a person the table as they see it, and take their answers until one of them is a decision."""
        if self.shared and seat != self.holder:
            self.hand_over(seat)
        if self.console.is_terminal:
            self.console.clear()
        view = self.match.view(seat, self.looked[seat])
        show(view, self.console)
        actions = view.actions
        self.console.print(_choices(actions, self.console.width))
        only = len(actions) == 1
        prompt = say("Enter to do it, or help") if only else say("a number, an action, or help")
        while True:
            answer = self.read(prompt)
            if not answer and only:
                answer = "1"
            if self.answer(view, answer):
                break
        if self.match.ply > view.ply:
            self.looked[seat] = view.ply

    def answer(self, view: View, text: str) -> bool:
        """Do what was typed. True if the table changed, so that it must be looked at anew."""
        assert view.seat is not None
        word, _, rest = text.partition(" ")
        named = ALSO.get(word.lower(), word.lower())
        if named in self.commands and view.game.rules.ACTIONS.parse(text) is None:
            return self.commands[named](view, rest.strip())
        action = text if view.game.words_now().series_of(text) else self.action(view, text)
        if action is None:
            return False
        try:
            self.match.play(action, view.seat)
        except IllegalAction as error:
            if isinstance(action, str):
                self.refuse(error.refusal.message)
            else:
                self.refuse(say("not now: {why} (§{section})", why=error.refusal.message, section=error.refusal.section))
            return False
        return True

    def action(self, view: View, text: str) -> int | None:
        """The action that a number of the list or a notation names; None, and a line that says so, if none."""
        if not text:
            self.refuse(say("type a number from the list, an action such as {example}, or help", example=repr(_example(view))))
        elif len(text) > LONGEST:
            self.refuse(say("that is too long to be an action; type help for what can be typed"))
        elif text.isdecimal():
            if 1 <= int(text) <= len(view.legal):
                return view.legal[int(text) - 1]
            self.refuse(
                say("there is no number {number} in the list: it goes from 1 to {last}", number=text, last=len(view.legal))
            )
        else:
            try:
                return view.game.action(text)
            except BadNotation:
                actions = view.game.rules.ACTIONS
                known = [actions.notation(i) for i in view.legal] + [usage.split()[0] for usage in COMMANDS]
                near = get_close_matches(text.lower(), known, 1) or ["help"]
                self.refuse(say("{text} is neither an action nor a command; try {near}", text=repr(text), near=repr(near[0])))
        return None

    # The commands.

    def why(self, view: View, argument: str) -> bool:
        """Why an action is not allowed."""
        action = self.action(view, argument)
        if action is not None:
            notation = view.game.rules.ACTIONS.notation(action)
            refusal = self.match.why(action, view.seat)
            if refusal is None:
                self.tell(say("{action} is allowed now", action=notation))
            else:
                self.tell(say("{action}: {why} (§{section})", action=notation, why=refusal.message, section=refusal.section))
        return False

    def hint(self, view: View, argument: str) -> bool:
        """What the search bot thinks, from this seat's view alone."""
        with self.thinking(say("looking ahead …")):
            opinion = players.find("search").opinion(view, Budget(self.seed("hint")))
        if opinion is None:
            return False
        for place, one in enumerate(choices(view, opinion, 3), 1):
            line = Text(f"{place}. {one.label} ", BRIGHT if place == 1 else "")
            line.append(f"({one.notation}) ", QUIET)
            line.append(one.told)
            self.console.print(Padding(line, (0, 0, 0, 2)))
        for sentence in reasons(view, opinion, self.called):
            self.console.print(Padding(Text(sentence, QUIET), (0, 0, 0, 2)))
        return False

    def undo(self, view: View, argument: str) -> bool:
        """Take this person's last decision back: at once if nobody learned anything, else if the others here agree."""
        assert view.seat is not None
        try:
            asked = self.match.takeback(view.seat)
        except BadSetup as error:
            self.refuse(str(error))
            return False
        if asked.at_once:
            self.match.take_back(asked)
            return True
        agreed = True
        for other in self.people:
            if other != view.seat and agreed:
                # The others must not see this seat's view when they come to answer.
                self.wipe()
                self.tell(say("This was learned since: {what}.", what=self.match.takeback(view.seat, other).because))
                agreed = self.confirm(
                    say(
                        "{who} asks to take a decision back. Does {other} agree?",
                        who=self.called(view.seat),
                        other=self.called(other),
                    )
                )
        if self.shared:
            self.holder = None
        if agreed:
            anew = False
            if asked.anew is not None:
                if not self.shared:
                    self.tell(say("This was learned since: {what}.", what=asked.because))
                anew = self.confirm(say("Shall the secrets that were told be dealt or chosen anew?"))
            self.match.take_back(asked, anew=anew)
        return True

    def save(self, view: View, argument: str) -> bool:
        """Write the match to a file of the person's choice."""
        if not argument:
            self.refuse(say("save where? type save and the name of a file"))
            return False
        try:
            path = Path(argument).expanduser()
            taken = path.exists() and not path.is_dir() and path != self.path
        except (OSError, RuntimeError) as error:
            self.refuse(say("cannot save in {file}: {why}", file=argument, why=error))
            return False
        if taken and not self.confirm(say("{file} exists. Overwrite it?", file=path)):
            return False
        if self.write(path):
            self.tell(say("saved in {file}", file=path))
        return False

    def rules(self, view: View, argument: str) -> bool:
        """A paragraph of the rulebook."""
        section = argument.lstrip("§# ").rstrip(".")
        try:
            text = _paragraphs(view.game, section)
        except OSError as error:
            self.refuse(say("cannot read the rulebook: {why}", why=error.strerror or error))
            return False
        if text is None:
            self.refuse(say("the rulebook has no §{section}; type rules for its contents", section=section))
        elif section:
            from rich.markdown import Markdown

            self.console.print(Markdown(text))
        else:
            self.console.print(Text(text))
        return False

    def log(self, view: View, argument: str) -> bool:
        """Everything this seat has seen."""
        for event in self.match.view(view.seat).events:
            self.console.print(_line(event))
        return False

    def resign(self, view: View, argument: str) -> bool:
        """Give up, after one more question."""
        assert view.seat is not None
        if not self.confirm(say("Give the match up?")):
            return False
        self.match.resign(view.seat)
        return True

    def help(self, view: View, argument: str) -> bool:
        """The commands."""
        table = Table.grid(padding=(0, 2))
        table.add_row(Text(f"1 … {len(view.legal)}", "bold"), say("do what has this number in the list"))
        table.add_row(Text(_example(view), "bold"), say("do this: every action can be typed"))
        commands = {usage: say(meaning) for usage, meaning in COMMANDS.items()}
        for usage, meaning in {**view.game.words_now().usage(), **commands}.items():
            table.add_row(Text(usage, "bold"), meaning)
        self.console.print(Padding(table, (0, 0, 0, 2)))
        return False

    def quit(self, view: View, argument: str) -> bool:
        """Leave the table."""
        raise _Left

    # The end.

    def close(self) -> None:
        """The last look at the table, when everything is known; a last chance to save it."""
        seat = None if self.shared or not self.people else self.people[0]
        if self.console.is_terminal and self.people:
            self.wipe() if self.shared else self.console.clear()
        show(self.match.view(seat, self.looked[seat] if seat is not None else 0), self.console)
        if self.people and self.path is None:
            self.tell(say("type save FILE to keep this match; anything else leaves"))
            view = self.match.view(seat)
            while (typed := self.read(say("save FILE, log, rules [§]"))).split(" ")[0] in AFTERWARDS:
                word, _, rest = typed.partition(" ")
                self.commands[word](view, rest)
        if self.saved is not None:
            self.tell(say("to look at it again: {command}", command=f"ridotto replay {shlex.quote(str(self.saved[0]))}"))

    def leave(self, typed: bool) -> None:
        """Say goodbye, and how to come back."""
        if not typed:
            self.console.print()
        over = not self.match.to_act
        if self.shared and not over:
            self.wipe()
        self.keep()
        if self.saved is None or self.saved[1] < self.match.ply:
            if not over:
                self.tell(say("you have left the table; this match was not saved"))
            return
        file = shlex.quote(str(self.saved[0]))
        if over:
            self.tell(say("to look at it again: {command}", command=f"ridotto replay {file}"))
        else:
            command = f"ridotto play {self.match.game.name} --seats {','.join(self.seats)} --record {file}"
            self.tell(say("you have left the table; to go on: {command}", command=command))

    # What the others stand on.

    def name(self, seat: Seat) -> str:
        """A person's or a bot's name; "" where a person has none."""
        if seat in self.bots:
            return stage_name(seat)
        return "" if self.names[seat] == "you" else self.names[seat]

    def called(self, seat: Seat) -> str:
        """A person's name, or a bot's with what it is; where a person has none, what the seat is called."""
        name = self.match.role(seat)
        return f"{name} ({rank(self.names[seat])})" if seat in self.bots else name

    def hand_over(self, seat: Seat) -> None:
        """Wipe the screen and wait until the next person has the keyboard."""
        self.holder = None
        self.wipe()
        self.tell(say("Pass the keyboard. Next to play: {who}", who=self.called(seat)))
        if ALSO.get(answer := self.read(say("press Enter when only you can see the screen")), answer) == "quit":
            raise _Left
        self.holder = seat

    def wipe(self) -> None:
        """Clear the screen and what can be scrolled back to."""
        if self.console.is_terminal:
            self.console.clear()
            self.console.file.write("\x1b[3J")

    def read(self, prompt: str) -> str:
        """A line from the keyboard."""
        self.console.print(Text(f"{prompt} > ", QUIET), end="", soft_wrap=True)
        typed = " ".join(input().split())
        if not sys.stdin.isatty():
            self.console.print(Text(typed), soft_wrap=True)
        return typed

    def confirm(self, question: str) -> bool:
        """A question to be answered with yes or no."""
        yes, no = {"y", "yes", say("y"), say("yes")}, {"n", "no", say("n"), say("no")}
        while (answer := self.read(f"{question} {say('(y/n)')}").lower()) not in yes | no:
            self.refuse(say("please answer {yes} or {no}", yes=say("y"), no=say("n")))
        return answer in yes

    def keep(self) -> None:
        """Save the match where it is kept, if it is kept."""
        if self.path is not None and self.saved != (self.path, self.match.ply):
            self.write(self.path)

    def write(self, path: Path) -> bool:
        """Write a record; whether that worked."""
        try:
            if path.is_dir():
                raise IsADirectoryError(say("it is a folder"))
            record.save(self.match, path, self.names)
        except (OSError, ValueError) as error:
            self.refuse(say("cannot save in {file}: {why}", file=path, why=getattr(error, "strerror", None) or error))
            return False
        self.saved = path, self.match.ply
        return True

    def tell(self, text: str) -> None:
        _print(self.console, text, BRIGHT)

    def refuse(self, text: str) -> None:
        _print(self.console, text, WRONG)


# Pieces of text.


def _print(console: Console, text: str, style: str) -> None:
    console.print(Text(text, style), highlight=False)


def _introduced(view: View, seat: Seat) -> str:
    """Somebody by name, with what the seat is called; by that alone where there is no name."""
    name, role = called(seat, ""), view.game.role(seat, view.game.words_now())
    if not name:
        return role
    return f"{name.removesuffix(' ()')} ({role})" if view.game.roles or name.endswith(" ()") else name


def _line(event: Mapping[str, Any]) -> Text:
    """A line of the log."""
    line = Text("  " + event["text"])
    if event["section"]:
        line.append(f" §{event['section']}", QUIET)
    return line


def _example(view: View) -> str:
    return str(view.game.rules.ACTIONS.notation(view.legal[0]))


def _choices(actions: Sequence[Mapping[str, Any]], width: int) -> RenderableType:
    """The legal actions with their numbers, in as many columns as fit."""
    size = [max(len(action[key]) for action in actions) for key in ("label", "notation", "section")]
    wide = sum(size) + 9
    columns = max(1, min((width + 1) // wide, -(-len(actions) // 4)))
    rows = -(-len(actions) // columns)
    table = Table.grid(padding=(0, 1))
    for _ in range(columns):
        table.add_column(justify="right", style=BRIGHT, no_wrap=True)
        table.add_column()
        table.add_column(style=QUIET, no_wrap=True)
        table.add_column(style=QUIET, no_wrap=True)
    for row in range(rows):
        cells: list[Text] = []
        for number in range(row, len(actions), rows):
            action = actions[number]
            cells += [Text(str(number + 1)), Text(action["label"]), Text(action["notation"]), Text(f"§{action['section']}  ")]
        table.add_row(*cells)
    return table


def _result(view: View, outcome: Outcome) -> RenderableType:
    """Who won, why, and every part of the score."""
    rules = view.game.rules
    winners = [_introduced(view, seat) for seat in outcome.winners]
    title = say("Won by: {who}.", who=", ".join(winners)) if winners else say("Nobody wins.")
    if view.seat is not None and winners:
        title += " " + (say("You have won.") if view.seat in outcome.winners else say("You have lost."))
    told = [event["text"] for event in view.events if event["section"] == outcome.section]
    meanings = [view.game.words_now().say(line.meaning) for line in rules.ENDINGS if line.name == outcome.ending]
    table = Table.grid(padding=(0, 2))
    table.add_column()
    others = view.game.words_now().rivals(view.row)
    heads = [*(_introduced(view, seat) for seat in range(view.seats)), *(one.name for one in others)]
    table.add_row("", *(Text(head, "bold") for head in heads))
    for part in rules.PARTS:
        if part.seats not in (0, view.seats):
            continue
        values = [str(parts[part.name]) for parts in outcome.parts]
        values += [str(one.parts.get(part.name, "")) for one in others]
        table.add_row(Text(view.game.words_now().say(part.meaning)).append(f" §{part.section}", QUIET), *values)
    table.add_row(
        Text(say("score"), "bold"), *(Text(str(score), "bold") for score in [*outcome.scores, *(one.score for one in others)])
    )
    ending = Text((told or meanings or [""])[-1]).append(f" §{outcome.section}", QUIET)
    return Group("", Text(title, BRIGHT), ending, "", table, "")


# The rulebook.

HEADING: Final = re.compile(r"^(#{2,3}) §([0-9.]+) (.+)$")


def _paragraphs(game: Game, section: str) -> str | None:
    """A § of the rulebook with those below it, None if there is none; without a §, the headings."""
    lines = game.rulebook(spoken()).read_text("utf-8").split("\n")
    found: list[str] = []
    inside = False
    for line in lines:
        heading = HEADING.match(line)
        if heading:
            number = heading[2]
            inside = number == section or number.startswith(f"{section}.")
            if not section:
                found.append(f"{'  ' * (len(heading[1]) - 1)}§{number} {heading[3]}")
        if inside and section:
            found.append(line)
    return "\n".join(found) if found else None


# Terminals that cannot show everything.

PLAIN: Final = dict(zip("§✓▸→♪●○░╳…–—·‹›’«»×★♀♂⚥♥−≥■▣◂⌂", '#v>>*@o:X.---<>\'""x*FMU~->##<^', strict=True))
"""What stands for our signs where they cannot be shown."""


def _plainer(error: UnicodeError) -> tuple[str, int]:
    """Write what an encoding lacks in simpler characters, one for one, so that drawings keep their shape."""
    assert isinstance(error, UnicodeEncodeError)
    return "".join(map(_plain, error.object[error.start : error.end])), error.end


def _plain(char: str) -> str:
    if char in PLAIN:
        return PLAIN[char]
    name = set(unicodedata.name(char, "").split())
    if "BOX" in name:
        if "HORIZONTAL" in name and not name & {"VERTICAL", "UP", "DOWN"}:
            return "=" if "DOUBLE" in name else "-"
        return "+" if name & {"HORIZONTAL", "LEFT", "RIGHT"} else "|"
    simple = unicodedata.normalize("NFKD", char).encode("ascii", "ignore").decode()
    return simple[:1] or "?"


codecs.register_error("ridotto.plain", _plainer)


def _make_legible(console: Console) -> None:
    """Let a terminal whose encoding lacks some of our signs show simpler ones, and type what it likes."""
    if isinstance(sys.stdin, io.TextIOWrapper) and sys.stdin.errors == "strict":
        sys.stdin.reconfigure(errors="replace")
    if isinstance(console.file, io.TextIOWrapper) and console.file.errors != "ridotto.plain":
        console.file.reconfigure(errors="ridotto.plain")
