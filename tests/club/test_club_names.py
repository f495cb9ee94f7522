"""Names: which are taken for one another, and which nobody may have."""

from __future__ import annotations

from itertools import islice

import pytest

from ridotto.club.names import LONGEST_SKELETON, is_reserved, is_visible, proposals, skeleton
from ridotto.present.narrator import LANGUAGES, LEVELS, LONGEST_NAME, STAGE_NAMES, Narrator


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Anna", "anna"),
        ("Anna", "Аnnа"),  # two Cyrillic letters
        ("Anna", "Ａｎｎａ"),  # of full width
        ("Anna", "𝓐𝓷𝓷𝓪"),  # of mathematics
        ("Anna", "A n n a"),
        ("Anna", "Ann\u200ba"),
        ("Anna", "Anna."),
        ("René", "Rene"),
        ("Bo", "B0"),
        ("Lilli", "L1lIi"),
        ("Marie", "rnarie"),
        ("Zoe", "Ζοε"),  # Greek
        ("Hanna", "Нanna"),  # one letter is Cyrillic, and small it would look otherwise
        ("ANNA", "ΑΝΝΑ"),  # Greek
        ("Нина", "НИНА"),
        ("Straße", "Strasse"),
        ("Oskar", "Øskar"),
        ("Anna", "An\u3164na"),  # with a letter that nobody sees
    ],
)
def test_names_that_look_alike_are_one(one: str, other: str) -> None:
    assert skeleton(one) == skeleton(other)


@pytest.mark.parametrize(
    ("one", "other"), [("Anna", "Hanna"), ("Anna II", "Anna III"), ("Ада", "Ева"), ("小明", "小红"), ("★", "♥"), ("Bo", "Bob")]
)
def test_names_that_differ_are_two(one: str, other: str) -> None:
    assert skeleton(one) != skeleton(other)


def test_nobody_is_called_what_nobody_sees() -> None:
    assert [False, False, True, True] == [is_visible(name) for name in ("\u3164\u2800", "\u115f \u034f", "★", "小明")]


@pytest.mark.parametrize("language", sorted(LANGUAGES))
def test_every_bot_is_reserved_as_pages_introduce_it(language: str) -> None:
    """Whatever a page writes of a bot, nobody can write of themselves."""
    say = Narrator(language).say
    for name in STAGE_NAMES:
        assert is_reserved(name)
        for level, rank in enumerate(LEVELS, 1):
            introduced = say("{rank}, level {level}", rank=say(rank), level=level)
            assert is_reserved(f"{name} ({introduced})") and is_reserved(f"{name} {say(rank)}"), introduced
            assert is_reserved(f"Ada ({introduced})"), introduced


@pytest.mark.parametrize("name", ["Rosina Rossi", "Figaroni", "Maestro Bruno", "Level-headed Ada", "Botticelli", "Hostalrich"])
def test_names_of_people_are_not_reserved(name: str) -> None:
    assert not is_reserved(name)


@pytest.mark.parametrize("name", ["Ada", "Rosina", "Admin", "x" * LONGEST_NAME, "Figaro (Maestro, level 6)", "(", "Bot"])
def test_proposals_can_be_had(name: str) -> None:
    """Each is short enough, is seen, is nobody's but a person's, and differs from the others."""
    found = list(islice(proposals(name), 10))
    assert 10 == len({skeleton(one) for one in found} - {skeleton(name)})
    usual = found[1:] if is_reserved(found[0]) else found
    assert all(len(one) <= LONGEST_NAME and is_visible(one) and not is_reserved(one) for one in usual)


def test_a_skeleton_is_bounded() -> None:
    """Some characters fold to eighteen."""
    assert LONGEST_SKELETON >= len(skeleton("\ufdfa" * 10_000))
