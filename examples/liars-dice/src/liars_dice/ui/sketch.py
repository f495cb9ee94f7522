"""Liar's Dice as text for a terminal, in Rich's markup."""

from __future__ import annotations

from liars_dice.components import SIDES
from liars_dice.rules import F
from liars_dice.ui.words import Words
from ridotto.core.view import View
from ridotto.engine.fields import HIDDEN
from ridotto.present.lines import Line, markup

QUIET, HEAD, LIT = "dim", "bold", "bold black on yellow"


def text(view: View, words: Words) -> str:
    """A line for the standing bid, and one for each cup."""
    row = view.row
    title = words.say("Round {round}", round=row[F.round])
    if row[F.quantity] > 0:
        title = words.tell(
            row[F.bidder],
            "Round {round}: you have bid {dice}",
            "Round {round}: {who} has bid {dice}",
            round=row[F.round],
            dice=words.dice(row[F.quantity], row[F.face]),
        )
    lines: list[Line] = [[(title, HEAD)]]
    names = [words.player(seat) for seat in range(view.seats)]
    for seat, name in enumerate(names):
        style = LIT if seat in view.to_act else HEAD
        lines.append([(f" {name:<{max(map(len, names))}} ", style), ("  ", ""), *_cup(view, seat)])
    return "\n".join(map(markup, lines))


def _cup(view: View, seat: int) -> Line:
    """The dice of a seat: their faces where they are known."""
    faces = view.row[F.cup + seat * SIDES : F.cup + (seat + 1) * SIDES]
    if HIDDEN in faces:
        return [("[?]" * view.row[F.left + seat], QUIET)]
    return [("".join(f"[{face + 1}]" * number for face, number in enumerate(faces)) or "–", "")]
