"""Who is who: cookies, nonces, tokens, names, languages, the secret they hang on, and how often one may ask."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from ridotto.present.narrator import clean_name
from ridotto.web.identity import (
    BadSecret,
    Keys,
    Person,
    is_same_token,
    load_host_key,
    load_keys,
    new_id,
    preferred_language,
)
from ridotto.web.server.rate_limits import MOST, RateLimit
from ridotto.web.settings import Rate, Settings


def test_only_our_own_cookies_count() -> None:
    """A cookie is somebody if we signed it with this secret, and nobody otherwise."""
    ours, others = Keys(b"a" * 64), Keys(b"b" * 64)
    # The last letter of a signature has two bits that say nothing: here changing them alone is to be refused, too.
    person = next(one for one in iter(new_id, "") if ours.cookie(one).endswith("A"))
    cookie = ours.cookie(person)
    assert (person, 0) == ours.session(cookie)
    for forged in (
        others.cookie(person),
        person,
        f"{cookie[:-1]}B",
        f"{cookie[:-1]}Q",
        f"{cookie}x",
        f"{new_id()}.{cookie.partition('.')[2]}",
        "",
        None,
        "é.é",
        "x" * 999,
    ):
        assert ours.session(forged) is None, forged
    # Something else that the same secret signed is no person.
    assert ours.session(ours.cookie("../../etc")) is None


def test_a_nonce_belongs_to_one_person() -> None:
    """It is the same for the same person, and no one else's will do."""
    keys, one, two = Keys(b"a" * 64), new_id(), new_id()
    assert keys.is_nonce(Person(one), keys.nonce(one))
    for wrong in (keys.nonce(two), keys.nonce(one, 1), Keys(b"b" * 64).nonce(one), "", None, 3, "\ud800"):
        assert not keys.is_nonce(Person(one), wrong)


def test_a_cookie_is_of_one_generation() -> None:
    """Its number is signed with it, and written in one way alone; the first generation is that of version 0.1."""
    keys, person = Keys(b"a" * 64), "P" * 22
    assert "PPPPPPPPPPPPPPPPPPPPPP.d1QvCsR3sgOg3nFoOhza5yjhGaE6B7tD3R4UxCuqQEU" == keys.cookie(person)
    assert [(person, 0), (person, 1), (person, 12)] == [keys.session(keys.cookie(person, number)) for number in (0, 1, 12)]
    signature = keys.cookie(person, 1).rpartition(".")[2]
    for forged in ("", ".0", ".2", ".01", ".1.1", ".-1", ".9999999999", ".x"):
        assert keys.session(f"{person}{forged}.{signature}") is None, forged


def test_a_token_is_for_one_purpose_and_one_seat() -> None:
    """128 bits that change with the purpose, the table, the seat and the salt."""
    keys = Keys(b"a" * 64)
    tokens = {
        keys.token("sit", "t", 0, "s"),
        keys.token("me", "t", 0, "s"),
        keys.token("watch", "t", 0, "s"),
        keys.token("sit", "u", 0, "s"),
        keys.token("sit", "t", 1, "s"),
        keys.token("sit", "t", 0, "r"),
    }
    assert 6 == len(tokens)
    assert {32} == {len(token) for token in tokens}
    assert is_same_token("ab", "ab") and not is_same_token("ab", "aB") and not is_same_token("ab", "é\udc80")


def test_the_secret_is_made_once_for_its_owner(tmp_path: Path) -> None:
    """It is readable by nobody else, stays the same, and a bad one is refused."""
    path = tmp_path / "secret.key"
    first = load_keys(tmp_path).cookie("x" * 22)
    assert 0o600 == path.stat().st_mode & 0o777
    path.chmod(0o644)
    assert first == load_keys(tmp_path).cookie("x" * 22)
    assert 0o600 == path.stat().st_mode & 0o777
    if os.geteuid() == 0:  # whoever runs `ridotto admin page` as root leaves a key that the server can read
        os.chown(tmp_path, 4711, 4712)
        load_host_key(tmp_path)
        made = (tmp_path / "host.key").stat()
        assert (4711, 4712, 0o600) == (made.st_uid, made.st_gid, made.st_mode & 0o777)
    path.write_text("short")
    with pytest.raises(BadSecret, match="too short"):
        load_keys(tmp_path)
    with pytest.raises(BadSecret, match="cannot use the secret"):
        load_keys(tmp_path / "nowhere")


def test_no_id_looks_like_an_option(monkeypatch: pytest.MonkeyPatch) -> None:
    """`ridotto admin ban ID` takes every id that there can be: none begins with a dash."""
    drawn = iter(["-h" + "x" * 20, "--" + "x" * 20, "a-" + "x" * 20])
    monkeypatch.setattr("secrets.token_urlsafe", lambda _: next(drawn))
    assert "a-" + "x" * 20 == new_id()


@pytest.mark.parametrize(
    ("given", "shown"),
    [
        ("Enrico Caruso", "Enrico Caruso"),
        ("  many   spaces\tand\nlines ", "many spaces and lines"),
        ("\x00\x1b[31mred\x7f", "[31mred"),
        ("\u202egnihtemos\u2066", "gnihtemos"),
        ("\u200b\u200d\ufeff", ""),
        ("e\u0301", "é"),
        ("x" * 100, "x" * 40),
        ("<b>&amp;", "<b>&amp;"),
        ("\ud800", ""),
    ],
)
def test_names(given: str, shown: str) -> None:
    """Names are one line, visible, at most 40 characters; markup is left to the page to escape."""
    assert shown == clean_name(given)


@pytest.mark.parametrize(
    ("header", "language"),
    [
        ("", "en"),
        ("nl", "nl"),
        ("fr-CA,fr;q=0.9,en;q=0.8", "fr"),
        ("de,it;q=0.9", "en"),
        ("en;q=0.2, nl;q=0.3", "nl"),
        ("frr, nlx", "en"),
        ("nl;q=0", "en"),
        ("," * 5000, "en"),
    ],
)
def test_the_language_a_browser_likes(header: str, language: str) -> None:
    """The one of ours with the highest weight, else English."""
    assert language == preferred_language(header)


def test_buckets_fill_again_and_old_ones_are_forgotten() -> None:
    """A burst, then a steady rate, for each key by itself; memory is bounded."""
    now = [0.0]
    limit = RateLimit(Rate(3, 2.0), clock=lambda: now[0])
    assert [0.0, 0.0, 0.0, 0.5] == [limit.take("a") for _ in range(4)]
    now[0] = 0.5
    assert [0.0, 0.5] == [limit.take("a"), limit.take("a")]
    now[0] = 100.0
    assert [0.0, 0.0, 0.0, 0.5] == [limit.take("a") for _ in range(4)]
    for number in range(MOST + 10):
        limit.take(str(number))
    assert MOST == len(limit._buckets)


@pytest.mark.parametrize(
    ("given", "url"),
    [
        ("", "sqlite+aiosqlite:////data/ridotto.db"),
        ("postgres://u@h/d", "postgresql+asyncpg://u@h/d"),
        ("postgresql://u@h/d", "postgresql+asyncpg://u@h/d"),
        ("sqlite:///x.db", "sqlite+aiosqlite:///x.db"),
        ("postgresql+psycopg://u@h/d", "postgresql+psycopg://u@h/d"),
    ],
)
def test_the_database_by_its_url(given: str, url: str) -> None:
    """A URL as people write it gets a driver that does not block."""
    assert url == Settings(data=Path("/data"), database=given).url
