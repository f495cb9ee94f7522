"""Members in a real browser: a passkey made and used, a device lost, a guest who stays, and being forgotten."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from browsers import Guests, begin, chromium, led_on
from playwright.sync_api import Browser, Page, expect
from visitors import serving


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with chromium() as found:
        yield found


@pytest.fixture
def guests(browser: Browser, tmp_path: Path) -> Iterator[Guests]:
    with serving(tmp_path, club=True) as server:
        guests = Guests(browser, server.base.replace("127.0.0.1", "localhost"))
        yield guests
        for context in guests.contexts:
            context.close()


def with_device(page: Page) -> None:
    """Give a browser a device that makes passkeys, and whose owner is always there."""
    client = page.context.new_cdp_session(page)
    client.send("WebAuthn.enable")
    options = {"protocol": "ctap2", "transport": "internal", "hasResidentKey": True, "hasUserVerification": True}
    client.send(
        "WebAuthn.addVirtualAuthenticator",
        {"options": {**options, "isUserVerified": True, "automaticPresenceSimulation": True}},
    )


def become_member(page: Page, name: str) -> None:
    page.goto(page.url.split("/t/")[0].rstrip("/") + "/me")
    form = page.locator("form[data-passkey=register]")
    form.locator("input[name=name]").fill(name)
    with led_on(page):
        form.get_by_role("button").click()
    expect(page.locator("h1")).to_have_text(name)


def test_a_guest_stays_loses_the_device_and_comes_back(guests: Guests) -> None:
    """A guest begins a match, becomes a member by a passkey, signs in by it elsewhere in time; with the device gone, a
    recovery code opens another one, and the match is there."""
    page = guests("/")
    with_device(page)
    begin(page, "fantome")
    table = page.url
    become_member(page, "Anna")
    with led_on(page):
        page.get_by_role("button", name="Make recovery codes").click()
    codes = page.locator(".codes code").all_inner_texts()
    assert 10 == len(codes)
    with led_on(page):
        page.get_by_role("button", name="Sign out on this device").click()
    expect(page.locator(".welcome")).to_contain_text("Welcome.")
    page.goto(guests.base + "/signin")
    with led_on(page):
        page.get_by_role("button", name="Sign in with a passkey").click()
    expect(page.locator(".welcome")).to_contain_text("Welcome, Anna.")

    other = guests("/signin")  # another device, without a passkey
    with_device(other)
    other.get_by_label("One of your codes").fill(codes[0])
    with led_on(other):
        other.get_by_role("button", name="Sign in with this code").click()
    expect(other.locator("h1")).to_have_text("Anna")
    other.goto(guests.base + "/")
    assert table.removeprefix(guests.base) in other.locator(".table-line a").evaluate_all("all => all.map(a => a.pathname)")
    other.goto(guests.base + "/me")
    with led_on(other):
        other.get_by_role("button", name="Make a passkey on this device").click()
    with led_on(other):
        other.get_by_role("button", name="Remove").first.click()

    page.goto(guests.base + "/me")  # the lost device is somebody only as long as its cookie
    other.goto(guests.base + "/me/delete")
    with led_on(other):
        other.get_by_role("button", name="Sign out everywhere else").click()
    page.reload()
    expect(page.locator("h1")).to_have_text("You at Ridotto")
    page.goto(guests.base + "/signin")
    page.get_by_role("button", name="Sign in with a passkey").click()
    expect(page.locator("form[data-passkey=signin] .fault")).to_have_text("this passkey was not accepted")

    other.goto(guests.base + "/me/delete")
    other.get_by_label("Yes, forget me").check()
    with led_on(other):
        other.get_by_role("button", name="Forget me").click()
    other.goto(guests.base + "/")
    expect(other.locator(".welcome")).to_contain_text("Welcome.")
    assert [] == [fault for fault in guests.faults if "403" not in fault]


def test_a_name_that_is_taken_is_refused_with_another(guests: Guests) -> None:
    """One click takes what is proposed."""
    page, other = guests("/"), guests("/me")
    with_device(page)
    become_member(page, "Anna")
    other.goto(guests.base + "/")
    other.locator("#settings summary").click()
    other.locator("#settings input[name=name]").fill("Аnna")  # the first letter is Cyrillic
    with led_on(other):
        other.locator("#settings form:has(input[name=name]) button").last.click()
    expect(other.locator(".lead")).to_contain_text("Somebody here is called")
    with led_on(other):
        other.get_by_role("button", name="Take this name").click()
    expect(other.locator(".welcome")).to_contain_text("II")


@pytest.mark.parametrize("width", [1440, 390])
def test_the_way_in_is_reached_with_the_mouse(guests: Guests, width: int) -> None:
    """The words over the picture of the lobby let clicks through, but for their link."""
    page = guests("/", width=width)
    with led_on(page):
        page.locator(".hero a").click(timeout=10_000)
    expect(page.locator("h1")).to_have_text("You at Ridotto")


@pytest.mark.parametrize("width", [1440, 390])
def test_the_page_fits(guests: Guests, width: int) -> None:
    page = guests("/me", width=width)
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
