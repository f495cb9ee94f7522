"""The cards that were played in a match, and what the phantom's choices tell of who they are."""

from __future__ import annotations

from dataclasses import dataclass
from hashlib import blake2b
from typing import Any

import numpy

from ridotto.core.tuning import SearchSettings
from ridotto.engine.arrays import SearchRequest
from ridotto.engine.build import Build
from ridotto.engine.dice import count_legal
from ridotto.engine.fields import HIDDEN, Row, Seat
from ridotto.games.fantome.ai.board import board_of
from ridotto.games.fantome.ai.bot import replay, tell
from ridotto.games.fantome.ai.solving.boards import CARDS_AT, PIECES
from ridotto.games.fantome.ai.solving.clock import Clock
from ridotto.games.fantome.rules import PEOPLE, PHANTOM, PICK, A, F, legal

SEARCHED, SEARCH_SLOTS, SEARCH_DOUBT = 4_000, 2_048, 0.1
"""The playouts of these searches, for all suspects together; the size of their trees; the share of choices that tell nothing.
"""
SEARCH_PART = 0.5
"""The part of the time that they may take."""


@dataclass
class Activation:
    """A card that was played, or is being played: the row before it was chosen, by whom, and what came of it."""

    row: Row
    seat: Seat
    card: int = -1
    final: int = -1
    """The board after it, with the cards still to come; -1 if it is not finished."""
    key: bytes = b""
    """A digest of everything up to here."""
    tells: Any = None
    """The likelihood that each character, as the phantom, plays it so, by the game's own policy."""
    searched: Any = None
    """The same by a small search in the place of each; None if none was asked."""


def history_of(build: Build, view: Any, memory: dict[bytes, Any], clock: Clock) -> list[Activation]:
    """The cards played so far and the one being played; only the latter if the view does not tell the whole match."""
    activations: list[Activation] = []
    mask = build.mask()
    likely: Any = numpy.ones(PEOPLE)
    likely_before: Any = numpy.ones(PEOPLE)
    until = clock.part(SEARCH_PART).deadline

    def begin(row: Row, seat: Seat, card: int) -> None:
        """Note an activation by what everybody knows, so that its digest does not change when more is known later."""
        known = public_row(build, row)
        if activations:
            activations[-1].final = _final(activations[-1], known)
        before = activations[-1].key if activations else b""
        key = blake2b(before + numpy.array(known, numpy.int16).tobytes(), digest_size=16).digest()
        activations.append(Activation(known, seat, card, key=key, tells=numpy.ones(PEOPLE)))

    def on_action(row: Row, seat: Seat, action: int) -> None:
        if row[F.asked] == PICK:
            begin(row, seat, action - A.pick)
        if seat == PHANTOM:
            likely[:] = 1
            legal(row, seat, mask)
            tell(row, mask, action, likely)
            activations[-1].tells *= likely
            if view.seat != PHANTOM and int(row[F.suspects]).bit_count() > 2 and count_legal(mask) > 1:
                known = public_row(build, row)
                key = b"searched" + numpy.array([*known, action], numpy.int16).tobytes()
                if key not in memory and (until is None or clock.now() < until):
                    memory[key] = searched(build, known, action, likely_before)
                if key in memory:
                    before = 1 if activations[-1].searched is None else activations[-1].searched
                    activations[-1].searched = before * memory[key]
            likely_before[:] = likely_before * likely

    if not replay(build, view, on_action):
        activations.clear()
    if view.row[F.asked] == PICK or not activations:
        begin(build.copy(view.row), view.seat, -1)
    return activations


def public_row(build: Build, row: Row) -> Row:
    """A row as everybody knows it."""
    public = build.copy(row)
    public[F.identity] = public[F.held] = 0
    return public


def searched(build: Build, row: Row, action: int, likely_before: Any) -> Any:
    """The likelihood that each suspect chooses an action if the phantom searches: by how often a small search tries it.

    `likely_before` is how likely each was to do what was done before, by the game's own policy: what the search believes.
    """
    search, likely = build.search, numpy.ones(PEOPLE)
    suspects = [who for who in range(PEOPLE) if row[F.suspects] >> who & 1]
    believed = build.copy([max(1, round(256 * one)) for one in likely_before / likely_before[suspects].max()], "int64")
    settings = build.copy(SearchSettings().numbers, "int64")
    for who in suspects:
        dice, world = build.generator(1, who), build.copy(row)
        world[F.identity], world[F.held] = who, HIDDEN
        build.rules.redeal(world, PHANTOM, dice)
        masked = build.copy(build.rules.FIELDS.masked([int(word) for word in world], None))
        tree: Any = build.tree(SEARCH_SLOTS, 8 * SEARCH_SLOTS)
        request = SearchRequest(world, masked, PHANTOM, believed, settings)
        root = int(search.search(request, SEARCHED // len(suspects), tree, build.workspace(dice)))
        first, count = int(tree.nodes[root + search.FIRST]), int(tree.nodes[root + search.COUNT])
        edges = tree.edges[first * search.EDGE : (first + count) * search.EDGE].reshape(count, search.EDGE)
        tried = edges[:, search.VISITS] + edges[:, search.PRIOR]
        chosen = edges[:, search.ACTION] == action
        likely[who] = (1 - SEARCH_DOUBT) * tried[chosen].sum() / tried.sum() + SEARCH_DOUBT / count
    return likely


def _final(before: Activation, after: Row) -> int:
    return int(board_of(after)) & PIECES | (int(before.row[F.offered]) & ~(1 << before.card)) << CARDS_AT
