"""A game's `tuning.toml`: what it may say, what stands for what it leaves out, and what is refused."""

from __future__ import annotations

from pathlib import Path

import pytest

from ridotto.core import tuning
from ridotto.core.game import Game
from ridotto.core.tuning import BadTuning, CertificateQuestion, SearchSettings, Tuning
from ridotto.games import GAMES

LEVELS = "".join(f"[[levels]]\nplayouts = {10 * level}\n" for level in range(1, 7))


def test_without_a_file_everything_has_a_default(games: dict[str, Game], tmp_path: Path) -> None:
    """A game that says nothing gets the standard levels, no ratings and no curve: nothing of another game's."""
    assert Tuning() == tuning.load(tmp_path / "tuning.toml") == games["liars_dice"].tuning
    assert tuning.STANDARD_LEVELS == Tuning().levels
    ours = [game.tuning for game in GAMES.values() if game.name != "liars_dice"]
    assert all((Tuning().levels, Tuning().levels_at) != (one.levels, one.levels_at) for one in ours)
    assert ({}, None) == (Tuning().ratings, Tuning().calibration.curve)


def test_parts_stand_alone() -> None:
    """Whatever a file leaves out stays at its default, also inside a part; levels begin from the game's own search."""
    found = tuning.parse("[search]\nahead = 2\n")
    assert SearchSettings(ahead=2) == found.search
    assert [SearchSettings(random=1000, ahead=2), *[SearchSettings(ahead=2)] * 5] == [one.search for one in found.levels]
    assert Tuning().certificate == found.certificate
    levels = tuning.parse("[search]\nahead = 2\n" + LEVELS + "search = { fpu_reduction = 7 }\n").levels
    assert [10, 20, 30, 40, 50, 60] == [one.playouts for one in levels]
    assert SearchSettings(fpu_reduction=7, ahead=2) == levels[-1].search
    asked = tuning.parse(
        '[certificate]\ngreedy = {3 = 0.5}\n[[certificate.questions]]\nseats = 3\none = "a"\nrest = "b"\nseat = 2'
    )
    assert {3: 0.5} == asked.certificate.greedy
    assert (CertificateQuestion(3, "a", "b", None, 2),) == asked.certificate.questions
    assert Tuning().certificate.search == asked.certificate.search


def test_former_names_of_settings_are_read() -> None:
    """A tuning of version 0.1, such as that of somebody else's game, gives the same search."""
    former = tuning.parse("[search]\nexplore = 2000\ncaution = 50\nteaching = 400\n")
    assert SearchSettings(c_puct=2000, fpu_reduction=50, opponent_update_rate=400) == former.search


def test_levels_by_number_of_seats() -> None:
    """A list for each number of seats that has its own; the standard levels elsewhere. A network may play at a level."""
    lines = [f"{{ playouts = {10 * level} }}" for level in range(1, 6)]
    network = "{ playouts = 7, temperature = 0.5, overlook = 0.2 }"
    text = f"[levels]\n4 = [{', '.join(lines)}, {{ playouts = 60, network = {network} }}]\n"
    found = tuning.parse(text)
    assert tuning.STANDARD_LEVELS == found.levels_for(2) == found.levels_for(3)
    assert [10, 20, 30, 40, 50, 60] == [one.playouts for one in found.levels_for(4)]
    assert [None] * 5 + [tuning.NetworkLevel(7, 0.5, 0.2)] == [one.network for one in found.levels_for(4)]
    assert Tuning().digest != found.digest
    with pytest.raises(BadTuning, match=r"t: levels[.]4: there must be 6 of them, not 1"):
        tuning.parse("[levels]\n4 = [{ playouts = 1 }]", "t")
    with pytest.raises(BadTuning, match=r"t: levels[.]four: a number of seats from 2 to 8 is wanted"):
        tuning.parse("[levels]\nfour = []", "t")
    with pytest.raises(BadTuning, match=r"t: .levels.4 6.network. has no 'playout'; did you mean 'playouts'"):
        tuning.parse(text.replace("playouts = 7", "playout = 7"), "t")


def test_only_what_changes_play_changes_the_digest() -> None:
    """Results of a tournament stay good when a rating is written down, not when a search is set otherwise."""
    same = tuning.parse("[ratings]\n2 = [1, 2, 3, 4, 5, 6]\n[calibration]\ndecisions = 5\n[certificate]\ngreedy = {2 = 0.5}\n")
    assert same != Tuning()
    assert Tuning().digest == same.digest
    others = {Tuning().digest, tuning.parse("[search]\nc_puct = 1001").digest, tuning.parse(LEVELS).digest}
    assert 3 == len(others)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[search", "t: not a TOML document: "),
        ("serach = 1", "t: a tuning has no 'serach'; did you mean 'search'?"),
        ("[search]\nzzz = 1", "t: [search] has no 'zzz'; it may have: c_puct, random, fpu_reduction, "),
        ("[search]\nc_puct = 1.5", "t: search.c_puct: a whole number is wanted, not 1.5"),
        ("[search]\nc_puct = true", "t: search.c_puct: a whole number is wanted, not True"),
        ("[search]\nc_puct = -1", "t: search.c_puct: a whole number from 0 to 1000000 is wanted, not -1"),
        ("search = 5", "t: search: a table is wanted, not 5"),
        ("levels = [1, 2]", "t: levels: number 1 is not a table but 1"),
        ("[[levels]]\nplayouts = 5", "t: levels: there must be 6 of them, not 1"),
        (LEVELS + "temperature = 'hot'", "t: levels 6.temperature: a number is wanted, not 'hot'"),
        (LEVELS.replace("playouts = 30", ""), "t: levels 3.playouts: a whole number is missing"),
        ("[ratings]\ntwo = [1]", "t: ratings.two: a number of seats from 2 to 8 is wanted"),
        ("[ratings]\n2 = [1, 2, 3, 4]", "t: ratings.2: there must be one for each of the 6 levels, not 4"),
        ("[ratings]\n2 = [1, 2, 3, 4, 'x', 6]", "t: ratings.2.4: a whole number is wanted, not 'x'"),
        ("[calibration]\ncurve = [0.0, 0.9, 0.5]", "t: calibration.curve: it must rise from 0 to 1, in two points at least"),
        ("[calibration]\ndecisions = 0", "t: calibration.decisions: a whole number from 1 to 100000 is wanted, not 0"),
        ("[certificate]\ngreedy = {2 = 1.5}", "t: certificate.greedy.2: a share between 0 and 1 is wanted, not 1.5"),
        ("[certificate]\ngreedy = 0.5", "t: certificate.greedy: a table is wanted, not 0.5"),
        ("[[certificate.questions]]\nseats = 2\none = 'a'", "t: certificate.questions 1.rest: a text is missing"),
        ("[[certificate.questions]]\nseats = 2\none = 'a'\nrest = 'b'\nseat = 2",
         "t: certificate.questions 1.seat: a whole number from 0 to 1 is wanted, not 2"),
        ("[[certificate.comparisons]]\nbots = ['a']", "t: certificate.comparisons 1.bots: two are compared, not 1"),
    ],
)  # fmt: skip
def test_what_is_wrong_is_said_with_its_place(text: str, message: str) -> None:
    """The file, the place in it, what was wanted and what there is."""
    with pytest.raises(BadTuning) as caught:
        tuning.parse(text, "t")
    assert str(caught.value).startswith(message)


def test_an_unreadable_file_is_named(tmp_path: Path) -> None:
    """A file that is there but cannot be read is not the same as none."""
    path = tmp_path / "tuning.toml"
    path.write_bytes(b"\xff")
    with pytest.raises(BadTuning, match="cannot read"):
        tuning.load(path)
