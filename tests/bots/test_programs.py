"""Outside programs: what they are told, what they may answer, and what becomes of those that do not behave."""

from __future__ import annotations

import gc
import json
import re
import resource
import shlex
import signal
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from ridotto.arena.ledger import Result
from ridotto.arena.schedule import Faults, Pairing, TournamentSettings
from ridotto.arena.tournament import DealTask, Stopped, play_match
from ridotto.bots import Budget, programs, workers
from ridotto.bots.programs import LONGEST, Fault, NoProgram, Process, Program, split_names
from ridotto.core.match import Match
from ridotto.games import GAMES
from ridotto.present import views
from ridotto.present.ui import ui

DOCS = Path(__file__).parents[2] / "docs"
EXAMPLES = {"python": f"cmd:{shlex.quote(sys.executable)} docs/bots/first.py", "perl": "cmd:perl docs/bots/last.pl"}

ANSWERS = """
import json, os, signal, subprocess, sys, time
READY = {"ok": True}
def say(value):
    print(json.dumps(value), flush=True)
def legal(told):
    return told["view"]["actions"][0]["notation"]
def turns():
    for line in sys.stdin:
        told = json.loads(line)
        if told["do"] == "hello":
            say(READY)
        else:
            yield told
"""
"""What the programs of these tests begin with."""

FAULTY = {
    "never ready": ("while True: time.sleep(1)", "late"),
    "never answers": ("for told in turns(): pass", "late"),
    "never reads": ("say({'ok': True})\nwhile True: time.sleep(1)", "late"),
    "dies at once": ("sys.exit(3)", "died"),
    "dies when asked": ("for told in turns():\n    print('so long', file=sys.stderr)\n    sys.exit(3)", "died"),
    "closes its output": ("for told in turns():\n    os.close(1)\n    time.sleep(1000)", "died"),
    "endless line": ("for told in turns():\n    while True: sys.stdout.write('x' * 1000000)", "late"),
    "endless lines": ("for told in turns():\n    while True: print('x' * 1000)", "bad_json"),
    "nonsense": ("for told in turns(): print('pick meg', flush=True)", "bad_json"),
    "no object": ("for told in turns(): say(['pick meg'])", "bad_request"),
    "wrong key": ("for told in turns(): say({'acton': 'pick meg'})", "bad_request"),
    "key too many": ("for told in turns(): say({'action': 1, 'why': 'because'})", "bad_request"),
    "no action": ("for told in turns(): say({'action': True})", "bad_request"),
    "no such action": ("for told in turns(): say({'action': 'pick mozart'})", "bad_notation"),
    "no such number": ("for told in turns(): say({'action': 9999})", "bad_notation"),
    "illegal": ("for told in turns(): say({'action': 'lock 0-1'})", "illegal_action"),
    "not ready": ("say({'ok': False})\nsay({'ok': 1})\nfor line in sys.stdin: pass", "bad_request"),
    "clings to life": (
        "signal.signal(signal.SIGTERM, signal.SIG_IGN)\nsubprocess.Popen(['sleep', '1000'])\nfor told in turns(): pass\n"
        "while True: time.sleep(1)",
        "late",
    ),
}
"""What a program can do wrong, and what that is called."""


@pytest.fixture
def write(tmp_path: Path) -> Callable[[str], str]:
    """Write a program of the given body, and name it as a bot."""

    def written(body: str) -> str:
        path = tmp_path / f"bot{len(list(tmp_path.iterdir()))}.py"
        path.write_text(ANSWERS + body, "utf-8")
        return f"cmd:{shlex.quote(sys.executable)} -E -S {shlex.quote(str(path))}"

    return written


@pytest.fixture
def hurried(monkeypatch: pytest.MonkeyPatch) -> None:
    """Programs get little time to leave."""
    monkeypatch.setattr(programs, "LEAVE_SECONDS", 0.1)


def living(word: str) -> list[str]:
    """The processes with a word in their command line, those apart that are only waiting to be buried."""
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            command = (folder / "cmdline").read_bytes().replace(b"\0", b" ").decode("utf-8", "replace")
            state = (folder / "stat").read_text("utf-8").rpartition(")")[2].split()[0]
        except OSError:
            continue
        if word in command and state != "Z":
            found.append(command)
    return found


def group_of(process: Process) -> list[int]:
    """The living processes of a program's group."""
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            state, _, group = (folder / "stat").read_text("utf-8").rpartition(")")[2].split()[:3]
        except OSError:
            continue
        if int(group) == process.id and state != "Z":
            found.append(int(folder.name))
    return found


def left_of(process: Process) -> list[int]:
    """What is left of it when those that were killed had time to go: a program's own children are not ours to wait for."""
    until = time.monotonic() + 20
    while (found := group_of(process)) and time.monotonic() < until:
        time.sleep(0.01)
    return found


def view(seed: int = 1) -> Any:
    return Match(GAMES["fantome"], seed=seed).view(0)


# What there is.


def test_names_are_parted_by_commas_outside_quotes() -> None:
    """A comma inside quotes belongs to a command; an empty name stays one."""
    assert ["greedy", "cmd:a 'b,c' d", 'cmd:"x,y"', "random"] == split_names("greedy, cmd:a 'b,c' d,cmd:\"x,y\",random")
    assert ["greedy", "", "random", ""] == split_names("greedy,,random,")
    assert [""] == split_names("")


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("cmd:", "the command of 'cmd:' is empty"),
        ("cmd:   ", "is empty; a program is named as in 'cmd:python mybot.py'"),
        ("cmd:no-such-program-here --fast", "there is no program 'no-such-program-here'"),
        ("cmd:python 'mybot.py", 'cannot read the command of "cmd:python \'mybot.py": no closing quotation'),
    ],
)
def test_a_command_that_names_no_program_is_refused(name: str, message: str) -> None:
    """Before anything is started."""
    with pytest.raises(NoProgram, match=re.escape(message)):
        Program(name)


def test_no_shell_reads_the_command(write: Callable[[str], str], tmp_path: Path) -> None:
    """What a shell would do with a word is not done: the program gets it as it stands."""
    name = write(f"open({str(tmp_path / 'heard')!r}, 'w').write(repr(sys.argv[1:]))\nfor told in turns(): pass")
    program = Program(name + " $HOME ; 'touch me' *")
    program.allow(0.2, None)
    with pytest.raises(Fault):
        program.choose(view(), Budget())
    assert "['$HOME', ';', 'touch me', '*']" == (tmp_path / "heard").read_text("utf-8")


# What a program is told.


@pytest.fixture
def heard(write: Callable[[str], str], tmp_path: Path) -> tuple[list[dict[str, Any]], Match]:
    """Everything that a program at the inspector's seat is told in a match, and the match."""
    log = tmp_path / "log"
    body = f"""
        log = open({str(log)!r}, "w", buffering=1)
        for line in sys.stdin:
            log.write(line)
            told = json.loads(line)
            if told["do"] == "hello":
                say({{"ok": True, "name": "listener"}})
            if told["do"] == "choose":
                say({{"action": told["view"]["actions"][-1]["id"]}})
        log.write('{{"do":"end"}}')
        """
    program = Program(write(re.sub(r"(?m)^ {8}", "", body)))
    program.allow(30, 600)
    match = Match(GAMES["fantome"], seed=5, options={"handicap": -2})
    while match.to_act:
        seat = match.to_act[0]
        if seat == 0:
            action = program.choose(match.view(0), Budget(seed=match.ply))
            assert match.legal()[-1] == match.rules.ACTIONS.notation(action)
            match.play(action)
        else:
            match.play(match.legal()[0])
    program.end_match(match.view(0))
    return [json.loads(line) for line in log.read_text("utf-8").splitlines()], match


def test_a_program_is_told_a_whole_match(heard: tuple[list[dict[str, Any]], Match]) -> None:
    """Hello with the setting, a question for each decision, the result; then its input ends and it leaves by itself."""
    (hello, *asked, result, end), match = heard
    assert ["hello", "result", "end"] == [hello["do"], result["do"], end["do"]]
    assert {"choose"} == {told["do"] for told in asked}
    assert ("ridotto bot", 1, "fantome", 2, 0, {"handicap": -2}, 30, 600) == tuple(
        hello[key] for key in ("format", "version", "game", "seats", "seat", "options", "seconds", "match_seconds")
    )
    left = [told["match_seconds"] for told in asked]
    assert left == sorted(left, reverse=True) and left[0] == 600 and left[-1] < 600
    assert all(told["seconds"] == 30 for told in asked)
    assert [told["seed"] for told in asked] == [told["view"]["ply"] for told in asked]
    assert match.outcome is not None
    assert match.outcome.json() == result["view"]["outcome"]


def test_a_program_knows_what_its_seat_may_know(heard: tuple[list[dict[str, Any]], Match]) -> None:
    """The phantom's identity stays hidden from the inspector until the end, and every event is told once."""
    (_, *asked, result, _), match = heard
    assert {"?"} == {told["view"]["position"]["identity"] for told in asked}
    assert match.position()["identity"] == result["view"]["position"]["identity"]
    assert views.events(match.view(0), ui(match.game).english) == [
        event for told in [*asked, result] for event in told["view"]["events"]
    ]
    for told in asked:
        assert views.as_json(match.after(told["view"]["ply"]).view(0), ui(match.after(told["view"]["ply"]).game).english) | {
            "events": []
        } == told["view"] | {"events": []}


# What it may answer.


def test_an_error_is_told_once_and_can_be_mended(write: Callable[[str], str], tmp_path: Path) -> None:
    """After a bad answer the program is told what is wrong, and the next answer counts; so at every move."""
    log = tmp_path / "log"
    body = f"""
        log = open({str(log)!r}, "w", buffering=1)
        for told in turns():
            if told["do"] == "choose":
                kept = legal(told)
                say({{"action": "pick mozart"}})
            else:
                log.write(json.dumps(told) + "\\n")
                say({{"action": kept}})
        """
    program = Program(write(re.sub(r"(?m)^ {8}", "", body)))
    for seed in (1, 2):
        shown = view(seed)
        assert shown.legal[0] == program.choose(shown, Budget())
    program.close()
    errors = [json.loads(line) for line in log.read_text("utf-8").splitlines()]
    assert [("error", "bad_notation")] * 2 == [(told["do"], told["error"]["code"]) for told in errors]
    assert "'pick mozart' names no action of fantome" in errors[0]["error"]["message"]
    assert 0 < errors[0]["seconds"] <= programs.MOVE_SECONDS


def test_an_illegal_action_is_refused_with_its_section(write: Callable[[str], str]) -> None:
    """The second one is the last: the message says why, with the §, and what would be legal."""
    program = Program(write("for told in turns(): say({'action': 'pick raoul'})"))
    shown = view(7)
    assert "pick raoul" not in [action["notation"] for action in views.actions(shown, ui(shown.game).english)]
    with pytest.raises(Fault, match=r"illegal action 'pick raoul' by seat 0 at ply 1: .*Raoul.* \(§3\.1\); legal: 'pick meg'"):
        program.choose(shown, Budget())


def test_what_is_said_unasked_is_thrown_away(write: Callable[[str], str]) -> None:
    """Answers do not wait in a queue: each question is answered after it was put."""
    body = "for told in turns():\n    say({'action': legal(told)})\n    say({'action': 'pick mozart'})\n    time.sleep(0.05)"
    program = Program(write(body))
    shown = view(3)
    process = None
    for _ in range(3):
        assert shown.legal[0] == program.choose(shown, Budget())
        process = process or program._process
        assert process is not None
        # Wait for the second line, so that it is certainly there before the next question.
        line = process.read_line(time.monotonic() + 20)
        process._received = line + b"\n"
    program.close()


@pytest.mark.parametrize("example", EXAMPLES)
@pytest.mark.parametrize("name", GAMES)
def test_the_examples_play_whole_matches(name: str, example: str) -> None:
    """The bots in docs/bots play every game to its end without a fault, from every seat."""
    game = GAMES[name]
    for at in range(2):
        settings = TournamentSettings(name, game.seats[0], game.settle())
        result = play_match(settings, Pairing(EXAMPLES[example], "random", (0, 1)), 3, at)
        assert [] == result.faults
        assert result.ending in {line.name for line in game.rules.ENDINGS}
        assert len(result.micros[at]) > 2
        assert {EXAMPLES[example]: {"python": "first", "perl": "last"}[example]} == result.announced


def test_the_python_example_is_short() -> None:
    """A complete bot in thirty lines."""
    assert len((DOCS / "bots" / "first.py").read_text("utf-8").splitlines()) <= 30


# What may go wrong.


@pytest.mark.usefixtures("hurried")
@pytest.mark.parametrize("fault", FAULTY)
def test_every_fault_has_its_name(fault: str, write: Callable[[str], str], monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever a program does, it is told so by a code, within its time, and nothing is left of it."""
    body, code = FAULTY[fault]
    program = Program(write(body))
    program.allow(0.5 if code == "late" else 30, None)
    if fault == "never ready":
        monkeypatch.setattr(programs, "START_SECONDS", 0.5)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    started: list[Process] = []
    begin = Process.__init__

    def begun(self: Process, words: list[str]) -> None:
        begin(self, words)
        started.append(self)

    monkeypatch.setattr(Process, "__init__", begun)
    with pytest.raises(Fault) as caught:
        program.choose(view(), Budget())
    assert code == caught.value.code
    assert [] == left_of(started[0])
    assert len(started[0]._received) <= 2 * LONGEST
    grown = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
    assert grown < 64 * 1024, f"{grown} KiB more than before"


def test_last_words_are_shown(write: Callable[[str], str]) -> None:
    """What a program wrote to its standard error says why it died."""
    program = Program(write(FAULTY["dies when asked"][0]))
    with pytest.raises(Fault, match="the program ended with status 3 before it answered; its last words: 'so long'"):
        program.choose(view(), Budget())


def test_a_flood_of_complaints_is_no_fault(write: Callable[[str], str]) -> None:
    """A program may write as much as it likes to its standard error; little of it is kept."""
    body = "for told in turns():\n    sys.stderr.write('y' * 3000000)\n    sys.stderr.flush()\n    say({'action': legal(told)})"
    program = Program(write(body))
    shown = view()
    for _ in range(2):
        assert shown.legal[0] == program.choose(shown, Budget())
    assert program._process is not None
    assert len(program._process._stderr_tail) <= programs.TAIL
    program.close()


def test_the_time_of_a_match_runs_out(write: Callable[[str], str]) -> None:
    """Each move may take long, but all of them together may not; a new match begins with all its time."""
    program = Program(write("for told in turns():\n    time.sleep(0.2)\n    say({'action': legal(told)})"))
    program.allow(60, 0.5)
    with pytest.raises(Fault) as caught:
        for _ in range(4):
            program.choose(view(), Budget())
    assert "late" == caught.value.code
    assert 0.5 == program._left


def test_a_forgotten_program_is_ended(write: Callable[[str], str]) -> None:
    """Nobody has to remember to close it."""
    program = Program(write("for told in turns(): say({'action': legal(told)})"))
    program.choose(view(), Budget())
    process = program._process
    assert process is not None and group_of(process)
    ended = process._terminate
    del process, program
    gc.collect()
    assert not ended.alive


@pytest.mark.parametrize(
    ("answer", "name"),
    [
        ("{'ok': True}", ""),
        ("{'ok': True, 'name': 'Deep\\n\\x1b[31m Red'}", "Deep [31m Red"),
        ("{'ok': True, 'name': 5}", None),
    ],
)
def test_a_program_is_called_what_it_calls_itself(answer: str, name: str | None, write: Callable[[str], str]) -> None:
    """The name in the answer to `hello`, on one line and without anything invisible; no name is none, a number is a fault."""
    again = "READY if told['do'] == 'error' else {'action': legal(told)}"
    program = Program(write(f"READY.update({answer})\nfor told in turns(): say({again})"))
    assert "" == program.announced
    if name is None:
        with pytest.raises(Fault, match="'name' must be a text, not 5"):
            program.choose(view(), Budget())
    else:
        program.choose(view(), Budget())
        assert name == program.announced
    program.close()


# Faults in the arena.


def faulty_match(name: str, faults: Faults, at: int = 0) -> Result:
    settings = TournamentSettings("fantome", 2, {"handicap": 0}, move_seconds=30, faults=faults)
    return play_match(settings, Pairing(name, "random", (0, 1)), 0, at)


@pytest.mark.usefixtures("hurried")
def test_a_fault_costs_the_match_and_nothing_else(write: Callable[[str], str]) -> None:
    """With `resign` the other has won, and the result says what happened."""
    result = faulty_match(write(FAULTY["nonsense"][0]), "resign", at=1)
    assert ("resigned", [0]) == (result.ending, result.winners)
    assert [(1, "bad_json")] == [(fault["seat"], fault["code"]) for fault in result.faults]


@pytest.mark.usefixtures("hurried")
def test_a_fault_may_be_played_on(write: Callable[[str], str]) -> None:
    """With `random` the match goes on to its end by the rules, with one fault."""
    result = faulty_match(write(FAULTY["dies when asked"][0]), "random")
    assert result.ending in {line.name for line in GAMES["fantome"].rules.ENDINGS}
    assert 1 == len(result.faults)
    assert len(result.micros[0]) > 3


@pytest.mark.usefixtures("hurried")
def test_a_fault_may_stop_everything(write: Callable[[str], str]) -> None:
    """With `stop` the arena says who, where and why."""
    name = write(FAULTY["illegal"][0])
    with pytest.raises(Stopped, match=r"at seat 0, deal 0, ply 1: illegal action 'lock 0-1'"):
        faulty_match(name, "stop")
    assert [] == living(name.split()[-1])


def strays(matches: int, write: Callable[[str], str]) -> Iterator[str]:
    """Play matches with one faulty seat, fault after fault; every process that is left."""
    names = [write(body) for fault, (body, _) in FAULTY.items() if fault not in ("never ready", "clings to life")]
    for number in range(matches):
        name = names[number % len(names)]
        faults: Faults = "random" if number % 2 else "resign"
        settings = TournamentSettings("fantome", 2, {"handicap": 0}, move_seconds=0.05, faults=faults)
        result = play_match(settings, Pairing(name, "random", (0, 1)), number, number % 2)
        assert 1 == len(result.faults)
        yield from living(name.split()[-1])


@pytest.mark.usefixtures("hurried")
def test_faulty_matches_leave_no_process(write: Callable[[str], str]) -> None:
    """One match for every fault: nothing is left."""
    assert [] == list(strays(len(FAULTY), write))


@pytest.mark.soak
@pytest.mark.usefixtures("hurried")
def test_a_thousand_faulty_matches_leave_no_process(write: Callable[[str], str]) -> None:
    """A thousand matches with one faulty seat: nothing is left."""
    assert [] == list(strays(1000, write))


def test_an_ended_worker_takes_its_program_along(write: Callable[[str], str], tmp_path: Path) -> None:
    """A program that clings to life goes when the process that plays with it is asked to go."""
    name = write(FAULTY["clings to life"][0])
    worker = workers._Worker()
    try:
        settings = TournamentSettings("fantome", 2, {"handicap": 0}, move_seconds=600)
        worker.pipe.send((DealTask(settings, Pairing(name, "random", (0,)), 0, (0,)), None))
        until = time.monotonic() + 300  # the first time, a game is compiled
        while not living(name.split()[-1]) and time.monotonic() < until:
            worker.process.join(0.02)
        assert living(name.split()[-1])
    finally:
        workers._stop([worker])
    assert [] == living(name.split()[-1])
    assert worker.process.exitcode == 128 + signal.SIGTERM


# The document.


def test_the_document_lists_what_there_is() -> None:
    """docs/programs.md names every code of an error, every line a program is told, and the true limits."""
    text = (DOCS / "programs.md").read_text("utf-8")
    codes = {code for _, code in FAULTY.values()} | {"too_long"}
    assert codes == set(re.findall(r"(?m)^\| `(\w+)` \|", text.partition("| `code` |")[2]))
    assert {"hello", "choose", "error", "result"} == set(re.findall(r"(?m)^\| `(\w+)` \|", text.partition("| told |")[2])) & {
        "hello",
        "choose",
        "error",
        "result",
    }
    assert f"{LONGEST:,} bytes a line" in text
    assert f"{programs.START_SECONDS:.0f} seconds at the most" in text
    for line in re.findall(r"(?m)^> (\{.*)$", text):
        assert re.match(r'\{"do":"(hello|choose|error|result)"', line)
