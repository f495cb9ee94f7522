"""The worked round of the rulebook is the round that the program plays, and it comes out as counted by hand."""

from __future__ import annotations

import importlib.util
import re
from dataclasses import replace
from functools import cache
from pathlib import Path
from types import ModuleType

import pytest

from ridotto.games.opera import game
from ridotto.games.opera.ui.figures import ROUND
from ridotto.present.lesson import prepared
from ridotto.present.narrator import LANGUAGES

RED, BLUE, YELLOW = "0", "1", "2"


@cache
def rounds() -> ModuleType:
    """The script that writes the round."""
    path = Path(__file__).parents[3] / "docs" / "rounds.py"
    spec = importlib.util.spec_from_file_location("rounds", path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_books_tell_what_is_played(language: str) -> None:
    """§12: every list of the chapter is the one that is made from the match; `make rounds` writes them anew."""
    text = game.rulebook(language).read_text("utf-8")
    chapter = rounds().CHAPTER.search(text)
    assert rounds().lists(language) == rounds().LIST.findall(chapter[0])
    assert text == rounds().written(language)


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_decision_is_in_the_book(language: str) -> None:
    """§12: the notations of the chapter are the decisions of the match, in order; the bids are told in numbers."""
    told = re.findall(r"`([^`]+)`", "".join(rounds().lists(language)))
    assert [move.partition(": ")[2] for move in ROUND.played[3:]] == told


def test_the_position_is_told_whole() -> None:
    """§12: what the text before the first list says: figures, Palazzo, offer, Composer of the Century."""
    position = prepared(game, replace(ROUND, played=())).position()
    assert {"maestro": "berlin", "critico": None, "esperto": None} == position["figure"]
    assert ["beethoven"] == position["palazzo"] and "handel" == position["century"]["1"] and 3 == position["round"]
    assert {"monteverdi": 1, "handel": 2, "beethoven": 1, "mozart": 1, "wagner": 0, "verdi": 2} == position["offer"]


def test_the_round_comes_out_as_counted_by_hand() -> None:
    """§12: levels, ducats, fame and points at the end of the round.

    Red: 12 - 5 bid - 4 Verdi - 2 wing + 8 Signora + (2 x 1 + 3) income = 14 ducats; 9 + 2 + (5 + 1 + 4) - 1 = 20 points.
    Blue: 9 - 5 - 4 Wien + (2 x 3 + 1) + 1 for level 0 = 8 ducats; 7 + 4 + (6 + 1) - 2 = 16 points.
    Yellow: 14 - 6 - 5 - 3 + (2 x 1 + 1) = 3 ducats; 6 + 2 Signora + (4 + 5 + 1) = 18 points.
    """
    position = prepared(game, ROUND).position()
    assert (4, 1) == (position["round"], position["counts"])
    assert {RED: 14, BLUE: 8, YELLOW: 3} == {seat: position["ducats"][seat] for seat in (RED, BLUE, YELLOW)}
    assert {RED: 20, BLUE: 16, YELLOW: 18} == {seat: position["points"][seat] for seat in (RED, BLUE, YELLOW)}
    assert {RED: 2, BLUE: 0, YELLOW: 2} == {seat: position["level"][seat] for seat in (RED, BLUE, YELLOW)}
    assert [RED, YELLOW, BLUE] == [position["order"][column] for column in "123"]
    ladder = sorted(position["fame"], key=lambda name: -position["fame"][name])
    assert ["wagner", "handel", "mozart", "verdi", "monteverdi", "beethoven"] == ladder
    assert [] == position["palazzo"]
