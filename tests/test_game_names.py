"""No general module knows a game: outside its own folder, nothing in the package is called after one."""

from __future__ import annotations

import ast
import io
import re
import tokenize
import unicodedata
from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest

import ridotto
from ridotto.games import GAMES
from ridotto.present.ui import ui

PACKAGE = Path(ridotto.__file__).parent
REGISTRY = PACKAGE / "games" / "__init__.py"
KINDS = (".py", ".js", ".css", ".html")

NOT_YET: set[str] = set()
"""Files that still name games, and are to stop it."""


def words_of(text: str) -> list[str]:
    """The words in a text or an identifier: parted at whatever is no letter, and where capitals begin; without accents.

    >>> words_of("_warmFantôme-opera_house OPERATOR HTMLPage")
    ['warm', 'fantome', 'opera', 'house', 'operator', 'html', 'page']
    """
    plain = "".join(c for c in unicodedata.normalize("NFKD", text) if not unicodedata.combining(c))
    return [word.lower() for word in re.findall(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+", plain)]


def games_in(text: str) -> set[str]:
    """The registered games that a text names."""
    found = " ".join(["", *words_of(text), ""])
    return {name for name in GAMES if f" {' '.join(words_of(name))} " in found}


def texts(path: Path, source: str) -> Iterable[tuple[int, str]]:
    """Everything in a file that counts, with its line: all but comments and, in Python, docstrings."""
    if path.suffix == ".py":
        return python_texts(source)
    return enumerate(without_comments(path.suffix, source).split("\n"), 1)


def python_texts(source: str) -> Iterator[tuple[int, str]]:
    """The identifiers of a Python file, and its strings that do not stand alone."""
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type == tokenize.NAME:
            yield token.start[0], token.string
    tree = ast.parse(source)
    alone = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in alone:
            yield node.lineno, node.value


COMMENTS = {
    ".js": r"""("(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|`(?:\\.|[^`\\])*`)|//[^\n]*|/\*.*?\*/""",
    ".css": r"""("[^"\n]*"|'[^'\n]*')|/\*.*?\*/""",
    ".html": r"(?!x)x()|<!--.*?-->|\{#.*?#\}",
}
"""What a comment is; a string, which is kept, is the one group."""


def without_comments(kind: str, source: str) -> str:
    """A source without its comments, line by line as it was."""

    def kept(match: re.Match[str]) -> str:
        return match[1] or "\n" * match[0].count("\n")

    return re.sub(COMMENTS[kind], kept, source, flags=re.S)


def offences(path: Path, source: str) -> list[str]:
    """The lines of a file that name a game."""
    return [
        f"{path.name}:{line}: {text.strip()[:80]!r} names {', '.join(sorted(found))}"
        for line, text in texts(path, source)
        if (found := games_in(text))
    ]


def general_files() -> list[Path]:
    """Every source file that belongs to no game."""
    folders = [PACKAGE / "games" / name for name in GAMES]
    return sorted(
        path
        for path in PACKAGE.rglob("*")
        if path.suffix in KINDS and path != REGISTRY and not any(folder in path.parents for folder in folders)
    )


def test_no_general_file_names_a_game() -> None:
    """Neither an identifier nor a string nor a selector, whichever language it is written in."""
    naming = {str(path.relative_to(PACKAGE)): offences(path, path.read_text("utf-8")) for path in general_files()}
    found = {name: lines for name, lines in naming.items() if lines}
    assert {} == {name: lines for name, lines in found.items() if name not in NOT_YET}
    assert NOT_YET == set(found), "these have stopped naming games: take them off the list"


def test_the_files_are_looked_at() -> None:
    """The general files are those of every folder, in every language that has some; the games' own are not among them."""
    names = {path.relative_to(PACKAGE).parts[0] for path in general_files()}
    assert {"engine", "core", "bots", "arena", "rl", "web", "terminal", "cli"} <= names
    assert {".py", ".js", ".css"} <= {path.suffix for path in general_files()}
    assert not [path for path in general_files() if path.parent.name in GAMES]


PLANTED = {
    "an_identifier.py": "def draw_fantome() -> None: ...",
    "an_attribute.py": "rules = games.opera.rules",
    "an_import.py": "from ridotto.games.turandot import rules",
    "a_string.py": 'LEVELS = {"fantome": 3}',
    "a_formatted_string.py": 'name = f"table-page opera {number}"',
    "a_title.py": 'title = "Le Fantôme"',
    "a_class.py": "class TurandotPage: ...",
    "a_name.js": "const operaSheet = null;",
    "a_string.js": 'const where = "https://x/turandot"; // fine',
    "a_template.js": "const where = `/learn/fantome`;",
    "a_selector.css": ".table-page.opera #ask { display: block; }",
    "a_class.html": '<body class="opera">',
    "a_condition.html": '{% if game.name == "turandot" %}',
}
FINE = {
    "a_docstring.py": '"""Opera\'s halls.\n\n>>> GAMES["fantome"]\n"""\nX = 1\n"""Of Turandot alone."""',
    "a_comment.py": "x = 1  # as in Opera",
    "another_word.py": 'operation = "operating an operator", turandots',
    "a_comment.js": "/* Opera's sheet */ const x = 1; // Turandot's picker",
    "a_comment.css": "/* Opera: the halls. */ .operator { color: red; }",
    "a_comment.html": "<!-- opera --> {# turandot #} <p>cooperation</p>",
}


@pytest.mark.parametrize("name", PLANTED)
def test_a_name_that_is_planted_is_found(name: str) -> None:
    """In whatever form."""
    assert offences(Path(name), PLANTED[name])


@pytest.mark.parametrize("name", FINE)
def test_prose_and_other_words_are_fine(name: str) -> None:
    """Comments, docstrings with their examples, and words that only begin like a game."""
    assert [] == offences(Path(name), FINE[name])


# And a game keeps to its own pages.


def selectors(css: str) -> list[str]:
    """The selectors of a style sheet, at whatever width they hold; the steps of movements left out.

    >>> selectors("@media (x) { .a b, .c { } } @keyframes k { from { } 50% { } } .d { }")
    ['.a b', '.c', '.d']
    """
    bare = re.sub(r"@keyframes[^{]*\{(?:[^{}]*\{[^{}]*\})*[^{}]*\}", "", without_comments(".css", css))
    found = re.findall(r"([^{};]+)\{(?=[^{}]*\})", re.sub(r"@media[^{]*\{", "", bare))
    return [one.strip(" }\n") for selector in found for one in re.split(r",(?![^(]*\))", selector)]


@pytest.mark.parametrize("name", GAMES)
def test_the_styles_of_a_game_touch_its_own_pages_alone(name: str) -> None:
    """Every selector of a `ui/page.css` has the class that its pages have, and no class of another game."""
    for selector in selectors(ui(GAMES[name]).css):
        assert re.search(rf"\.{name}(?![\w-])", selector.split(" ")[0]), selector
        assert {name} == games_in(selector), selector


def test_some_games_have_styles() -> None:
    """So that the test above looks at something."""
    assert 40 < sum(len(selectors(ui(game).css)) for game in GAMES.values())
