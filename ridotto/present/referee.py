"""The game as a program for other programs: one JSON object a line in, one out. The protocol is in docs/referee.md.

>>> from ridotto.games import GAMES
>>> referee = Referee(GAMES["fantome"])
>>> referee.answer('{"do": "deal", "seed": 7}')
'{"ok":true,"ply":1,"to_act":[0],"over":false}'
>>> print(json.loads(referee.answer('{"do": "undo", "too": 0}'))["error"]["message"])
'undo' has no key "too"; it has: do, to, id, lang
"""

from __future__ import annotations

import json
from collections.abc import Callable
from difflib import get_close_matches
from typing import Any, BinaryIO, Final, NamedTuple, TypeAlias

from ridotto.core import record
from ridotto.core.errors import BadDraws, BadNotation, BadPosition, BadSetup, IllegalAction
from ridotto.core.game import Game
from ridotto.core.match import Match
from ridotto.core.record import BadJson, BadRecord, parse_json
from ridotto.engine.errors import RidottoError
from ridotto.engine.fields import Seat
from ridotto.present import views
from ridotto.present.narrator import LANGUAGES, UnknownLanguage
from ridotto.present.ui import english, ui
from ridotto.present.words import Words

FORMAT: Final = "ridotto referee"
FORMAT_VERSION: Final = 1
LONGEST: Final = 1 << 20
"""Bytes in a line."""
SEEDS: Final = 1 << 64

Json: TypeAlias = dict[str, Any]


class TooLong(RidottoError, ValueError):
    """A line longer than any request."""


class BadRequest(RidottoError, ValueError):
    """JSON that is not a request."""


class NoMatch(RidottoError, LookupError):
    """A request about a match before there is one."""


CODES: Final[dict[type[Exception], str]] = {
    TooLong: "too_long",
    BadJson: "bad_json",
    BadRequest: "bad_request",
    NoMatch: "no_match",
    BadSetup: "bad_setup",
    BadDraws: "bad_draws",
    BadNotation: "bad_notation",
    IllegalAction: "illegal_action",
    BadPosition: "bad_position",
    BadRecord: "bad_record",
    UnknownLanguage: "unknown_language",
}
"""The error code of each exception. Any other exception is a mistake of ours and has the code INTERNAL."""
INTERNAL: Final = "internal"


# The loop.


def serve(game: Game, lines: BinaryIO, out: BinaryIO) -> None:
    """Answer every line until there are no more; each answer is sent at once."""
    referee = Referee(game)
    while line := lines.readline(LONGEST + 1):
        if len(line) > LONGEST and not line.endswith(b"\n"):
            while (more := lines.readline(LONGEST)) and not more.endswith(b"\n"):
                pass
            answer = referee.refuse(TooLong(f"the line is longer than {LONGEST} bytes and was skipped"))
        else:
            answer = referee.answer(line)
        out.write(answer.encode("ascii") + b"\n")
        out.flush()


class Referee:
    """Answers requests about one match at a time: deal it, look at it, play it."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self._words = english(game)
        """Words in the language of the request, for the sentences of the answer."""
        self._match: Match | None = None
        self._names: list[str] | None = None
        """The names of the players, if the match was loaded from a record."""

    def about(self, match: Match) -> Referee:
        """The same referee, from now on about this match."""
        self._match, self._names = match, None
        return self

    def refuse(self, error: RidottoError) -> str:
        """The answer to a line that was refused without being parsed."""
        return _dump({"ok": False, "error": _error_json(error, self._words)})

    def answer(self, line: str | bytes) -> str:
        """The answer to one line, as one line of ASCII. Never raises; an error changes nothing."""
        echo: Json = {}
        self._words = english(self.game)
        try:
            request = parse_json(line)
            if not isinstance(request, dict):
                raise BadRequest(f'a request is an object such as {{"do": "hello"}}, not {_short(request)}')
            if "id" in request:
                echo = {"id": request["id"]}
            return _dump({"ok": True, **echo, **self._do(request)})
        except Exception as error:  # the loop must outlive our own mistakes too
            return _dump({"ok": False, **echo, "error": _error_json(error, self._words)})

    def _do(self, request: Json) -> Json:
        verb = request.get("do")
        if not isinstance(verb, str) or verb not in REQUESTS:
            near = get_close_matches(verb[:20], REQUESTS, 1) if isinstance(verb, str) else []
            hint = f"did you mean {near[0]!r}?" if near else f"there are: {', '.join(REQUESTS)}"
            raise BadRequest(f"{_short(verb)} is nothing to do; {hint}" if "do" in request else f'"do" is missing; {hint}')
        expected = REQUESTS[verb]
        known = ("do", *expected.needs, *expected.takes, *ALWAYS)
        for key in request:
            if key not in known:
                raise BadRequest(f"{verb!r} has no key {_short(key)}; it has: {', '.join(known)}")
        for key in expected.needs:
            if key not in request:
                raise BadRequest(f"{verb!r} needs {key!r}: {KEYS[key].meaning}")
        for key, value in request.items():
            if key in KEYS and not KEYS[key].fits(value) and not (verb == "view" and key == "seat" and value is None):
                raise BadRequest(f"{key!r} must be {KEYS[key].meaning}, not {_short(value)}")
        if "lang" in request:
            self._words = ui(self.game).words(ui(self.game).narrator(request["lang"]))
        return expected.answer(self, request)

    @property
    def match(self) -> Match:
        """The match that requests are about."""
        if self._match is None:
            raise NoMatch('there is no match yet; begin with "deal", or load a "position" or a "record"')
        return self._match

    # The requests.

    def hello(self, request: Json) -> Json:
        """The game, with its seats and options."""
        rules = self.game.rules
        return {
            "format": FORMAT,
            "version": FORMAT_VERSION,
            "game": self.game.name,
            "rules": self.game.version,
            "box": self.game.build().box,
            "seats": list(self.game.seats),
            "options": [
                {
                    "name": o.name,
                    "section": o.section,
                    "sentence": o.sentence,
                    "low": o.low,
                    "high": o.high,
                    "default": o.default,
                }
                for o in rules.OPTIONS
            ],
            "languages": list(LANGUAGES),
        }

    def deal(self, request: Json) -> Json:
        """Begin a match: with the given draws for the deal; all other draws come from the seed, or from the system."""
        seed = request.get("seed")
        if seed is not None and not 0 <= seed < SEEDS:
            raise BadSetup(f"a seed is a whole number from 0 to {SEEDS - 1}, not {_short(seed)}")
        match = Match(self.game, request.get("players"), request.get("options"), seed=seed, draws=request.get("draws"))
        return self._begin(match)

    def legal(self, request: Json) -> Json:
        """The legal actions of a seat."""
        return {"actions": views.actions(self.match.view(request["seat"], self.match.ply), self._words)}

    def play(self, request: Json) -> Json:
        """Do an action."""
        before = self.match.ply
        self.match.play(request["action"], request["seat"])
        return self._events(request["seat"], before)

    def resign(self, request: Json) -> Json:
        """Give up."""
        before = self.match.ply
        self.match.resign(request["seat"])
        return self._events(request["seat"], before)

    def view(self, request: Json) -> Json:
        """The view of a seat, or of a spectator."""
        return {"view": views.as_json(self.match.view(request["seat"], request.get("since", 0)), self._words)}

    def why(self, request: Json) -> Json:
        """Whether a seat may do something now, and the reason if not."""
        refusal = self.match.why(request["action"], request["seat"])
        if refusal is None:
            actions, action = self.game.rules.ACTIONS, request["action"]
            known = actions.parse(action) if isinstance(action, str) else action
            section = None if known is None else actions.family(known).section
            return {"allowed": True, "reason": None, "section": section, "message": ""}
        message = self._words.refusal(refusal)
        return {"allowed": False, "reason": refusal.reason, "section": refusal.section, "message": message}

    def score(self, request: Json) -> Json:
        """The outcome; before the end, the scores as they stand."""
        match, outcome = self.match, self.match.outcome
        if outcome is not None:
            return {"over": True, **outcome.json()}
        scores, parts = match.scores()
        return {"over": False, "ending": None, "section": None, "winners": [], "scores": list(scores), "parts": list(parts)}

    def undo(self, request: Json) -> Json:
        """Go back to before the last action, or to an earlier entry."""
        self.match.undo(request.get("to"))
        return self._status()

    def position(self, request: Json) -> Json:
        """The whole position, or a new match that begins from the position in the request."""
        if "position" in request:
            return self._begin(Match(self.game, position=request["position"]))
        return {"position": self.match.position()}

    def record(self, request: Json) -> Json:
        """The whole record, or continue the match of the record in the request."""
        if "record" in request:
            return self._begin(*record.read(request["record"], {self.game.name: self.game}))
        return {"record": record.write(self.match, self._names)}

    # Inside.

    def _begin(self, match: Match, names: list[str] | None = None) -> Json:
        self._match, self._names = match, names
        return self._status()

    def _status(self) -> Json:
        return {"ply": self.match.ply, "to_act": list(self.match.to_act), "over": not self.match.to_act}

    def _events(self, seat: Seat, before: int) -> Json:
        return {**self._status(), "events": views.events(self.match.view(seat, before), self._words)}


# What a request is made of.


class Key(NamedTuple):
    """A key of a request: a test of its values, and the same in words."""

    fits: Callable[[Any], bool]
    meaning: str


def _whole(value: Any) -> bool:
    """Whether a value is a whole number, which True, 1.0 and "1" are not."""
    return type(value) is int


def _object(value: Any) -> bool:
    return isinstance(value, dict)


KEYS: Final[dict[str, Key]] = {
    "players": Key(_whole, "a whole number"),
    "seed": Key(_whole, "a whole number"),
    "draws": Key(lambda value: isinstance(value, list) and all(map(_whole, value)), "a list of whole numbers"),
    "options": Key(_object, "an object"),
    "seat": Key(_whole, "the number of a seat, from 0 (for a view also null: a spectator)"),
    "action": Key(lambda value: _whole(value) or isinstance(value, str), "notation, or the number of an action"),
    "since": Key(lambda value: _whole(value) and value >= 0, "a ply, from 0"),
    "to": Key(lambda value: _whole(value) and value >= 0, "a ply, from 0"),
    "position": Key(_object, "an object"),
    "record": Key(_object, "an object"),
    "lang": Key(lambda value: isinstance(value, str), f"one of {', '.join(LANGUAGES)}"),
}
ALWAYS: Final = ("id", "lang")
"""The keys that every request may have."""


class Request(NamedTuple):
    """A kind of request: the keys it must have, those it may have, and the method that answers it."""

    needs: tuple[str, ...]
    takes: tuple[str, ...]
    answer: Callable[[Referee, Json], Json]


REQUESTS: Final[dict[str, Request]] = {
    "hello": Request((), (), Referee.hello),
    "deal": Request((), ("players", "seed", "draws", "options"), Referee.deal),
    "legal": Request(("seat",), (), Referee.legal),
    "play": Request(("seat", "action"), (), Referee.play),
    "resign": Request(("seat",), (), Referee.resign),
    "view": Request(("seat",), ("since",), Referee.view),
    "why": Request(("seat", "action"), (), Referee.why),
    "score": Request((), (), Referee.score),
    "undo": Request((), ("to",), Referee.undo),
    "position": Request((), ("position",), Referee.position),
    "record": Request((), ("record",), Referee.record),
}


# From text and to text.


def _short(value: Any) -> str:
    """A value as JSON, cut where it gets long."""
    text = json.dumps(value)
    return text if len(text) <= 60 else text[:60] + "…"


def _dump(answer: Json) -> str:
    return json.dumps(answer, separators=(",", ":"))


def _error_json(error: Exception, words: Words) -> Json:
    """An exception as the `error` of an answer."""
    code = CODES.get(type(error), INTERNAL)
    answer: Json = {"code": code, "message": str(error)}
    if code == INTERNAL:
        name = type(error).__name__
        answer |= {"message": f"a mistake of ours ({name}): please report it", "type": name}
    if isinstance(error, IllegalAction) and (refusal := error.refusal):
        answer |= {"reason": refusal.reason, "section": refusal.section, "why": words.refusal(refusal)}
    if isinstance(error, BadPosition):
        answer["faults"] = list(error.faults)
    return answer
