"""The tool that collects sentences and compiles catalogues, on small packages of its own."""

from __future__ import annotations

import gettext
from pathlib import Path

import pytest

from ridotto.cli import catalogues
from ridotto.cli.catalogues import catalogue_file, collected, literals, template_literals
from ridotto.present.narrator import LANGUAGES, Narrator


def translate(path: Path, old: str, new: str) -> None:
    """Edit a catalogue as a person would."""
    path.write_text(path.read_text("utf-8").replace(old, new), "utf-8")


def heard(package: Path, message: str) -> str:
    """A message through the French catalogue of a package."""
    with catalogue_file(package, "fr").with_suffix(".mo").open("rb") as file:
        return gettext.GNUTranslations(file).gettext(message)


def test_tool(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A new sentence is named until translated, a changed one is fuzzy and not spoken, one that is gone is dropped."""
    package = tmp_path / "house"
    package.mkdir()
    source, french = package / "words.py", catalogue_file(package, "fr")
    source.write_text('say("The curtain rises on {what}.", what=1)\nmark("box five")\n')

    assert 4 == catalogues.update(package)
    assert "untranslated: 'box five' (house/words.py:2)" in capsys.readouterr().out

    for path in (french, catalogue_file(package, "nl")):
        translate(path, 'five"\nmsgstr ""', 'five"\nmsgstr "loge cinq"')
        translate(path, '{what}."\nmsgstr ""', '{what}."\nmsgstr "{what} !"')
    assert 0 == catalogues.update(package)
    assert "{what} !" == heard(package, "The curtain rises on {what}.")
    before = {path: path.read_bytes() for path in sorted(package.rglob("*.?o"))}
    assert 4 == len(before)
    assert 0 == catalogues.update(package)
    assert before == {path: path.read_bytes() for path in sorted(package.rglob("*.?o"))}

    source.write_text('say("The curtain now rises on {what}.", what=1)\n')
    assert 2 == catalogues.update(package)
    assert "fuzzy: 'The curtain now rises on {what}.' (house/words.py:1)" in capsys.readouterr().out
    fuzzy = french.read_bytes()
    assert b"{what} !" in fuzzy and b"box five" not in fuzzy
    assert 2 == catalogues.update(package)
    assert fuzzy == french.read_bytes()
    assert "The curtain now rises on {what}." == heard(package, "The curtain now rises on {what}.")


def test_tool_minds_the_gaps(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A translation with other gaps than the English, or broken ones, is named; so is a plural form without its number."""
    package = tmp_path / "house"
    package.mkdir()
    (package / "words.py").write_text(
        'say("{who} sings.", who=1)\nsay("{who} rests.", who=1)\ncount("{number} box", "{number} boxes", n)\n'
        'count("{number} fan", "{number} fans", n)\n'
    )
    catalogues.update(package)
    french = catalogue_file(package, "fr")
    translate(french, 'sings."\nmsgstr ""', 'sings."\nmsgstr "{qui} chante."')
    translate(french, 'rests."\nmsgstr ""', 'rests."\nmsgstr "{who se repose."')
    translate(french, 'boxes"\nmsgstr[0] ""\nmsgstr[1] ""', 'boxes"\nmsgstr[0] "{number} loge"\nmsgstr[1] "{number} loges"')
    translate(french, 'fans"\nmsgstr[0] ""\nmsgstr[1] ""', 'fans"\nmsgstr[0] "un éventail"\nmsgstr[1] "des éventails"')
    capsys.readouterr()
    assert 4 + 3 == catalogues.update(package)
    out = capsys.readouterr().out
    assert "other gaps than the English: '{who} sings.'" in out
    assert "braces do not match" in out and "'{who} rests.'" in out
    assert "other gaps than the English: '{number} fan'" in out and 1 == out.count("{number} box")


def test_a_game_has_catalogues_of_its_own(tmp_path: Path) -> None:
    """Below the folder of a game sentences go to its own catalogues; a package that is one game has one set of them."""
    package = tmp_path / "house"
    game = package / "games" / "whist"
    (game / "ui").mkdir(parents=True)
    for name in ("rules", "ui/words", "ui/page"):
        (game / f"{name}.py").write_text(f'say("whist {name}")\n')
    (package / "cards.py").write_text('say("cards")\n')
    (package / "pages").mkdir()
    (package / "pages" / "lobby.html").write_text('<p>{{ say("Welcome, {name}.", name=name) }}</p>')
    assert [package, game] == catalogues.roots(package)
    assert [game] == catalogues.roots(game)
    assert {"cards", "Welcome, {name}."} == {str(one.id) for one in collected(package, package) if one.id}
    for whole in (package, game):
        assert {"whist rules", "whist ui/words", "whist ui/page"} == {str(one.id) for one in collected(game, whole) if one.id}


def test_plural_forms(tmp_path: Path) -> None:
    """A number chooses the form of a message by the rules of the language: in French, nothing is said in the singular."""
    package = tmp_path / "house"
    package.mkdir()
    (package / "words.py").write_text('count("{number} match", "{number} matches", n)\n')
    catalogues.update(package)
    for name, (one, many) in {
        "fr": ("{number} partie", "{number} parties"),
        "nl": ("{number} partij", "{number} partijen"),
    }.items():
        translate(catalogue_file(package, name), 'msgstr[0] ""\nmsgstr[1] ""', f'msgstr[0] "{one}"\nmsgstr[1] "{many}"')
    assert 0 == catalogues.update(package)
    said = {
        name: [
            Narrator(name, locales=(package / "locale",)).count("{number} match", "{number} matches", number)
            for number in (0, 1, 2)
        ]
        for name in LANGUAGES
    }
    assert ["0 matches", "1 match", "2 matches"] == said["en"]
    assert ["0 partie", "1 partie", "2 parties"] == said["fr"]
    assert ["0 partijen", "1 partij", "2 partijen"] == said["nl"]


def test_what_is_collected() -> None:
    """Texts given to say, mark, count and tell are collected, and what endings and parts mean; nothing else is."""
    source = 'say("a")\nwords.say(\n  "b "\n  "c", x=1)\nmark("d")\nsay(NAMES[at["e"]])\nprint("f")\nsay(g)\n'
    source += (
        'PARTS = Codes.of("Parts", Named("i", "1", "h"), Named("l", "1"))\nFAULTS = Codes.of("Faults", Named("j", "1", "k"))\n'
    )
    assert [(1, "a"), (3, "b c"), (5, "d"), (9, "h")] == sorted(literals(source))
    source = 'count("{number} m", "{number} n", 3)\ntext.count("o")\ntell(0, "p", "q")\ntell("r")\n'
    assert [(1, ("{number} m", "{number} n")), (3, "p"), (3, "q")] == list(literals(source))
    source = (
        '{{ say("a", b="c") }}{{ count("d", "e", f) }}\n{{ other("g") }}{% trans n %}h{% pluralize %}{{ n }} i{% endtrans %}'
    )
    assert [(1, "a"), (1, ("d", "e")), (2, ("h", "%(n)s i"))] == list(template_literals(source))
