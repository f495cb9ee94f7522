"""Collect the sentences of the program, bring the catalogues up to date and compile them: what `make words` runs.

A catalogue changes only when a sentence does: its header is fixed, its messages are sorted, and it tells the files a
message stands in but not the lines. A sentence that changed keeps its old translation, marked fuzzy, until somebody
has looked at it; a sentence that is gone is gone.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Collection, Iterator
from io import BytesIO
from pathlib import Path
from string import Formatter
from typing import Final

from babel.messages.catalog import Catalog, Message
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po, write_po

from ridotto.core.narrator import LANGUAGES, LOCALE

PACKAGE: Final = LOCALE.parent
PENDING: Final[tuple[str, ...]] = ()
"""Folders of the package whose sentences are still to be translated, and left out until then."""
KEYWORDS: Final = ("say", "mark")
TABLES: Final = ("ENDINGS", "PARTS")
"""Tables of the rules whose meanings are said to people."""
TRANSLATED: Final = tuple(name for name in LANGUAGES if name != "en")
COMMENT: Final = "# The sentences of Ridotto. Translate here with docs/glossary.md at hand, then run `make words`."
HEADER: Final = """\
Project-Id-Version: Ridotto
Language: {language}
MIME-Version: 1.0
Content-Type: text/plain; charset=utf-8
Content-Transfer-Encoding: 8bit
"""


class Catalogue(Catalog):
    """The sentences in one language, under a header without dates or names."""

    def __init__(self, language: str) -> None:
        super().__init__(language, header_comment=COMMENT, fuzzy=False)

    def __iter__(self) -> Iterator[Message]:
        yield Message("", HEADER.format(language=self.locale_identifier))
        yield from self._messages.values()


def literals(source: str) -> Iterator[tuple[int, str]]:
    """The texts that `say` and `mark` are given in a source, and the meanings in its tables, with their lines.

    Babel's own reader would take the key for a sentence here:

    >>> list(literals('say(ROLES[seen["seat"]]) + say("Farewell.")'))
    [(1, 'Farewell.')]
    """
    for node in ast.walk(ast.parse(source)):
        found: list[ast.expr] = []
        if isinstance(node, ast.Call) and called(node) in KEYWORDS:
            found = node.args[:1]
        elif isinstance(node, ast.Assign) and getattr(node.targets[0], "id", "") in TABLES:
            lines = [line for line in ast.walk(node.value) if isinstance(line, ast.Call) and called(line) == "Named"]
            found = [meaning for line in lines for meaning in line.args[2:3]]
        for text in found:
            if isinstance(text, ast.Constant) and isinstance(text.value, str):
                yield text.lineno, text.value


def called(call: ast.Call) -> str:
    """The name of what is called, without what stands before a dot."""
    return str(getattr(call.func, "id", getattr(call.func, "attr", "")))


def collected(package: Path = PACKAGE, pending: Collection[str] = PENDING) -> Catalog:
    """Every sentence in the sources of a package, with the places it stands in."""
    sentences = Catalog()
    for path in sorted(package.rglob("*.py")):
        if path.relative_to(package).parts[0] not in pending:
            name = path.relative_to(package.parent).as_posix()
            for line, message in literals(path.read_text("utf-8")):
                sentences.add(message, locations=[(name, line)])
    return sentences


def read(path: Path, language: str) -> Catalogue:
    """The catalogue in a .po file; an empty one if there is no file yet."""
    catalogue = Catalogue(language)
    if path.exists():
        for message in read_po(BytesIO(path.read_bytes()), locale=language):
            if message.id:
                catalogue[message.id] = message
    return catalogue


def as_po(catalogue: Catalogue) -> bytes:
    """A catalogue as people edit it."""
    file = BytesIO()
    write_po(file, catalogue, width=0, sort_output=True, ignore_obsolete=True, include_lineno=False)
    return file.getvalue().rstrip() + b"\n"


def as_mo(catalogue: Catalogue) -> bytes:
    """A catalogue as gettext reads it, without what is fuzzy."""
    file = BytesIO()
    write_mo(file, catalogue)
    return file.getvalue()


def gaps(text: str) -> set[str]:
    """The names of the gaps in a message.

    >>> sorted(gaps("{who} goes {to}."))
    ['to', 'who']
    """
    return {name for _, name, _, _ in Formatter().parse(text) if name is not None}


def faults(catalogue: Catalogue) -> list[str]:
    """Everything that keeps a catalogue from being spoken, a line for each message."""
    found = []
    for message in catalogue:
        if not message.id:
            continue
        fault = _fault(str(message.id), str(message.string or ""), message.fuzzy)
        if fault:
            places = ", ".join(f"{name}:{line}" if line else name for name, line in message.locations)
            found.append(f"{fault}: {message.id!r} ({places})")
    return found


def _fault(message: str, translation: str, fuzzy: bool) -> str:
    if not translation:
        return "untranslated"
    if fuzzy:
        return "fuzzy"
    try:
        same = gaps(message) == gaps(translation)
    except ValueError as error:
        return f"braces do not match ({error})"
    return "" if same else "other gaps than the English"


def main(package: Path = PACKAGE, locale: Path = LOCALE, pending: Collection[str] = PENDING) -> int:
    """Update and compile the catalogues; 1 if there is something left to translate."""
    sentences = collected(package, pending)
    left = 0
    for language in TRANSLATED:
        path = locale / language / "LC_MESSAGES" / "ridotto.po"
        catalogue = read(path, language)
        catalogue.update(sentences)
        path.parent.mkdir(parents=True, exist_ok=True)
        for file, content in ((path, as_po(catalogue)), (path.with_suffix(".mo"), as_mo(catalogue))):
            if not file.exists() or file.read_bytes() != content:
                file.write_bytes(content)
        found = faults(catalogue)
        print(f"{language}: {len(catalogue)} messages, {len(found) or 'none'} to translate")
        for fault in found:
            print(f"  {fault}")
        left += len(found)
    if left:
        print("translate them in the .po files under ridotto/locale, take away `fuzzy` there, and run `make words` again")
    return 1 if left else 0


if __name__ == "__main__":
    sys.exit(main())
