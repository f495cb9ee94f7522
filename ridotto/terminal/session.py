"""A match played at a terminal, by people and bots: the prompt, and what can be typed there.

What is printed for a seat comes from that seat's view. Where several people share the keyboard, the screen is wiped
before it passes from one to another.
"""

from __future__ import annotations

import secrets
import shlex
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from difflib import get_close_matches
from functools import cache
from pathlib import Path
from threading import Timer
from typing import Final

from rich.console import Console
from rich.padding import Padding
from rich.table import Table as Grid
from rich.text import Text

from ridotto import bots as bot_registry
from ridotto.bots import Bot, Budget
from ridotto.bots.opinion import by_chance, choices, reasons
from ridotto.core import drafts, record, turns
from ridotto.core.errors import CLASH, BadNotation, IllegalAction, Unavailable
from ridotto.core.match import Match
from ridotto.core.takeback import Takeback, plan_takeback, take_back
from ridotto.core.view import View
from ridotto.engine.digest import digest
from ridotto.engine.fields import Seat
from ridotto.present import takeback as takebacks
from ridotto.present import views
from ridotto.present.narrator import mark, stage_name
from ridotto.present.reasons import unavailable
from ridotto.present.ui import ui
from ridotto.present.words import Words
from ridotto.terminal import rulebook
from ridotto.terminal.encoding import make_legible
from ridotto.terminal.screen import BRIGHT, QUIET, WRONG, action_list, log_line, print_text, show

SPINNER_DELAY: Final = 0.5
"""Seconds after which a spinner shows that a bot is thinking."""

COMMANDS: Final = {
    "why ACTION": mark("why you cannot do this now, or that you can"),
    "hint": mark("the three best moves, as a strong bot sees them"),
    "undo": mark("take back your last move"),
    "save FILE": mark("save the match in a file"),
    "rules [§]": mark("a paragraph of the rulebook, or its contents"),
    "log": mark("everything that has happened"),
    "resign": mark("resign the match"),
    "help": mark("this list"),
    "quit": mark("leave the table"),
}
SHORT_FORMS: Final = {"?": "help", "q": "quit", "exit": "quit"}
AFTER_THE_END: Final = ("save", "log", "rules")
"""The commands that can be used when the match is over."""
MOST_AHEAD: Final = 12
"""The most decisions that are listed of those that may be made early."""
LONGEST_ACTION: Final = 30
"""The most characters in an action that is typed."""


def play(
    match: Match,
    seats: Sequence[str],
    *,
    bots: Mapping[Seat, Bot],
    bot_seed: int | None = None,
    names: Sequence[str] | None = None,
    path: Path | None = None,
    console: Console | None = None,
    language: str = "en",
) -> int:
    """Play a match at this terminal; returns the exit status. With a path, the match is saved there after every action."""
    return _Session(match, seats, bots, bot_seed, names, path, console or Console(), language).run()


class _Quit(Exception):
    """A player has left."""


class _Session:
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
        language: str,
    ) -> None:
        self.match = match
        self.seats = seats
        self.bots = {seat: bot.sit() for seat, bot in bots.items()}
        self.bot_seed = bot_seed
        self.names = names if names is not None else seats
        """The names in the record: a person's name or "you", and the names of bots."""
        self.path = path
        self.console = console
        self.language = language
        self.words_for: Callable[[Seat | None], Words] = cache(self.make_words)
        """The words for a seat, or for everybody at the screen (None)."""
        self.words = self.words_for(None)
        self.people = [seat for seat in range(match.seats) if seat not in bots]
        self.is_shared = len(self.people) > 1
        """Whether several people share this keyboard."""
        self.holder: Seat | None = None
        """The seat that has the keyboard, if it is shared."""
        self.seen = dict.fromkeys(range(match.seats), 0)
        """The ply from which each seat's log is shown next."""
        self.saved: tuple[Path, int] | None = None
        """The last file written, and the ply it goes up to."""
        self.noted: list[str] = []
        """Decisions of this turn that were typed before the rules ask for them."""
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
        """Play until the match is over or a player leaves; returns the exit status."""
        make_legible(self.console)
        try:
            self.autosave()
            self.play_on()
            return 0
        except (_Quit, EOFError) as left:
            self.leave(is_typed=isinstance(left, _Quit))
            return 0
        except KeyboardInterrupt:
            self.leave(is_typed=False)
            return 130

    def make_words(self, reader: Seat | None) -> Words:
        """The words for one reader, with the names of all players."""
        names = [self.display_name(seat) for seat in range(self.match.seats)]
        return ui(self.match.game).words(ui(self.match.game).narrator(self.language, names, reader))

    def say(self, message: str, **values: object) -> str:
        """A message in the language of this session."""
        return self.words.say(message, **values)

    def play_on(self) -> None:
        """Let the seats that owe a decision play, one after another, to the end of the match."""
        if not self.people:
            show(self.match.view(), self.words, self.console)
        while waiting := self.match.to_act:
            # Of several seats that owe a decision, bots go first, then the person who has the keyboard.
            seat = min(waiting, key=lambda one: (one in self.people, one != self.holder, one))
            if seat in self.bots:
                self.play_bot(seat)
            else:
                self.ask(seat)
            self.autosave()
        self.finish()

    # A bot's turn.

    def play_bot(self, seat: Seat) -> None:
        """A bot plays from its own view. With nobody at the keyboard, what happens is printed at once."""
        ply = self.match.ply
        with self.thinking(self.say("{who} is thinking …", who=self.introduce(seat))):
            action = self.bots[seat].choose(self.match.view(seat), Budget(self.seed("bot")))
        self.match.play(action, seat)
        if not self.people:
            for event in views.events(self.match.view(None, ply), self.words):
                self.console.print(log_line(event))

    def seed(self, purpose: str) -> int:
        """A seed for one decision of a bot."""
        if self.bot_seed is None:
            return secrets.randbits(62)
        return int(digest([purpose, self.bot_seed, self.match.ply])[:15], 16)

    @contextmanager
    def thinking(self, text: str) -> Iterator[None]:
        """Show a spinner if the block takes long."""
        spinner = "line" if self.console.options.ascii_only else "dots"
        status = self.console.status(Text(text, QUIET), spinner=spinner)
        timer = Timer(SPINNER_DELAY, status.start)
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
        """Show a person their view of the table, and read answers until one of them changes the match."""
        if self.is_shared and seat != self.holder:
            self.hand_over(seat)
        if self.console.is_terminal:
            self.console.clear()
        view, words = self.match.view(seat, self.seen[seat]), self.words_for(seat)
        show(view, words, self.console)
        actions, ahead = views.actions(view, words), [one.text for one in view.early]
        self.console.print(action_list(actions, self.console.width))
        self.noted = [one for one in self.noted if one in ahead]
        self.print_free_order(ahead)
        is_only = len(actions) == 1
        prompt = self.say("Enter to do it, or help") if is_only else self.say("a number, an action, or help")
        while True:
            answer = self.read(prompt)
            if not answer and is_only:
                answer = "1"
            if self.answer(view, answer):
                break
        if self.match.ply > view.ply:
            self.seen[seat] = view.ply

    def answer(self, view: View, text: str) -> bool:
        """Do what was typed; returns whether the match has changed, so that the table must be shown again."""
        assert view.seat is not None
        word, _, rest = text.partition(" ")
        command = SHORT_FORMS.get(word.lower(), word.lower())
        if command in self.commands and view.game.rules.ACTIONS.parse(text) is None:
            return self.commands[command](view, rest.strip())
        if not self.is_decision(view, text):
            action = self.action(view, text)
            if action is None:
                return False
            text = view.game.rules.ACTIONS.notation(action)
        try:
            return self.decide(view, text)
        except IllegalAction as error:
            assert error.refusal is not None
            why, section = self.words_for(view.seat).refusal(error.refusal), error.refusal.section
            if error.refusal.action == text:
                self.print_error(f"{why} (§{section})")
            else:
                self.print_error(self.say("not now: {why} (§{section})", why=why, section=section))
        except BadNotation:
            self.print_error(self.say("{text} is not a turn: type actions with commas between them", text=repr(text)))
        return False

    def is_decision(self, view: View, text: str) -> bool:
        """Whether a text is a whole turn, or a decision that is not the notation of an action."""
        assert view.seat is not None
        inputs = view.game.inputs
        if turns.SEPARATOR in text or inputs.is_series(text) or inputs.meaning(view.row, view.seat, text) is not None:
            return True
        return any(one.text == text for one in view.early)

    def decide(self, view: View, text: str) -> bool:
        """Do a typed decision, and waiting ones as soon as they are due; an early one waits."""
        seat, words = view.seat, self.words_for(view.seat)
        assert seat is not None
        try:
            draft = drafts.drafted(self.match, seat, [*self.noted, text])
        except IllegalAction as error:
            if error.refusal is None or error.refusal.reason != CLASH:
                raise
            noted = ", ".join(self.noted)
            self.print_error(self.say("that does not go with what you have noted: {noted}; undo forgets it", noted=noted))
            return False
        self.noted = list(draft.waiting)
        if not draft.done:
            early = words.early(view.row, seat, text)
            question = views.question(view, words)
            self.print_note(self.say("noted: {decision}. Still open: {question}", decision=early, question=question))
            return False
        self.match.play(f"{turns.SEPARATOR} ".join(draft.done), seat)
        return True

    def print_free_order(self, ahead: Sequence[str]) -> None:
        """Say what else can be decided first, and what is noted already."""
        if ahead:
            some = turns.SEPARATOR.join(f" {text}" for text in ahead[:MOST_AHEAD]).strip() + (
                " …" if len(ahead) > MOST_AHEAD else ""
            )
            print_text(self.console, self.say("the order is free; you may also begin with: {actions}", actions=some), QUIET)
        if self.noted:
            self.print_note(self.say("noted: {decisions}", decisions=", ".join(self.noted)))

    def action(self, view: View, text: str) -> int | None:
        """The action with a number in the list or with a notation; None after printing an error if there is none."""
        if not text:
            example = repr(_example(view))
            self.print_error(self.say("type a number from the list, an action such as {example}, or help", example=example))
        elif len(text) > LONGEST_ACTION:
            self.print_error(self.say("that is too long to be an action; type help for what can be typed"))
        elif text.isdecimal():
            if 1 <= int(text) <= len(view.legal):
                return view.legal[int(text) - 1]
            self.print_error(
                self.say("there is no number {number} in the list: it goes from 1 to {last}", number=text, last=len(view.legal))
            )
        else:
            try:
                return view.game.action(text)
            except BadNotation:
                actions = view.game.rules.ACTIONS
                known = [actions.notation(i) for i in view.legal] + [usage.split()[0] for usage in COMMANDS]
                near = repr((get_close_matches(text.lower(), known, 1) or ["help"])[0])
                self.print_error(self.say("{text} is neither an action nor a command; try {near}", text=repr(text), near=near))
        return None

    # The commands.

    def why(self, view: View, argument: str) -> bool:
        """The reason why an action is refused."""
        action = self.action(view, argument)
        if action is not None:
            notation = view.game.rules.ACTIONS.notation(action)
            refusal = self.match.why(action, view.seat)
            if refusal is None:
                self.print_note(self.say("you can do this now: {action}", action=notation))
            else:
                why = self.words_for(view.seat).refusal(refusal)
                self.print_note(self.say("{action}: {why} (§{section})", action=notation, why=why, section=refusal.section))
        return False

    def hint(self, view: View, argument: str) -> bool:
        """The search bot's opinion, from this seat's view alone."""
        with self.thinking(self.say("looking ahead …")):
            opinion = bot_registry.find("search").opinion(view, Budget(self.seed("hint")))
        if opinion is None:
            return False
        words, opinion = self.words_for(view.seat), by_chance(opinion, len(opinion.ranked))
        for place, one in enumerate(choices(view, words, opinion, 3), 1):
            line = Text(f"{place}. {one.label} ", BRIGHT if place == 1 else "")
            line.append(f"({one.notation}) ", QUIET)
            line.append(one.text)
            self.console.print(Padding(line, (0, 0, 0, 2)))
        for sentence in reasons(view, words, opinion):
            self.console.print(Padding(Text(sentence, QUIET), (0, 0, 0, 2)))
        return False

    def undo(self, view: View, argument: str) -> bool:
        """Take this person's last decision back: at once if nobody learned anything, else if the others here agree."""
        assert view.seat is not None
        if self.noted:
            self.print_note(self.say("forgotten: {decision}", decision=self.noted.pop()))
            return False
        try:
            takeback = plan_takeback(self.match, view.seat)
        except Unavailable as error:
            self.print_error(unavailable(error, self.say))
            return False
        if takeback.at_once:
            take_back(self.match, takeback)
            return True
        agreed = True
        for other in self.people:
            if other != view.seat and agreed:
                # The others must not see this seat's view when they come to answer.
                self.wipe()
                self.print_learned(takeback, other)
                agreed = self.confirm(
                    self.say(
                        "{who} would like to take back a move. {other}, do you agree?",
                        who=self.introduce(view.seat),
                        other=self.introduce(other),
                    )
                )
        if self.is_shared:
            self.holder = None
        if agreed:
            anew = False
            if takeback.anew is not None:
                if not self.is_shared:
                    self.print_learned(takeback, view.seat)
                anew = self.confirm(self.say("Redraw what was revealed?"))
            take_back(self.match, takeback, anew=anew)
        return True

    def print_learned(self, takeback: Takeback, reader: Seat) -> None:
        """Print what was learned since a decision that is to be taken back, as far as one seat may know."""
        what = takebacks.because(takeback, self.match, self.words_for(reader), reader)
        self.print_note(self.say("Since then: {what}.", what=what))

    def save(self, view: View, argument: str) -> bool:
        """Write the match to a file of the person's choice."""
        if not argument:
            self.print_error(self.say("save where? type save and the name of a file"))
            return False
        try:
            path = Path(argument).expanduser()
            taken = path.exists() and not path.is_dir() and path != self.path
        except (OSError, RuntimeError) as error:
            self.print_error(self.say("cannot save in {file}: {why}", file=argument, why=error))
            return False
        if taken and not self.confirm(self.say("{file} exists. Overwrite it?", file=path)):
            return False
        if self.write(path):
            self.print_note(self.say("saved in {file}", file=path))
        return False

    def rules(self, view: View, argument: str) -> bool:
        """A paragraph of the rulebook."""
        section = argument.lstrip("§# ").rstrip(".")
        try:
            text = rulebook.text_of(view.game, self.language)
        except OSError as error:
            self.print_error(self.say("cannot read the rulebook: {why}", why=error.strerror or error))
            return False
        if text is None:
            self.print_error(self.say("this game has no rulebook here"))
        elif not section:
            self.console.print(Text(rulebook.contents(text)))
        elif paragraph := rulebook.paragraph(text, section):
            from rich.markdown import Markdown

            self.console.print(Markdown(paragraph))
        else:
            self.print_error(self.say("the rulebook has no §{section}; type rules for its contents", section=section))
        return False

    def log(self, view: View, argument: str) -> bool:
        """Everything this seat has seen."""
        for event in views.events(self.match.view(view.seat), self.words_for(view.seat)):
            self.console.print(log_line(event))
        return False

    def resign(self, view: View, argument: str) -> bool:
        """Give up, after one more question."""
        assert view.seat is not None
        if not self.confirm(self.say("Resign this match?")):
            return False
        self.match.resign(view.seat)
        return True

    def help(self, view: View, argument: str) -> bool:
        """The commands."""
        table = Grid.grid(padding=(0, 2))
        table.add_row(Text(f"1 … {len(view.legal)}", "bold"), self.say("do what has this number in the list"))
        table.add_row(Text(_example(view), "bold"), self.say("do this: every action can be typed"))
        commands = {usage: self.say(meaning) for usage, meaning in COMMANDS.items()}
        for usage, meaning in {**self.words.usage(), **commands}.items():
            table.add_row(Text(usage, "bold"), meaning)
        self.console.print(Padding(table, (0, 0, 0, 2)))
        return False

    def quit(self, view: View, argument: str) -> bool:
        """Leave the match."""
        raise _Quit

    # The end.

    def finish(self) -> None:
        """Show the finished match, and offer to save it."""
        seat = None if self.is_shared or not self.people else self.people[0]
        if self.console.is_terminal and self.people:
            self.wipe() if self.is_shared else self.console.clear()
        show(self.match.view(seat, self.seen[seat] if seat is not None else 0), self.words_for(seat), self.console)
        if self.people and self.path is None:
            self.print_note(self.say("type save FILE to keep this match; anything else leaves"))
            view = self.match.view(seat)
            while (typed := self.read(self.say("save FILE, log, rules [§]"))).split(" ")[0] in AFTER_THE_END:
                word, _, rest = typed.partition(" ")
                self.commands[word](view, rest)
        if self.saved is not None:
            self.print_note(self.say("to replay it: {command}", command=self.command("replay", str(self.saved[0]))))

    def leave(self, is_typed: bool) -> None:
        """Save the match if it has a file, and say how to continue it."""
        if not is_typed:
            self.console.print()
        is_over = not self.match.to_act
        if self.is_shared and not is_over:
            self.wipe()
        self.autosave()
        if self.saved is None or self.saved[1] < self.match.ply:
            if not is_over:
                self.print_note(self.say("you have left the table; this match was not saved"))
            return
        file = str(self.saved[0])
        if is_over:
            self.print_note(self.say("to replay it: {command}", command=self.command("replay", file)))
        else:
            command = self.command("play", self.match.game.name, "--seats", ",".join(self.seats), "--record", file)
            self.print_note(self.say("you have left the table; to go on: {command}", command=command))

    def command(self, *words: str) -> str:
        """A command to type about this match, with its box where that is not the standard one."""
        game = self.match.game
        return shlex.join(["ridotto", *words, *(["--box", str(game.box_file)] if game.box_name else [])])

    # Names, the screen, the keyboard, the file.

    def display_name(self, seat: Seat) -> str:
        """A person's or a bot's name; "" where a person has none."""
        if seat in self.bots:
            return stage_name(seat)
        return "" if self.names[seat] == "you" else self.names[seat]

    def introduce(self, seat: Seat) -> str:
        """A person's name, or a bot's name with its rank; for a person without a name, what the game calls the seat."""
        name = self.words.player(seat)
        return f"{name} ({self.words.narrator.rank(self.names[seat])})" if seat in self.bots else name

    def hand_over(self, seat: Seat) -> None:
        """Wipe the screen and wait until the next person has the keyboard."""
        self.holder = None
        self.wipe()
        self.print_note(self.say("Pass the keyboard. Next to play: {who}", who=self.introduce(seat)))
        if SHORT_FORMS.get(answer := self.read(self.say("press Enter when only you can see the screen")), answer) == "quit":
            raise _Quit
        self.holder = seat

    def wipe(self) -> None:
        """Clear the screen and its scrollback buffer."""
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
        """Ask a question until it is answered with yes or no."""
        yes, no = {"y", "yes", self.say("y"), self.say("yes")}, {"n", "no", self.say("n"), self.say("no")}
        while (answer := self.read(f"{question} {self.say('(y/n)')}").lower()) not in yes | no:
            self.print_error(self.say("please answer {yes} or {no}", yes=self.say("y"), no=self.say("n")))
        return answer in yes

    def autosave(self) -> None:
        """Save the match in its file, if it has one."""
        if self.path is not None and self.saved != (self.path, self.match.ply):
            self.write(self.path)

    def write(self, path: Path) -> bool:
        """Write the record to a file; returns whether that worked."""
        try:
            if path.is_dir():
                raise IsADirectoryError(self.say("it is a folder"))
            record.save(self.match, path, self.names)
        except (OSError, ValueError) as error:
            self.print_error(self.say("cannot save in {file}: {why}", file=path, why=getattr(error, "strerror", None) or error))
            return False
        self.saved = path, self.match.ply
        return True

    def print_note(self, text: str) -> None:
        """Print a message that a person should notice."""
        print_text(self.console, text, BRIGHT)

    def print_error(self, text: str) -> None:
        """Print why something was not done."""
        print_text(self.console, text, WRONG)


def _example(view: View) -> str:
    """An action that could be typed now."""
    return str(view.game.rules.ACTIONS.notation(view.legal[0]))
