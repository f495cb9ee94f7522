"""The results of a tournament, in memory and in a file."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeAlias

from ridotto.arena.schedule import FORMAT, BadTournament, Pairing, TournamentSettings
from ridotto.engine.fields import Seat

Key: TypeAlias = tuple[str, str, int, Seat]


@dataclass(frozen=True)
class Result:
    """One match: who sat where, how it ended, and how long each seat thought."""

    one: str
    rest: str
    deal: int
    at: Seat
    """The seat of `one`."""
    seed: int
    """The seed with which `Match` makes the same deal."""
    ending: str
    winners: list[Seat]
    scores: list[int]
    plies: int
    moves: str
    """A digest of all actions, which is equal for equal matches."""
    micros: list[list[int]]
    """The time of each decision of each seat, in microseconds: CPU time, but for outside programs; 0 where it had no choice."""
    faults: list[dict[str, Any]] = field(default_factory=list)
    announced: dict[str, str] = field(default_factory=dict)
    """The names that outside programs give themselves, by the names of the bots."""
    luck: list[float] | None = None
    """The luck of each seat, if it was measured."""
    choices: list[float] | None = None
    """The same of what bots drew to choose, by chances that they state."""

    @property
    def key(self) -> Key:
        """Its key in a ledger."""
        return self.one, self.rest, self.deal, self.at

    def share(self, seat: Seat) -> float:
        """A seat's share of the win; 0 for everybody if nobody wins."""
        return 1 / len(self.winners) if seat in self.winners else 0.0

    def luck_of(self, seat: Seat) -> float:
        """The luck of a seat; 0 if it was not measured."""
        return 0.0 if self.luck is None else self.luck[seat]

    def choices_of(self, seat: Seat) -> float:
        """A seat's luck in the random choices of bots; 0 if it was not measured."""
        return 0.0 if self.choices is None else self.choices[seat]

    def rest_share(self) -> float:
        """The share of the win of all other seats together."""
        return sum(self.share(seat) for seat in self.winners if seat != self.at)


class Ledger:
    """The results of a tournament. With a path they are also lines of a file, and the results in that file count already."""

    def __init__(self, settings: TournamentSettings, path: Path | None = None) -> None:
        self.settings, self.path = settings, path
        self.results: dict[Key, Result] = {}
        self._file: Any = None
        if path is not None:
            try:
                self._open(path)
            except BadTournament:
                self.close()
                raise

    def __contains__(self, key: Key) -> bool:
        return key in self.results

    def __getitem__(self, key: Key) -> Result:
        return self.results[key]

    def add(self, results: Iterable[Result]) -> None:
        """Add results, and write them to the file at once."""
        text = ""
        for result in results:
            self.results[result.key] = result
            text += json.dumps(vars(result), separators=(",", ":")) + "\n"
        if self._file is not None:
            self._file.write(text.encode())
            self._file.flush()

    def share(self, pairing: Pairing, deal: int) -> float | None:
        """The mean share of `one` over all matches of a deal; None until all of them are played."""
        keys = [(pairing.one, pairing.rest, deal, at) for at in pairing.seats]
        if not all(key in self.results for key in keys):
            return None
        return sum(self.results[key].share(key[3]) for key in keys) / len(keys)

    def complete(self, pairing: Pairing, deals: int) -> list[Result]:
        """The results of those deals of a pairing that were played from every seat."""
        whole = [deal for deal in range(deals) if self.share(pairing, deal) is not None]
        return [self.results[pairing.one, pairing.rest, deal, at] for deal in whole for at in pairing.seats]

    def close(self) -> None:
        if self._file is not None:
            self._file.close()

    def _open(self, path: Path) -> None:
        """Open the file to append to it: read its results, and cut off an unfinished last line."""
        import fcntl

        try:
            self._file = path.open("a+b")
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            raise BadTournament(f"another tournament is writing to {str(path)!r}") from error
        except OSError as error:
            raise BadTournament(f"cannot write to {str(path)!r}: {error.strerror or error}") from error
        self._file.seek(0)
        text: bytes = self._file.read()
        *lines, unfinished = text.split(b"\n")
        if lines:
            self._check(lines[0])
        elif unfinished and not (json.dumps(self.settings.header()).encode().startswith(unfinished)):
            self._check(unfinished)
        self._file.truncate(len(text) - len(unfinished))
        if not lines:
            self._file.write(json.dumps(self.settings.header()).encode() + b"\n")
            self._file.flush()
        for number, line in enumerate(lines[1:], 2):
            try:
                result = Result(**json.loads(line))
                self.results.setdefault(result.key, result)
            except (ValueError, TypeError) as error:
                raise BadTournament(f"line {number} of {str(path)!r} is no result: {error}") from error

    def _check(self, line: bytes) -> None:
        try:
            header = json.loads(line)
        except ValueError:
            header = None
        if not isinstance(header, dict) or header.get("format") != FORMAT:
            raise BadTournament(f"{str(self.path)!r} is not a file of results of a tournament: name another one")
        for key, value in self.settings.header().items():
            if header.get(key) != value:
                raise BadTournament(
                    f"{str(self.path)!r} is of a tournament with {key} {header.get(key)!r}, not {value!r}: name another file"
                )
