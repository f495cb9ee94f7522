"""A match as one JSON document: written, read back with every check, redacted for one seat.

The entries form a hash chain: each hash covers the hash before it and the digest of the entry's own content, in which a
salt of 128 bits prevents guessing what is still secret. The names of the players and of the box, the
origin of the match, and the inputs of its draws are not part of the chain.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Mapping, Sequence
from math import isfinite
from pathlib import Path
from typing import Any, Final

from ridotto.core.draws import outcome_counts
from ridotto.core.fair import BadDeal, FairDeal
from ridotto.core.game import Game
from ridotto.core.laid_out import LaidOut
from ridotto.core.match import Entry, Match
from ridotto.engine.digest import canonical, digest
from ridotto.engine.errors import RidottoError
from ridotto.engine.fields import Seat

FORMAT: Final = "ridotto record"
FORMAT_VERSION: Final = 1
KEYS: Final = ("format", "version", "game", "rules", "box", "seats", "options", "names", "entries", "result", "head")
ORIGIN: Final = "origin"
"""An additional key of a match continued from another one: that match, the ply, and the viewer."""
DEAL: Final = "deal"
"""An additional key of a verifiable deal: the inputs of its draws (see `ridotto.core.fair`)."""
BOX_NAME: Final = "box_name"
"""An additional key of a match with another box than the standard one: the name of that box."""
LONGEST_NAME: Final = 200
"""Characters of a name in a record, which may be the whole command of an outside program."""
DEEPEST: Final = 32
"""The most levels of nested values."""
TOO_DEEP: Final = f"more than {DEEPEST} values within one another"
TOO_LARGE: Final = "a number is too large"
ENTRY_KEYS: Final = frozenset({"ply", "seat", "do", "draws", "time", "salt", "hash"})
MORE_ENTRY_KEYS: Final = frozenset({"position", "joined"})
"""Keys that only some entries have."""


class BadJson(RidottoError, ValueError):
    """A text that is not JSON, or that different programs would read differently."""


class BadRecord(RidottoError, ValueError):
    """A record that was changed, was cut short, or cannot be read by this version."""


def write(match: Match, names: Sequence[str] | None = None) -> dict[str, Any]:
    """The whole record of a match, secrets and draws included."""
    header = _header(match)
    entries, head = [], _header_hash(header)
    for ply, entry in enumerate(match.entries):
        head = entry_hash(head, ply, entry)
        entries.append(entry_json(ply, entry, head))
    outcome = match.outcome
    origin = {} if match.origin is None else {ORIGIN: dict(match.origin)}
    box = {BOX_NAME: match.game.box_name} if match.game.box_name else {}
    deal = {} if match.fair is None else {DEAL: deal_json(match)}
    return {
        **header,
        **box,
        **origin,
        **deal,
        "names": list(names) if names is not None else [f"seat {seat}" for seat in range(match.seats)],
        "entries": entries,
        "result": outcome.json() if outcome else None,
        "head": head,
    }


def deal_json(match: Match) -> dict[str, Any]:
    """The public inputs of the draws of a match: with the secret when the match is over.

    Then it also has the number of outcomes of each draw, so that a program without the rules can compute them again.
    """
    assert match.fair is not None
    if match.outcome is None:
        return match.fair.with_secret(None).json()
    return {**match.fair.json(), "outcomes": [list(outcome_counts(match, ply)) for ply in range(match.ply)]}


def entry_json(ply: int, entry: Entry, hash: str) -> dict[str, Any]:
    """An entry of a record: its content and its hash."""
    return {**_content(ply, entry), "hash": hash}


def entry_hash(before: str, ply: int, entry: Entry) -> str:
    """The hash of an entry: of the hash before it and the digest of its content."""
    return link(before, digest(_content(ply, entry)))


def link(before: str, content_digest: str) -> str:
    """The hash that follows from the hash before it and the digest of an entry's content."""
    return hashlib.sha256(bytes.fromhex(before) + bytes.fromhex(content_digest)).hexdigest()


def dump(document: Mapping[str, Any]) -> str:
    """A record as text, one line for each entry."""
    lines = []
    for key, value in document.items():
        if key == "entries" and value:
            body = ",\n    ".join(json.dumps(entry, ensure_ascii=False) for entry in value)
            lines.append(f'"entries": [\n    {body}\n  ]')
        else:
            lines.append(f"{json.dumps(key)}: {json.dumps(value, ensure_ascii=False)}")
    return "{\n  " + ",\n  ".join(lines) + "\n}\n"


def save(match: Match, path: Path, names: Sequence[str] | None = None) -> None:
    """Write a record to a file; a crash leaves the old file or the new one, never half of one."""
    partial = path.with_name(path.name + ".part")
    with partial.open("w", encoding="utf-8") as file:
        file.write(dump(write(match, names)))
        file.flush()
        os.fsync(file.fileno())
    partial.replace(path)


def load(path: Path, games: Mapping[str, Game]) -> tuple[Match, list[str]]:
    """The match in a file, verified and replayed, and the names of its players."""
    return read(parse(read_text(path)), games)


def read_text(path: Path) -> str:
    """The text of a file. Raises BadRecord."""
    try:
        return path.read_text("utf-8")
    except OSError as error:
        raise BadRecord(f"cannot read {str(path)!r}: {error.strerror or error}") from error
    except UnicodeDecodeError as error:
        raise BadRecord(f"{str(path)!r} is not UTF-8 text: {error.reason} at byte {error.start}") from error


def parse(text: str) -> Any:
    """The JSON of a record."""
    try:
        return parse_json(text)
    except BadJson as error:
        raise BadRecord(f"not a record: {error}") from error


def parse_json(line: str | bytes) -> Any:
    """The value of a JSON text. Refuses texts that other programs would read differently, or not at all."""
    try:
        text = line.decode() if isinstance(line, bytes) else line
        value = json.loads(text, object_pairs_hook=_unique_keys, parse_constant=_refuse_constant)
        _check_plain(value)
    except (UnicodeDecodeError, UnicodeEncodeError) as error:
        raise BadJson(f"not Unicode text: {error.reason}") from error
    except RecursionError as error:
        raise BadJson(TOO_DEEP) from error
    except json.JSONDecodeError as error:
        raise BadJson(f"not JSON: {error}") from error
    except BadJson:
        raise
    except ValueError as error:
        raise BadJson(TOO_LARGE) from error  # Python's limit on the digits of a whole number
    return value


def _unique_keys(items: list[tuple[str, Any]]) -> dict[str, Any]:
    seen: dict[str, Any] = {}
    for key, value in items:
        if key in seen:
            raise BadJson(f"the key {key[:60]!r} is given twice in one object")
        seen[key] = value
    return seen


def _refuse_constant(name: str) -> Any:
    raise BadJson(f"{name} is not a number of JSON")


def _check_plain(value: Any) -> None:
    """Check that a value is not too deep, every text is Unicode and every number finite: level by level, without recursion."""
    level = [value]
    for _ in range(DEEPEST):
        below: list[Any] = []
        for one in level:
            if isinstance(one, dict):
                below += one
                below += one.values()
            elif isinstance(one, list):
                below += one
            elif isinstance(one, str):
                one.encode()
            elif isinstance(one, float) and not isfinite(one):
                raise BadJson(TOO_LARGE)
        if not below:
            return
        level = below
    raise BadJson(TOO_DEEP)


def read(document: Any, games: Mapping[str, Game]) -> tuple[Match, list[str]]:
    """The match of a record, replayed from its draws alone, and the names of its players.

    Raises BadRecord, with the ply, where anything was changed or is missing.
    """
    game = _check_header(document, games)
    entries = document["entries"]
    if not isinstance(entries, list) or not entries:
        raise BadRecord("the record has no entries: even an empty match has its deal at ply 0")
    head = _header_hash({key: document[key] for key in KEYS[:7]})
    match: Match | None = None
    for ply, stored in enumerate(entries):
        entry = _check_entry(ply, stored)
        if entry.joined and (match is None or match.entries[-1].seat != entry.seat):
            raise BadRecord(f"entry at ply {ply} is joined to the one before, which is another seat's")
        head = entry_hash(head, ply, entry)
        if stored["hash"] != head:
            raise BadRecord(f"entry at ply {ply} was changed, or one before it was taken out: its hash does not fit")
        try:
            if match is None:
                match = _deal(game, document, entry)
            else:
                match.repeat(entry)
        except BadRecord:
            raise
        except RidottoError as error:
            raise BadRecord(f"entry at ply {ply} cannot be replayed: {error}") from error
    assert match is not None
    if document["head"] != head:
        raise BadRecord(
            f"the record ends at ply {len(entries) - 1}, but its head is the hash of another entry: it was cut short"
        )
    outcome = match.outcome
    if not _equal_json(document["result"], outcome.json() if outcome else None):
        raise BadRecord(f"the result after ply {len(entries) - 1} is not what the record says")
    match.origin = document.get(ORIGIN)
    if DEAL in document:
        try:
            match.fair = FairDeal.read(document[DEAL], match.seats)
        except BadDeal as error:
            raise BadRecord(f"the deal of the record: {error}") from error
    return match, list(document["names"])


def lay_out(document: Any, games: Mapping[str, Game]) -> tuple[Match, str]:
    """The match of a record without entries, which is still to be dealt, and the hash that its first entry follows."""
    game = _check_header(document, games)
    match = LaidOut(game, document["seats"], _mapping(document["options"]), version=document["rules"])
    return match, _header_hash({key: document[key] for key in KEYS[:7]})


def redact(document: Mapping[str, Any], seat: Seat | None, games: Mapping[str, Game]) -> dict[str, Any]:
    """A record as a seat (None: a spectator) may have it: without the secret actions of others, without draws and salts.

    Each entry keeps the digest of its content, so that the chain can still be verified.
    """
    match, _ = read(document, games)
    if match.outcome is not None:
        return dict(document)
    redacted = []
    for stored in document["entries"]:
        content = {key: value for key, value in stored.items() if key != "hash"}
        public: dict[str, Any] = {"ply": stored["ply"]}
        action = match.rules.ACTIONS.parse(stored["do"])
        is_public = action is None or match.rules.ACTIONS.family(action).audience in ("all", "remembered")
        if is_public or stored["seat"] == seat:
            public |= {"seat": stored["seat"], "do": stored["do"]}
        redacted.append(public | {"content": digest(content), "hash": stored["hash"]})
    deal = {} if match.fair is None else {DEAL: match.fair.with_secret(None).json()}
    return {**document, **deal, "entries": redacted}


def is_chain_intact(document: Mapping[str, Any]) -> bool:
    """Whether every hash of a redacted record follows from the one before it."""
    head = _header_hash({key: document[key] for key in KEYS[:7]})
    for entry in document["entries"]:
        head = link(head, entry["content"])
        if head != entry["hash"]:
            return False
    return bool(head == document["head"])


def _header(match: Match) -> dict[str, Any]:
    return {
        "format": FORMAT,
        "version": FORMAT_VERSION,
        "game": match.game.name,
        "rules": match.version,
        "box": match.build.box,
        "seats": match.seats,
        "options": dict(match.options),
    }


def _header_hash(header: Mapping[str, Any]) -> str:
    return digest(dict(header))


def _content(ply: int, entry: Entry) -> dict[str, Any]:
    """The content of an entry: everything that its hash covers."""
    content: dict[str, Any] = {
        "ply": ply,
        "seat": entry.seat,
        "do": entry.do,
        "draws": list(entry.draws),
        "time": entry.time,
        "salt": entry.salt,
    }
    if entry.position is not None:
        content["position"] = entry.position
    if entry.joined:
        content["joined"] = True
    return content


def _check_header(document: Any, games: Mapping[str, Game]) -> Game:
    if not isinstance(document, dict) or document.get("format") != FORMAT:
        raise BadRecord(f'not a record: a record is a JSON object with "format": "{FORMAT}"')
    if not _equal_json(document.get("version"), FORMAT_VERSION):
        raise BadRecord(f"format version {document.get('version')!r} is unknown here; known: {FORMAT_VERSION}; update Ridotto")
    missing = [key for key in KEYS if key not in document]
    unknown = [key for key in document if key not in (*KEYS, ORIGIN, BOX_NAME, DEAL)]
    if missing or unknown:
        raise BadRecord(f"a record has the keys {', '.join(KEYS)}; missing: {missing or 'none'}, unknown: {unknown or 'none'}")
    name = document["game"]
    if not isinstance(name, str) or name not in games:
        raise BadRecord(f"unknown game {name!r}; there are: {', '.join(games)}")
    game = games[name]
    rules = document["rules"]
    if type(rules) is not int or not 1 <= rules <= game.version:
        raise BadRecord(f"{name} has rules versions 1 to {game.version} here, not {rules!r}; update Ridotto")
    called = document.get(BOX_NAME, "")
    if not isinstance(called, str) or len(called) > LONGEST_NAME:
        raise BadRecord(f"{BOX_NAME} must be a text of {LONGEST_NAME} characters at most")
    if document["box"] != game.build().box:
        which = f"{called!r}, {document['box']!r}" if called else repr(document["box"])
        raise BadRecord(f"the match was played with another box ({which}): give that file with --box")
    if ORIGIN in document and not isinstance(document[ORIGIN], dict):
        raise BadRecord("origin must be an object: where the match was played on from")
    names = document["names"]
    if not isinstance(names, list) or not all(isinstance(one, str) for one in names):
        raise BadRecord("names must be a list of texts")
    for one in names:
        if len(one) > LONGEST_NAME:
            raise BadRecord(f"a name has {LONGEST_NAME} characters at most, not {len(one)}: {one[:20]!r} …")
    return game


def _check_entry(ply: int, stored: Any) -> Entry:
    if not isinstance(stored, dict) or not (ENTRY_KEYS <= set(stored) <= ENTRY_KEYS | MORE_ENTRY_KEYS):
        raise BadRecord(f"entry at ply {ply} must have the keys {', '.join(sorted(ENTRY_KEYS))}")
    seat, do, draws, position = stored["seat"], stored["do"], stored["draws"], stored.get("position")
    if type(stored["ply"]) is not int or stored["ply"] != ply:
        raise BadRecord(f"entry at ply {ply} says it is {stored['ply']!r}: an entry is missing or out of order")
    if seat is not None and type(seat) is not int:
        raise BadRecord(f"entry at ply {ply}: seat must be a number or null, not {seat!r}")
    if not isinstance(do, str) or not isinstance(stored["time"], str) or not isinstance(stored["salt"], str):
        raise BadRecord(f"entry at ply {ply}: do, time and salt must be texts")
    if not isinstance(draws, list) or not all(type(one) is int for one in draws):
        raise BadRecord(f"entry at ply {ply}: draws must be a list of numbers")
    if "position" in stored and (ply != 0 or do != "position" or not isinstance(position, dict)):
        raise BadRecord(f"entry at ply {ply}: only the first entry may lay out a position")
    if "joined" in stored and (stored["joined"] is not True or seat is None):
        raise BadRecord(f"entry at ply {ply}: joined can only be true, and only for a seat's decision")
    return Entry(seat, do, tuple(draws), stored["time"], stored["salt"], position, "joined" in stored)


def _deal(game: Game, document: Mapping[str, Any], entry: Entry) -> Match:
    if entry.do != ("deal" if entry.position is None else "position") or entry.seat is not None:
        raise BadRecord("entry at ply 0 must be the deal, or a position, by nobody")
    match = Match(game, document["seats"], _mapping(document["options"]), deal=entry, version=document["rules"])
    if match.version != document["rules"]:
        raise BadRecord(f"entry at ply 0 is for rules version {match.version}, the record for {document['rules']}")
    if not _equal_json(match.seats, document["seats"]) or not _equal_json(match.options, document["options"]):
        raise BadRecord("entry at ply 0: seats and options do not fit the position")
    return match


def _mapping(options: Any) -> dict[str, int]:
    if not isinstance(options, dict):
        raise BadRecord("options must be an object")
    return options


def _equal_json(one: Any, other: Any) -> bool:
    """Whether two values are equal as JSON: 1, 1.0 and true are three different values."""
    return canonical(one) == canonical(other)
