"""Collects the sentences of a package, brings its catalogues up to date and compiles them.

    python -m ridotto.cli.catalogues FOLDER

`make words` does it for Ridotto itself. It works for a package with a game of its own in the same way, and needs Babel.
Sentences are the texts given to `say`, `mark`, `BoxFault`, `count`, `tell`, `Tell` and `Plural` in Python and in templates, and
the meanings in the tables `ENDINGS` and `PARTS` of the rules. The folder of a game (one with `rules.py` and `ui/words.py`) has
its own catalogues in its `locale/`; all other sentences of a package are in the `locale/` of the package.

A catalogue changes only when a sentence does: its header is fixed, its messages are sorted, and it tells the files a
message stands in but not the lines. A sentence that changed keeps its old translation, marked fuzzy, until somebody
has looked at it; a sentence that is gone is gone.
"""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterator, Sequence
from io import BytesIO
from pathlib import Path
from string import Formatter
from typing import Final, TypeAlias

from babel.messages.catalog import Catalog, Message
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po, write_po

from ridotto.present.narrator import DOMAIN, LANGUAGES

Sentence: TypeAlias = str | tuple[str, str]
"""A message, or its forms for one and for many."""

KEYWORDS: Final[dict[str, tuple[int, ...]]] = {
    "say": (0,),
    "mark": (0,),
    "BoxFault": (0,),
    "count": (0, 1),
    "Plural": (0, 1),
    "tell": (1, 2),
    "Tell": (0, 1),
}
"""The functions that take sentences, and the positions of these arguments."""
JINJA: Final[dict[str, tuple[int, ...]]] = {**KEYWORDS, "_": (0,), "gettext": (0,), "ngettext": (0, 1)}
"""The same in a template; a block `{% trans %}` calls the last two."""
PLURAL: Final = ("count", "Plural", "ngettext")
"""Those of them that take a singular and a plural form."""
TABLES: Final = ("ENDINGS", "PARTS")
"""Tables of the rules whose meanings are shown to players."""
TRANSLATED: Final = tuple(name for name in LANGUAGES if name != "en")
COMMENT: Final = "# Translate here with the glossary at hand, then collect and compile: see ridotto/cli/catalogues.py."
HEADER: Final = """\
Project-Id-Version: Ridotto
Language: {language}
MIME-Version: 1.0
Content-Type: text/plain; charset=utf-8
Content-Transfer-Encoding: 8bit
Plural-Forms: {plural}
"""


class Catalogue(Catalog):
    """The sentences in one language, under a header without dates or names."""

    def __init__(self, language: str) -> None:
        super().__init__(language, header_comment=COMMENT, fuzzy=False)

    def __iter__(self) -> Iterator[Message]:
        yield Message("", HEADER.format(language=self.locale_identifier, plural=self.plural_forms))
        yield from self._messages.values()


# Collecting.


def literals(source: str) -> Iterator[tuple[int, Sentence]]:
    """The sentences in a Python source, with their lines.

    Babel's own reader would take the key for a sentence here:

    >>> list(literals('say(ROLES[seen["seat"]]) + say("Farewell.")'))
    [(1, 'Farewell.')]
    >>> list(literals('words.count("{number} piece", "{number} pieces", n)'))
    [(1, ('{number} piece', '{number} pieces'))]
    >>> list(literals('Tell("You pass.", "{who} passes.")'))
    [(1, 'You pass.'), (1, '{who} passes.')]
    """
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Call):
            arguments = [one.value if isinstance(one, ast.Constant) else None for one in node.args]
            lines = [one.lineno for one in node.args]
            for at, sentence in _sentences(function_name(node), arguments, KEYWORDS):
                yield lines[at], sentence
        elif isinstance(node, ast.Assign) and getattr(node.targets[0], "id", "") in TABLES:
            named = [line for line in ast.walk(node.value) if isinstance(line, ast.Call) and function_name(line) == "Named"]
            for meaning in (meaning for line in named for meaning in line.args[2:3]):
                if isinstance(meaning, ast.Constant) and isinstance(meaning.value, str):
                    yield meaning.lineno, meaning.value


def template_literals(source: str) -> Iterator[tuple[int, Sentence]]:
    """The sentences in a template, with their lines.

    >>> list(template_literals('{{ say("Talk") }}\\n{% trans %}Hello{% endtrans %}'))
    [(1, 'Talk'), (2, 'Hello')]
    """
    from jinja2 import Environment
    from jinja2.ext import extract_from_ast

    tree = Environment(extensions=["jinja2.ext.i18n"]).parse(source)
    for line, name, arguments in extract_from_ast(tree, tuple(JINJA), babel_style=False):
        for _, sentence in _sentences(name, arguments if isinstance(arguments, tuple) else (arguments,), JINJA):
            yield line, sentence


def _sentences(name: str, arguments: Sequence[object], keywords: dict[str, tuple[int, ...]]) -> Iterator[tuple[int, Sentence]]:
    """The sentences among the arguments of a call, each with the number of its argument."""
    texts = [(at, arguments[at]) for at in keywords.get(name, ()) if at < len(arguments)]
    messages = [(at, text) for at, text in texts if isinstance(text, str) and text]
    if name not in PLURAL:
        yield from messages
    elif len(messages) == 2:
        yield messages[0][0], (messages[0][1], messages[1][1])


SKELETON: Final = "skeleton"
"""The folder with the template of a new game, whose sentences are translated in the new game's own package."""


def function_name(call: ast.Call) -> str:
    """The name of the function in a call, without what stands before a dot."""
    return str(getattr(call.func, "id", getattr(call.func, "attr", "")))


def roots(package: Path) -> list[Path]:
    """The folders of a package that have catalogues of their own: the package, and every game in it."""
    games = [path.parent for path in sorted(package.rglob("rules.py")) if (path.parent / "ui" / "words.py").exists()]
    games = [folder for folder in games if SKELETON not in folder.relative_to(package).parts]
    return [package, *(folder for folder in games if folder != package)]


def sources(root: Path, package: Path) -> list[Path]:
    """The Python files and templates whose sentences are in the catalogues of one of the `roots` of a package."""
    others = [other for other in roots(package) if other != root and other.is_relative_to(root)]
    paths = sorted([*root.rglob("*.py"), *root.rglob("*.html")])
    paths = [path for path in paths if SKELETON not in path.relative_to(root).parts]
    return [path for path in paths if not any(path.is_relative_to(other) for other in others)]


def collected(root: Path, package: Path) -> Catalog:
    """All sentences in the sources of one of the `roots` of a package, with their places."""
    sentences = Catalog()
    for path in sources(root, package):
        name = path.relative_to(package.parent).as_posix()
        read = literals if path.suffix == ".py" else template_literals
        for line, message in read(path.read_text("utf-8")):
            sentences.add(message, locations=[(name, line)])
    return sentences


# Reading and writing.


def catalogue_file(root: Path, language: str) -> Path:
    """The catalogue of a language in a folder, as people edit it; compiled, it has the suffix .mo."""
    return root / "locale" / language / "LC_MESSAGES" / f"{DOMAIN}.po"


def read(path: Path, language: str) -> Catalogue:
    """The catalogue in a .po file; an empty one if there is no file yet."""
    catalogue = Catalogue(language)
    if path.exists():
        for message in read_po(BytesIO(path.read_bytes()), locale=language):
            if message.id:
                catalogue[message.id] = message
    return catalogue


def as_po(catalogue: Catalogue) -> bytes:
    """A catalogue as the bytes of a .po file."""
    file = BytesIO()
    write_po(file, catalogue, width=0, sort_output=True, ignore_obsolete=True, include_lineno=False)
    return file.getvalue().rstrip() + b"\n"


def as_mo(catalogue: Catalogue) -> bytes:
    """A catalogue as the bytes of a .mo file, without fuzzy messages."""
    file = BytesIO()
    write_mo(file, catalogue)
    return file.getvalue()


# Checking.


def forms(sentence: object) -> tuple[str, ...]:
    """A sentence, or a translation, in all its forms."""
    return tuple(map(str, sentence)) if isinstance(sentence, list | tuple) else (str(sentence or ""),)


def gaps(text: str) -> set[str]:
    """The names of the gaps in a message, in braces or as a block `{% trans %}` has them.

    >>> sorted(gaps("{who} goes {to}.")), sorted(gaps("%(count)s tables"))
    (['to', 'who'], ['count'])
    """
    return {name for _, name, _, _ in Formatter().parse(text) if name is not None} | set(re.findall(r"%\((\w+)\)s", text))


def faults(catalogue: Catalogue) -> list[str]:
    """All messages of a catalogue that are not correctly translated, one line each."""
    lines = []
    for message in catalogue:
        if not message.id:
            continue
        fault = _fault(forms(message.id), forms(message.string), message.fuzzy)
        if fault:
            places = ", ".join(f"{name}:{line}" if line else name for name, line in message.locations)
            lines.append(f"{fault}: {forms(message.id)[0]!r} ({places})")
    return lines


def _fault(message: Sequence[str], translation: Sequence[str], fuzzy: bool) -> str:
    if not all(translation):
        return "untranslated"
    if fuzzy:
        return "fuzzy"
    try:
        same = all(gaps(form) == gaps(message[-1]) for form in (*message, *translation))
    except ValueError as error:
        return f"braces do not match ({error})"
    return "" if same else "other gaps than the English"


def update(package: Path) -> int:
    """Update and compile all catalogues of a package; returns how many messages are left to translate."""
    left = 0
    for root in roots(package):
        sentences = collected(root, package)
        for language in TRANSLATED:
            path = catalogue_file(root, language)
            catalogue = read(path, language)
            catalogue.update(sentences)
            path.parent.mkdir(parents=True, exist_ok=True)
            for file, content in ((path, as_po(catalogue)), (path.with_suffix(".mo"), as_mo(catalogue))):
                if not file.exists() or file.read_bytes() != content:
                    file.write_bytes(content)
            lines = faults(catalogue)
            print(f"{root.name} {language}: {len(catalogue)} messages, {len(lines) or 'none'} to translate")
            for fault in lines:
                print(f"  {fault}")
            left += len(lines)
    if left:
        print("translate them in the .po files under locale/, take away `fuzzy` there, and run this again")
    return left


if __name__ == "__main__":
    if len(sys.argv) != 2 or not (Path(sys.argv[1]) / "__init__.py").exists():
        sys.exit("usage: python -m ridotto.cli.catalogues FOLDER, where FOLDER is that of a Python package")
    sys.exit(1 if update(Path(sys.argv[1]).resolve()) else 0)
