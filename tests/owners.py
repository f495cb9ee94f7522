"""An imagined owner of the printed games, whose boxes differ from ours wherever nothing is printed about them.

The owner goes through each box with `ridotto box`: what is played with these boxes is played with what the command wrote.
"""

from __future__ import annotations

from itertools import cycle
from pathlib import Path

from click.testing import CliRunner

from ridotto.cli import cli
from ridotto.games import GAMES
from ridotto.present.owner import owner
from ridotto.present.ui import ui

CALLED = "Ann's copy"
"""What the owner calls each box."""

OPERA = {
    # Houses of two halls to six, of one part to four, and 38 parts in all.
    "Parts of Venezia": "1: 2 3 4; 1: 2 3 4; 1: 0 1 2",
    "Parts of Wien": "2: 1 2 3; 1: 1 1 2; 1: 1 2 2",
    "Parts of Berlin": "1: 1 2 3; 1: 0 1 2; 1: 1 1 1; 1: 0 0 1",
    "Parts of London": "1: 1 1 2; 1: 0 1 2",
    "Parts of Paris": "2: 1 2 2; 1: 1 2 2; 2: 2 2 3",
    "Parts of Milano": "6: 1 2 3",
    "Places in Venezia": "2",
    "Places in Wien": "1",
    "Places in Berlin": "2",
    "Places in London": "2",
    "Places in Paris": "1",
    "Places in Milano": "1",
    "House composer of red": "Niccolò Rossi",
    "House composer of blue": "Anna & Blu",
    "House composer of yellow": "Zoë d'Or",
    "House composer of green": "Ø. <Groen>",
}
CATEGORIES = ("pro", "ama", "cla", "alt", "com", "som")
SINGERS = zip(
    [category for category in (*CATEGORIES[1:], CATEGORIES[0]) for _ in range(6)],
    cycle((2, 3, 1, 1, 3)),
    cycle("UFMMFUM"),
    cycle(("pang", "-", "liu", "turandot", "-", "ping", "pong", "calaf", "-", "-", "liu")),
    strict=False,
)
DIRECTORS = (
    "+2 per stars:1; -3 fewer_than 2 category:ama",
    "table women 0 0 1 2 3 4 5",
    "+1 per sex:M|U; -5 at_least 5 sex:M",
    "table distinct_categories 0 6 5 3 1 -1 -3; +1 per favourite:none",
    "table max_same_category 0 -2 0 1 4 8 20; -1 per stars:3",
    "+7 at_least 6 favourite:any",
    "-20 fewer_than 1 category:som; +4 per category:som",
    "+3 at_least 2 favourite:turandot|calaf; +3 at_least 2 favourite:liu; -1 per sex:F",
    "+1 per category:pro; +1 per category:cla; +1 per category:alt; -1 per category:ama; -1 per category:com",
)
TURANDOT = {
    **{f"Category {one}": f"Mask {number}" for number, one in enumerate(CATEGORIES, 1)},
    **{f"Singer {n}": f"Élodie N° {n}; {c}; {stars}; {sex}; {role}" for n, (c, stars, sex, role) in enumerate(SINGERS, 1)},
    **{f"Director {number}": f"Regista {number}; {terms}" for number, terms in enumerate(DIRECTORS, 1)},
}
ANSWERS = {"opera": OPERA, "turandot": TURANDOT}
"""What the owner answers to each of the English questions: always something else than the standard box says."""


def box_of_an_owner(game: str, folder: Path, answers: dict[str, str] | None = None) -> Path:
    """The file that `ridotto box` writes for that owner; where an answer is missing, Enter keeps what is shown."""
    left, typed = dict(ANSWERS[game] if answers is None else answers), []
    questions = owner(GAMES[game])
    assert questions is not None
    for section in questions.SECTIONS:
        typed += ["n", *(left.pop(question.said(ui(GAMES[game]).narrator()), "") for question in section.questions)]
    assert not left, "no such question"
    path = folder / f"{game}.toml"
    given = ["box", game, "--out", str(path), "--name", CALLED, "--language", "en"]
    made = CliRunner().invoke(cli, given, input="\n".join(typed) + "\n")
    assert 0 == made.exit_code, made.output
    return path
