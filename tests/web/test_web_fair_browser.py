"""The deal in real browsers: each adds its share and keeps a receipt, and works out every draw again when the match is over."""

from __future__ import annotations

import hashlib
import hmac
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from browsers import Guests, led_on
from click.testing import CliRunner
from playwright.sync_api import Browser, Page, Route, expect
from visitors import serving

from ridotto.cli import cli
from ridotto.core import record
from ridotto.core.fair import FairDeal, commit_to_share
from ridotto.core.match import Match
from ridotto.core.verify import read_receipt, verify
from ridotto.engine.errors import RidottoError
from ridotto.games import GAMES
from ridotto.web.pages.assets import script_address


@pytest.fixture(scope="module")
def base(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with serving(tmp_path_factory.mktemp("fair")) as process:
        yield process.base


@pytest.fixture
def guests(browser: Browser, base: str) -> Iterator[Guests]:
    guests = Guests(browser, base)
    yield guests
    for context in guests.contexts:
        context.close()
    assert [] == guests.faults


def table_of(page: Page) -> str:
    return page.url.rsplit("/", 1)[1]


def receipt(page: Page) -> Any:
    return page.evaluate(f"JSON.parse(localStorage['ridotto.receipt.{table_of(page)}'])")


def load_fair(page: Page) -> None:
    """Give the test the module that the page has."""
    page.evaluate("async (address) => { window.fair = await import(address) }", script_address("fair.js"))


def over(guests: Guests) -> tuple[Page, Page]:
    """Two people who have sat down, been dealt to, and of whom one has resigned."""
    one = guests()
    with led_on(one):
        one.locator(".offer-fantome .at-once button[name=friend]").click()
    expect(one.locator("#ask")).to_contain_text("It is dealt when everybody sits.")
    two = guests(one.locator("#ask .link-box input").first.input_value().removeprefix(guests.base), width=390, height=800)
    with led_on(two):
        two.locator(".join-form button").click()
    for page in (one, two):
        expect(page.locator("#log li").first).to_be_attached()
        expect(page.locator("[data-undealt]")).to_have_count(0)
    resign = two.locator("#resign button")
    resign.click()
    with led_on(two):
        resign.click()
    expect(one.locator("#question")).to_have_text("You have won.")
    return one, two


def test_two_browsers_deal_and_verify(guests: Guests, tmp_path: Path) -> None:
    """Their receipts stand by the record, for the page, for the command, and for a page on a disk; a changed draw does not."""
    one, two = over(guests)
    document = one.evaluate(f"fetch('/t/{table_of(one)}/record').then((answer) => answer.json())")
    assert None not in document["deal"]["shares"]
    for seat, page in enumerate((one, two)):
        kept = read_receipt(receipt(page))
        assert kept.seat == seat and kept.head is not None
        assert verify(document, GAMES, kept).is_right
    assert receipt(one)["share"] != receipt(two)["share"]
    with one.expect_download() as saved:
        one.locator("[data-receipt]").click()
    (tmp_path / "receipt.json").write_bytes(saved.value.path().read_bytes())
    assert json.loads((tmp_path / "receipt.json").read_text()) == receipt(one)
    with led_on(one):
        one.locator("a[href^='/verify#']").click()
    expect(one.locator("output .right")).to_contain_text("draws are as they must be")
    expect(one.locator("output")).to_contain_text("The receipt fits")

    # Elsewhere, with a record that was changed: of the same form, but another draw, with a chain that fits.
    assert 0 == CliRunner().invoke(cli, ["verify", "--page", str(tmp_path / "verify.html"), "--language", "fr"]).exit_code
    alone = one.context.new_page()
    alone.goto(f"file://{tmp_path / 'verify.html'}")
    (tmp_path / "record.json").write_text(json.dumps(document))
    alone.locator("#verify-record").set_input_files(tmp_path / "record.json")
    expect(alone.locator("output .right")).to_contain_text("tirages sont tels qu'ils doivent être")
    alone.locator("#verify-receipt").set_input_files(tmp_path / "receipt.json")
    expect(alone.locator("output")).to_contain_text("Le reçu concorde")
    document["entries"][0]["draws"][2] += 1
    (tmp_path / "changed.json").write_text(json.dumps(document))
    alone.locator("#verify-record").set_input_files(tmp_path / "changed.json")
    expect(alone.locator("output .wrong")).to_contain_text("l'empreinte de l'entrée 0")
    (tmp_path / "nonsense.json").write_text("nonsense")
    alone.locator("#verify-record").set_input_files(tmp_path / "nonsense.json")
    expect(alone.locator("output .wrong")).to_contain_text("Ce n'est pas l'enregistrement")
    guests.faults[:] = [fault for fault in guests.faults if not fault.startswith("file:")]


def test_a_share_is_shown_for_one_match_alone(guests: Guests) -> None:
    """A server that asks for it at another table, to choose a secret that suits it, gets nothing; a new share it gets."""
    one, _ = over(guests)
    kept = receipt(one)
    one.goto(guests.base)
    with led_on(one):
        one.locator(".offer-fantome .at-once button[name=friend]").click()
    expect(one.locator("#ask")).to_contain_text("It is dealt when everybody sits.")
    shown: list[str] = []

    def take(route: Route) -> None:
        shown.append(json.loads(route.request.post_data or "")["share"])
        route.fulfill(status=204)

    one.route("**/share", take)
    ask = """(commitment) => {
        const deal = document.createElement("i");
        const [match, hash] = [document.body.dataset.table, "0".repeat(64)];
        deal.dataset.deal = JSON.stringify({ match, commitment: hash, commitments: [commitment, null], shares: [null, null] });
        document.querySelector("#ask [data-deal]")?.remove();
        document.getElementById("ask").append(deal);
    }"""
    one.evaluate(ask, kept["commitments"][0])
    one.evaluate("() => new Promise((done) => setTimeout(done))")
    fresh = "7" * 64
    one.evaluate("([name, share]) => localStorage.setItem(name, share)", [f"ridotto.share.{commit_to_share(fresh)}", fresh])
    with one.expect_request("**/share"):
        one.evaluate(ask, commit_to_share(fresh))
    one.wait_for_timeout(0)
    assert shown == [fresh]


def test_the_script_refuses_what_python_refuses(guests: Guests) -> None:
    """A deal that is not written as it should be is none, though its hashes may fit."""
    page = guests("/verify")
    fair = FairDeal.new("aBc", "5" * 64, [commit_to_share("1" * 64), None]).with_share(0, "1" * 64)
    match = Match(GAMES["fantome"], fair=fair)
    match.resign(0)
    document = record.write(match)
    told = "(record) => { try { return fair.verify(record).wrong } catch (error) { return error.message } }"
    load_fair(page)
    assert page.evaluate(told, document) == []
    changes: list[dict[str, Any]] = [{"shares": []}, {"shares": ["1" * 64]}, {"commitments": ["x", None]}]
    for change in (*changes, {"secret": "5"}, {"match": "a b"}):
        changed = {**document, "deal": document["deal"] | change}
        assert page.evaluate(told, changed) == "record", change
        with pytest.raises(RidottoError):
            verify(changed, GAMES)


def test_the_script_works_out_what_python_does(guests: Guests) -> None:
    """Hashes of texts of all lengths around a block, keyed ones, draws that are tried again, and what a cheat changes."""
    page = guests("/verify")
    load_fair(page)
    texts = ["", "abc", "é€𝄞", *("x" * length for length in (54, 55, 56, 63, 64, 65, 119, 120, 1000))]
    assert page.evaluate("(texts) => texts.map(fair.sha256)", texts) == [
        hashlib.sha256(text.encode()).hexdigest() for text in texts
    ]
    key = "0f" * 32
    assert page.evaluate("([key, texts]) => texts.map((text) => fair.hmac(key, text))", [key, texts]) == [
        hmac.digest(key.encode(), text.encode(), "sha256").hex() for text in texts
    ]
    from ridotto.core.fair import RANGE, Keyed

    for outcomes in (2, 6, 10, 997, RANGE // 2 + 1):
        drawn = page.evaluate(
            "([key, outcomes]) => [...Array(20).keys()].map((number) => fair.draw(key, 7, number, outcomes))", [key, outcomes]
        )
        assert drawn == [Keyed(key).draw(7, number, outcomes) for number in range(20)]
