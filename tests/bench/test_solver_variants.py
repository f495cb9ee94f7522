"""How variants of the solver are named and compared."""

from __future__ import annotations

from typing import Any

from bench.solver import compare, settings_of


def line(name: str, deal: int, at: int, won: int, most: float = 0.9) -> dict[str, Any]:
    return {"one": name, "rest": "search", "deal": deal, "at": at, "won": won, "seconds": [4.0, 2.0], "most": most}


def test_a_variant_is_a_name_and_settings() -> None:
    """Settings are Python's literals."""
    assert settings_of("now") == ("now", {})
    assert settings_of("small:MEDIUM=((8000, 8), (9, 3));SETS=1") == ("small", {"MEDIUM": ((8000, 8), (9, 3)), "SETS": 1})


def test_variants_are_compared_on_the_deals_that_both_played() -> None:
    """Four pairs, of which two are better and one is worse: 25 points more, and half the width by hand, 1.96 · √11 / 8."""
    first = [line("a", deal, at, won) for deal, at, won in ((1, 0, 0), (1, 1, 1), (2, 0, 0), (2, 1, 1), (3, 0, 1))]
    second = [line("b", deal, at, won, 1.1) for deal, at, won in ((2, 1, 1), (1, 0, 1), (2, 0, 1), (1, 1, 0))]
    lines = compare(first + second)
    assert lines[0].startswith("a: both 60.0 ± 42.9 of 5, inspector 33.3 ± 53.3 of 3, phantom 100.0 ± 0.0 of 2;")
    assert lines[1].endswith("4.0 s a match, the other 2.0 s; over 1 s in 4")
    gains = "both 25.0 ± 81.3 of 4, inspector 100.0 ± 0.0 of 2, phantom -50.0 ± 69.3 of 2"
    assert lines[2] == f"b less a, paired: {gains}; 2 better, 1 worse"
