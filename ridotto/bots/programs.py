"""Outside programs as players: any program that reads and writes JSON lines. The protocol is in docs/programs.md.

A program plays one seat of one match in a process of its own. It receives that seat's view and nothing else. Whatever it
does (exit, hang, send nonsense, send without end) costs it its own move and harms nobody else.
"""

from __future__ import annotations

import json
import os
import re
import selectors
import shlex
import shutil
import signal
import subprocess
import time
import weakref
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from typing import Any, ClassVar, Final, TypeVar

from ridotto.bots.bot import Budget
from ridotto.core.errors import BadNotation, Refusal
from ridotto.core.game import Game
from ridotto.core.record import BadJson, parse_json
from ridotto.core.view import View
from ridotto.engine.errors import RidottoError
from ridotto.engine.fields import Seat
from ridotto.present import views
from ridotto.present.narrator import clean_name
from ridotto.present.ui import english

PREFIX: Final = "cmd:"
FORMAT: Final = "ridotto bot"
FORMAT_VERSION: Final = 1
LONGEST: Final = 1 << 16
"""The most bytes in a line from a program."""
TAIL: Final = 400
"""The number of last bytes of its standard error to keep."""
START_SECONDS: Final = 20.0
"""The time limit for starting."""
MOVE_SECONDS: Final = 10.0
"""The default time limit for a move."""
LEAVE_SECONDS: Final = 1.0
"""The time limit for exiting by itself after a result, and again after SIGTERM."""


class NoProgram(RidottoError, LookupError):
    """A command that names no program."""


class Fault(RidottoError):
    """A program's violation of the protocol: the code and the message that it receives. The match may go on without it."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code


Answer = TypeVar("Answer")


def split_names(text: str) -> list[str]:
    """The bots of a comma list; a comma inside quotes belongs to a command.

    >>> split_names("greedy,cmd:python bot.py --weights '1,2'")
    ['greedy', "cmd:python bot.py --weights '1,2'"]
    """
    parts = re.findall(r"""(?:[^,'"]|'[^']*'|"[^"]*"|['"])+|(?<=,)(?=,|$)|^(?=,|$)""", text)
    return [part.strip() for part in parts]


def command_words(name: str) -> list[str]:
    """The command of a bot named `cmd:…`, as a list of words. No shell is involved."""
    command = name.removeprefix(PREFIX)
    try:
        words = shlex.split(command)
    except ValueError as error:
        raise NoProgram(f"cannot read the command of {name!r}: {str(error).lower()}") from error
    if not words:
        raise NoProgram(f"the command of {name!r} is empty; a program is named as in 'cmd:python mybot.py'")
    if shutil.which(words[0]) is None:
        raise NoProgram(f"there is no program {words[0]!r} to run for {name!r}")
    return words


# One process, and lines to and from it.


class Process:
    """A running program: lines are sent and received with a deadline, and never more is buffered than one line may hold."""

    def __init__(self, words: list[str]) -> None:
        try:
            self._popen = subprocess.Popen(
                words,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                bufsize=0,
                start_new_session=True,  # a process group of its own: it is ended with everything it started
            )
        except OSError as error:
            raise Fault("died", f"cannot start {words[0]!r}: {error.strerror or error}") from error
        assert self._popen.stdin and self._popen.stdout and self._popen.stderr
        self._in, self._out, self._err = self._popen.stdin, self._popen.stdout, self._popen.stderr
        for stream in (self._in, self._out, self._err):
            os.set_blocking(stream.fileno(), False)
        self._to_send = b""
        self._received = b""
        self._skipping = False
        """Whether the next bytes are the rest of a line that was too long."""
        self._stderr_tail = b""
        """The last bytes of its standard error."""
        self._terminate = weakref.finalize(self, _terminate, self._popen)

    @property
    def id(self) -> int:
        """The id of the process, and of its process group."""
        return self._popen.pid

    def send(self, line: bytes) -> None:
        """Send as much of a line as is possible without waiting; the rest is sent with the next request."""
        if not self._in.closed:
            self._to_send += line
            self._flush()

    def request(self, line: bytes, until: float) -> bytes:
        """Send a line and wait for the answer; lines that were received before are discarded."""
        self._discard_received()
        self.send(line)
        return self.read_line(until)

    def read_line(self, until: float) -> bytes:
        """The next line. Raises Fault: `late`, `died` or `too_long`."""
        with selectors.DefaultSelector() as selector:
            selector.register(self._out, selectors.EVENT_READ)
            selector.register(self._err, selectors.EVENT_READ)
            if self._to_send:
                selector.register(self._in, selectors.EVENT_WRITE)
            while True:
                line, newline, rest = self._received.partition(b"\n")
                if newline and len(line) < LONGEST:
                    self._received = rest
                    return line
                if len(self._received) >= LONGEST:
                    self._received, self._skipping = rest, not newline
                    raise Fault("too_long", f"the line is longer than {LONGEST} bytes and was skipped")
                left = until - time.monotonic()
                if left <= 0:
                    raise Fault("late", f"no answer in time{self._stderr_line()}")
                for key, _ in selector.select(left):
                    if key.fileobj is self._in:
                        self._flush()
                        if not self._to_send:
                            selector.unregister(self._in)
                    elif not self._read(key.fileobj is self._out):
                        if key.fileobj is self._out:
                            raise self._died()
                        selector.unregister(self._err)

    def close(self, grace: float = 0.0) -> None:
        """End it and everything it started: close its input, wait up to `grace` seconds, then send SIGTERM, then SIGKILL."""
        self._close_input(grace)
        self._terminate()

    def _close_input(self, seconds: float) -> bool:
        """Close its input and wait for it to close its output."""
        if not self._in.closed:
            self._in.close()
        until = time.monotonic() + seconds
        with selectors.DefaultSelector() as selector:
            if self._out.closed:
                return True
            selector.register(self._out, selectors.EVENT_READ)
            while (left := until - time.monotonic()) > 0:
                for _ in selector.select(left):
                    if not self._read(True):
                        return True
                    self._received = b""
        return False

    def _discard_received(self) -> None:
        """Discard output that was not requested."""
        for _ in range(64):
            if self._received:
                self._skipping = not self._received.endswith(b"\n")
                self._received = b""
            if not _ready(self._out) or not self._read(True):
                break

    def _flush(self) -> None:
        """Send as much as is possible without waiting."""
        try:
            while self._to_send:
                sent = os.write(self._in.fileno(), self._to_send[:LONGEST])
                self._to_send = self._to_send[sent:]
        except BlockingIOError:
            pass
        except OSError:
            self._to_send = b""  # its input is closed

    def _read(self, is_output: bool) -> bool:
        """Read what is available from its output, or from its standard error; False at the end of the stream."""
        try:
            data = os.read((self._out if is_output else self._err).fileno(), LONGEST)
        except BlockingIOError:
            return True
        if not data:
            return False
        if not is_output:
            self._stderr_tail = (self._stderr_tail + data)[-TAIL:]
            return True
        if self._skipping:
            _, newline, data = data.partition(b"\n")
            self._skipping = not newline
        self._received += data
        return True

    def _died(self) -> Fault:
        self._close_input(0.0)
        until = time.monotonic() + LEAVE_SECONDS
        while time.monotonic() < until and _ready(self._err, until - time.monotonic()) and self._read(False):
            pass
        self._terminate()
        code = self._popen.returncode
        how = f"ended with status {code}" if code >= 0 else "is gone, or closed its output,"
        return Fault("died", f"the program {how} before it answered{self._stderr_line()}")

    def _stderr_line(self) -> str:
        text = self._stderr_tail.decode("utf-8", "replace").strip().splitlines()
        return f"; its last words: {text[-1][-200:]!r}" if text else ""


def _ready(stream: Any, seconds: float = 0.0) -> bool:
    with selectors.DefaultSelector() as selector:
        selector.register(stream, selectors.EVENT_READ)
        return bool(selector.select(max(seconds, 0.0)))


def _terminate(popen: subprocess.Popen[bytes]) -> None:
    """End a whole process group: SIGTERM, and after a while SIGKILL.

    The leader is not waited for before the last signal is sent: until then, no other group can get its id.
    """
    assert popen.stdin and popen.stdout and popen.stderr
    try:
        _signal(popen.pid, signal.SIGTERM)
        popen.stdin.close()
        until = time.monotonic() + LEAVE_SECONDS
        while (left := until - time.monotonic()) > 0 and _ready(popen.stdout, left):
            if not os.read(popen.stdout.fileno(), LONGEST):
                break
    finally:  # also if this process is being ended itself
        _signal(popen.pid, signal.SIGKILL)
        popen.wait()
        popen.stdout.close()
        popen.stderr.close()


def _signal(group: int, number: signal.Signals) -> None:
    with suppress(ProcessLookupError, PermissionError):  # it may have ended already
        os.killpg(group, number)


# A program at a seat.


class Program:
    """A bot that is an outside program: `cmd:python mybot.py`. Its process is started for its first move of a match."""

    is_repeatable: ClassVar[bool] = False

    def __init__(self, name: str) -> None:
        self.name = name
        self.announced = ""
        """The program's own name, once it has been started; "" if it has none."""
        self._words = command_words(name)
        self._process: Process | None = None
        self._first_new_ply = 0
        """The first ply whose events it has not been sent."""
        self.allow(MOVE_SECONDS, None)

    def allow(self, move: float, match: float | None) -> None:
        """Set its time limits in seconds: for each move, and for all its moves of a match."""
        self._move, self._match = move, match
        self._left = match

    def __repr__(self) -> str:
        return f"find({self.name!r})"

    def choose(self, view: View, budget: Budget) -> int:
        """The program's action. Raises Fault if its second answer is wrong too, or it is late."""
        if self._process is None:
            self._start(view)
        assert self._process is not None and view.seat is not None
        began = time.monotonic()
        seconds = min(limit for limit in (self._move, self._left, budget.seconds) if limit is not None)
        news = replace(view, seen=tuple(one for one in view.seen if one.ply >= self._first_new_ply))
        question = {
            "do": "choose",
            "seconds": round(max(seconds, 0.0), 3),
            "match_seconds": None if self._left is None else round(max(self._left, 0.0), 3),
            "seed": budget.seed,
            "view": views.as_json(news, english(view.game)),
        }
        self._first_new_ply = view.ply
        answer = self._request(question, began + seconds, lambda line: parse_action(view, line))
        if self._left is not None:
            self._left -= time.monotonic() - began
        return answer

    def opinion(self, view: View, budget: Budget) -> None:
        """Programs give no opinions."""

    def sit(self) -> Program:
        """The same program for one seat of one match, in a process of its own."""
        other = Program(self.name)
        other.allow(self._move, self._match)
        return other

    def end_match(self, view: View) -> None:
        """Send the result of the match, and end the program."""
        if self._process is not None:
            news = replace(view, seen=tuple(one for one in view.seen if one.ply >= self._first_new_ply))
            self._process.send(_line({"do": "result", "view": views.as_json(news, english(view.game))}))
            self.close(LEAVE_SECONDS)

    def close(self, grace: float = 0.0) -> None:
        """End the program; the next move starts it again."""
        process, self._process = self._process, None
        self._left, self._first_new_ply = self._match, 0
        if process is not None:
            process.close(grace)

    def _start(self, view: View) -> None:
        rules = view.game.rules
        place = {field.name: at for field, at in rules.FIELDS.slices()}
        self._process = Process(self._words)
        hello = {
            "do": "hello",
            "format": FORMAT,
            "version": FORMAT_VERSION,
            "game": view.game.name,
            "rules": view.row[view.game.rules.FIELDS.F.version],
            "box": view.game.build().box,
            "seats": view.seats,
            "seat": view.seat,
            "options": {o.name: view.row[place[o.name]] for o in rules.OPTIONS},
            "seconds": self._move,
            "match_seconds": self._match,
        }
        self.announced = self._request(hello, time.monotonic() + START_SECONDS, announced_name)

    def _request(self, question: dict[str, Any], until: float, read: Callable[[bytes], Answer]) -> Answer:
        """Send a request. After a wrong answer the program receives the error and may answer once more, before it is ended."""
        assert self._process is not None
        line = _line(question)
        for again in (False, True):
            try:
                return read(self._process.read_line(until) if again else self._process.request(line, until))
            except Fault as fault:
                last = again or fault.code in ("late", "died")
                seconds = 0.0 if last else round(max(until - time.monotonic(), 0.0), 3)
                error = {"code": fault.code, "message": str(fault)}
                self._process.send(_line({"do": "error", "error": error, "seconds": seconds}))
                if last:
                    self.close()
                    raise
        raise AssertionError("a second fault is the last")


def _line(value: dict[str, Any]) -> bytes:
    return json.dumps(value, separators=(",", ":")).encode("ascii") + b"\n"


# Answers of a program.


def announced_name(line: bytes) -> str:
    """The program's own name in its answer to `hello`; "" if it has none."""
    answer = _parse_object(line)
    if answer.get("ok") is not True or set(answer) - {"ok", "name"}:
        raise Fault("bad_request", f'the answer to "hello" is {{"ok":true}}, not {_short(answer)}')
    name = answer.get("name", "")
    if not isinstance(name, str):
        raise Fault("bad_request", f"'name' must be a text, not {_short(name)}")
    return clean_name(name)


def parse_action(view: View, line: bytes) -> int:
    """The legal action that an answer names."""
    answer = _parse_object(line)
    if set(answer) != {"action"}:
        raise Fault("bad_request", f'an answer is an object such as {{"action":"{_example(view)}"}}, not {_short(answer)}')
    named = answer["action"]
    if not isinstance(named, str) and type(named) is not int:
        raise Fault("bad_request", f"'action' must be notation, or the number of an action, not {_short(named)}")
    try:
        action = view.game.action(named)
    except BadNotation as error:
        raise Fault("bad_notation", str(error)) from error
    if action in view.legal:
        return action
    assert view.seat is not None
    refusal = _refusal(view.game, view.row, view.seat, action)
    why = english(view.game).refusal(refusal)
    notation = view.game.rules.ACTIONS.notation
    legal = ", ".join(repr(notation(i)) for i in view.legal)
    where = f"illegal action {notation(action)!r} by seat {view.seat} at ply {view.ply}"
    raise Fault("illegal_action", f"{where}: {why} (§{refusal.section}); legal: {legal}")


def _refusal(game: Game, masked: tuple[int, ...], seat: Seat, action: int) -> Refusal:
    rules, row = game.rules, list(masked)
    line = rules.REASONS.line(rules.refuses(row, seat, action))
    return Refusal(line.name, line.section, seat, action, masked)


def _parse_object(line: bytes) -> dict[str, Any]:
    try:
        answer = parse_json(line)
    except BadJson as error:
        raise Fault("bad_json", str(error)) from error
    if not isinstance(answer, dict):
        raise Fault("bad_request", f"an answer is an object, not {_short(answer)}")
    return answer


def _example(view: View) -> str:
    return str(view.game.rules.ACTIONS.notation(view.legal[0]))


def _short(value: Any) -> str:
    """A value as JSON, cut where it gets long."""
    text = json.dumps(value)
    return text if len(text) <= 60 else text[:60] + "…"
