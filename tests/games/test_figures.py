"""The figures of the rulebooks: what they show is what the text beside them says."""

from __future__ import annotations

import re
from html import unescape
from pathlib import Path
from xml.etree import ElementTree

import pytest
from owners import box_of_an_owner

from ridotto.core.match import Match
from ridotto.games import GAMES
from ridotto.present.figures import SCHEME, figures, matches, picture
from ridotto.present.narrator import LANGUAGES
from ridotto.present.svg import THEMES
from ridotto.web.pages.rulebook import rulebook

IMAGE = re.compile(rf'!\[([^\]]*)\]\({SCHEME}(\w+) "([^"]+)"\)')
DRAWN = [name for name in GAMES if figures(GAMES[name])]


def images(game: str, language: str) -> dict[str, tuple[str, str, str]]:
    """The figures that a book shows: the § of each, the text for those who cannot see it, the caption."""
    found, section = {}, ""
    for line in GAMES[game].rulebook(language).read_text("utf-8").splitlines():
        if heading := re.match(r"##+ §([\d.]+) ", line):
            section = heading[1]
        if image := IMAGE.fullmatch(line):
            assert image[2] not in found, "shown twice"
            found[image[2]] = section, image[1], image[3]
        else:
            assert SCHEME not in line, f"an image that is none: {line}"
    return found


def shown(game: str, name: str) -> list[Match]:
    """The matches that the parts of a figure show."""
    return matches(GAMES[game], name)


def test_which_games_have_figures() -> None:
    """All of ours have."""
    assert ["fantome", "opera", "turandot"] == DRAWN


@pytest.mark.parametrize("name", DRAWN)
def test_the_books_show_every_figure(name: str) -> None:
    """Each language shows every figure once, in the same §, with a text and a caption of its own."""
    books = {language: images(name, language) for language in LANGUAGES}
    for language, book in books.items():
        assert set(figures(GAMES[name])) == set(book), language
        assert {key: one[0] for key, one in books["en"].items()} == {key: one[0] for key, one in book.items()}
    for figure in figures(GAMES[name]):
        texts = [text for book in books.values() for text in book[figure][1:]]
        assert len(set(texts)) == 2 * len(LANGUAGES) and all(len(text) > 15 for text in texts)


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", DRAWN)
def test_figures_as_files(name: str, language: str, theme: str) -> None:
    """Each is one self-contained SVG with its text, in the colours of a theme, and nothing in it can be clicked."""
    for figure, (_, alt, _) in images(name, language).items():
        text = picture(GAMES[name], figure, language, alt, theme)
        root = ElementTree.fromstring(text)
        assert alt == root[0].text and THEMES[theme]["velvet"] in text
        assert not re.search(r'data-|tabindex|role="|href=|<script', text)
        assert root.get("viewBox") == f"0 0 {root.get('width')} {root.get('height')}"


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", DRAWN)
def test_figures_on_the_page(name: str, language: str) -> None:
    """The page draws each in place, with its text for those who cannot see it and its caption."""
    book = rulebook(GAMES[name], language)
    assert book is not None and SCHEME not in book.html
    found = re.findall(r'<figure class="figure (\w+)"><div class="drawings" role="img" aria-label="([^"]*)"', book.html)
    ids = re.findall(r'\bid="([^"]+)"', book.html)
    assert len(set(ids)) == len(ids)
    assert set(re.findall(r"url\(#([^)]+)\)", book.html)) <= set(ids)
    wanted = images(name, language)
    assert sorted((name, alt) for _, alt, _ in wanted.values()) == sorted((game, unescape(alt)) for game, alt in found)
    for _, _, caption in wanted.values():
        assert f"<figcaption>{caption}</figcaption>" in unescape(book.html)


def test_a_language_changes_the_words_of_a_figure() -> None:
    """What is written in a figure is in the language of the book."""
    told = {language: picture(GAMES["fantome"], "manifestation", language, "", "light") for language in LANGUAGES}
    assert "catacombs" in told["en"] and "catacombes" in told["fr"] and "catacomben" in told["nl"]


@pytest.mark.parametrize("name", ["opera", "turandot"])
def test_a_book_shows_the_standard_box(name: str, tmp_path: Path) -> None:
    """Whatever box a game is played with: the book speaks of the standard one, and so its figures show that."""
    other = GAMES[name].with_box(box_of_an_owner(name, tmp_path))
    for figure in figures(GAMES[name]):
        assert picture(GAMES[name], figure, "en", "", "light") == picture(other, figure, "en", "", "light")


# What the text beside each figure says of its position.


def test_movement() -> None:
    """§4.1: Moncharmin has two steps; he reaches 2 and 3."""
    [match] = shown("fantome", "movement")
    place = match.position()["place"]
    assert ("3", "1", "1", "0-1") == (place["giry"], place["richard"], place["moncharmin"], match.position()["padlock"])
    assert 1 == list(place.values()).count("3") and 2 == list(place.values()).count("1")
    assert ["move 2", "move 3"] == list(match.legal(0))


def test_passages() -> None:
    """§5.2: Meg, alone in 1 beside the padlock, reaches 2, 5 and 7."""
    [match] = shown("fantome", "passages")
    assert 1 == list(match.position()["place"].values()).count("1") and "0-1" == match.position()["padlock"]
    assert ["move 2", "move 5", "move 7"] == list(match.legal(0))


def test_manifestation() -> None:
    """§6.2, §6.3: who stands where, and where La Carlotta would go."""
    match, _ = shown("fantome", "manifestation")
    rooms: dict[str, set[str]] = {}
    for who, room in match.position()["place"].items():
        rooms.setdefault(room, set()).add(who)
    assert {
        "9": {"christine", "raoul"},
        "8": {"richard", "giry"},
        "7": {"meg"},
        "6": {"buquet", "persan"},
        "5": {"moncharmin"},
    } == rooms
    assert ("8", 8, 8) == (match.position()["dark"], match.position()["carlotta"], len(match.position()["suspects"]))
    drawn = picture(GAMES["fantome"], "manifestation", "en", "", "light")
    assert "8 → 13" in drawn and "8 → 12" in drawn


def table(match: Match) -> list[tuple[str, int]]:
    """The budget table, in order: colours and levels."""
    position = match.position()
    order = [seat for seat in position["order"].values() if seat is not None]
    return [(GAMES["opera"].roles[int(seat)], position["level"][seat]) for seat in order]


def test_budget() -> None:
    """§3.2: bids of 1, nothing, 2 and 5."""
    before, after = shown("opera", "budget")
    assert [("yellow", 4), ("red", 4), ("green", 2), ("blue", 0)] == table(before)
    assert [("yellow", 5), ("blue", 5), ("red", 4), ("green", 4)] == table(after)


def test_along() -> None:
    """§4.3: Red hires, Green builds two parts along and Blue one."""
    before, after = shown("opera", "along")
    assert [("red", 9), ("green", 6), ("blue", 5), ("yellow", 0)] == table(before)
    assert [("red", 7), ("green", 4), ("blue", 4), ("yellow", 0)] == table(after)
    assert (0,) == after.to_act and "hire" == after.position()["asked"]
    assert ["architetto"] == after.position()["taken"]


def ladder(match: Match) -> list[str]:
    """The composers from the top down."""
    fame = match.position()["fame"]
    return sorted(fame, key=lambda name: -fame[name])


def test_fame() -> None:
    """§7.1: Mozart and Monteverdi are performed three times and rise."""
    before, after = shown("opera", "fame")
    great = [piece for halls in before.position()["great"].values() for piece in halls.values()]
    assert 3 == great.count("mozart") == great.count("monteverdi")
    assert ["verdi", "mozart", "handel", "wagner", "beethoven", "monteverdi"] == ladder(before)
    assert ["mozart", "verdi", "handel", "wagner", "monteverdi", "beethoven"] == ladder(after)
    assert (2, 3) == (before.position()["round"], after.position()["round"])


def test_clash() -> None:
    """§5.2, §5.4: Ada and Bruno win, Clara hires, Dario is outbid."""
    match, *_ = shown("turandot", "clash")
    position = match.position()
    assert ["pirouette", "grosjean", None, None] == [position["troupe"][seat]["1"] for seat in "0123"]
    assert [None, "zia", "isaure", None, "clairvent"] == [position["offer"][number] for number in "12345"]
    assert [3, 2, 2, 3] == [position["money"][seat] for seat in "0123"] and 1 == position["elements"]["2"]
    assert ["bid 4 0 bluff", "bid 1 1 plain", "money bluff", "bid 1 0 plain"] == [position["shown"][seat] for seat in "0123"]
    assert ["2", "3"] == position["lacking"]


def test_casting() -> None:
    """§8.5: with Tartempion as Pang, Clara's total is 21."""
    match, _ = shown("turandot", "casting")
    assert ["cast bouboule"] == list(match.legal(2))
    match.play("cast bouboule", 2)
    while match.to_act:
        seat = match.to_act[0]
        match.play(match.legal(seat)[0], seat)
    assert match.outcome is not None
    parts = match.outcome.parts[2]
    assert 21 == match.outcome.scores[2] == sum(parts.values())
    assert [18, 2, -2, 1, 2] == [value for value in parts.values() if value]
