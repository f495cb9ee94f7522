"""Beside the match, in a real browser: clocks, stand-ins, takebacks, chat, one device for several, the call."""

from __future__ import annotations

import asyncio
import random
import re
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest
from browsers import ASKED, Guests, begin, changed, led_on, ply, sit_down, touch
from playwright.sync_api import Browser, Locator, Page, expect
from visitors import House, running, sat, services, serving, settings

from ridotto.core.match import Match
from ridotto.core.takeback import plan_takeback
from ridotto.games import GAMES
from ridotto.web.clocks import Terms
from ridotto.web.storage.table_settings import TableSettings
from ridotto.web.storage.tables import set_settings

SHORT = Terms("match", 6)
LONG = Terms("match", 600)


def drawn() -> Match:
    """Le Fantôme, after a decision of the first seat that made something be drawn, with that seat to act or the other."""
    for seed in range(60):
        match = Match(GAMES["fantome"], 2, seed=seed)
        for _ in range(40):
            if not match.to_act:
                break
            seat = match.to_act[0]
            match.play(match.legal(seat)[-1], seat)
            if match.to_act and match.entries[-1].draws and seat == 0:
                found = plan_takeback(match, 0)
                if not found.at_once and found.anew is not None:
                    return match
    raise AssertionError("no such moment")


def bids() -> Match:
    match = Match(GAMES["opera"], 2, seed=1)
    match.play("bid 3", 0)
    match.play("bid 5", 1)
    return match


def passed() -> Match:
    """Le Fantôme, after a decision of the first seat that asks the second, and that could go back at once."""
    for seed in range(80):
        match, dice = Match(GAMES["fantome"], 2, seed=seed), random.Random(seed)
        while match.to_act:
            seat = match.to_act[0]
            match.play(dice.choice(match.legal(seat)), seat)
            found = plan_takeback(match, 0) if seat == 0 and match.to_act == (1,) else None
            if found is not None and found.at_once and len(match.after(found.to + 1).legal(0)) > 1:
                return match
    raise AssertionError("no such moment")


LAST = passed().entries[-1].do


def prepared() -> dict[str, tuple[Match, TableSettings]]:
    return {
        "flag": (Match(GAMES["fantome"], 2, seed=7), TableSettings(clock=SHORT)),
        "clock": (Match(GAMES["opera"], 2, seed=7), TableSettings(clock=LONG)),
        "away": (Match(GAMES["fantome"], 2, seed=7), TableSettings()),
        "gone": (Match(GAMES["fantome"], 2, seed=7), TableSettings()),
        "safe": (Match(GAMES["opera"], 2, seed=7), TableSettings()),
        "consent": (bids(), TableSettings()),
        "anew": (drawn(), TableSettings()),
        "begun": (passed(), TableSettings()),
        "talk": (Match(GAMES["fantome"], 2, seed=7), TableSettings()),
        "call": (Match(GAMES["fantome"], 2, seed=7), TableSettings()),
    }


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    data = tmp_path_factory.mktemp("around")

    async def lay() -> dict[str, str]:
        found = {}
        async with running(settings(data)) as app:
            for name, (match, chosen) in prepared().items():
                table = await sat(app, match, *[""] * match.seats)
                await services(app).writer.change(table, [set_settings(table.id, chosen)])
                found[name] = table.id
        return found

    with ThreadPoolExecutor(1) as thread:
        tables = thread.submit(lambda: asyncio.run(lay())).result()
    with serving(data, takeover=1.0, tick=0.2, absence=0.3) as process:
        yield House(process.base, tables)


@pytest.fixture
def guests(browser: Browser, house: House) -> Iterator[Guests]:
    guests = Guests(browser, house.base)
    yield guests
    for context in guests.contexts:
        context.close()
    # A refusal that the test asks for is no fault of the page.
    assert [] == [fault for fault in guests.faults if "409 (Conflict)" not in fault]


def two(guests: Guests, house: House, name: str) -> tuple[Page, Page]:
    """Two people sit down, one after the other."""
    first = guests(f"/t/{house.tables[name]}")
    sit_down(first)
    second = guests(f"/t/{house.tables[name]}", language="fr")
    sit_down(second)
    expect(first.locator(".person.free")).to_have_count(0)
    return first, second


def noted(page: Page) -> Locator:
    """The last line of what happened around the match."""
    return page.locator("#talk-lines .noted .words").last


# Clocks.


TICKS = """() => {
  window.ticks = [];
  setInterval(() => {
    const rest = document.querySelector(".person.you .clock.running .rest")?.textContent;
    const other = document.querySelector(".person:not(.you) .clock:not(.running) .rest")?.textContent;
    if (rest && rest !== ticks.at(-1)?.[0]) ticks.push([rest, other]);
  }, 50);
}"""
"""Notes what the clocks show, one's own that runs and the other's that stands still."""


def test_clocks_tick_and_a_flag_falls(guests: Guests, house: House) -> None:
    """What happens when time is up is said beforehand; the clock counts down in figures; then it happens, with a note why."""
    first = guests(f"/t/{house.tables['flag']}")
    expect(first.locator("#extras")).to_contain_text("If you run out of time, you lose.")
    sit_down(first)
    expect(first.locator(".clock")).to_have_count(0)
    first.evaluate(TICKS)
    second = guests(f"/t/{house.tables['flag']}")
    sit_down(second)
    expect(second.locator("#question")).to_have_text("You have won.")
    expect(first.locator("#question")).to_have_text("You have lost.")
    expect(second.locator(".ending")).to_have_text("Inspector ran out of time.")
    expect(noted(first)).to_have_text("You ran out of time and lose.")
    rests, others = zip(*first.evaluate("ticks"), strict=True)
    assert len(rests) > 1 and sorted({*rests}, reverse=True) == list(rests), "each second once, one after the other"
    assert all(re.fullmatch("0:0[0-6]", one) for one in rests)
    assert {"0:06"} == {*others}


@pytest.mark.soak
def test_simultaneous_choices_let_all_clocks_run(guests: Guests, house: House) -> None:
    """While both owe a bid both clocks run; a bid stops its own."""
    first, second = two(guests, house, "clock")
    for page in (first, second):
        expect(page.locator(".clock.running")).to_have_count(2)
    first.locator('#ask [data-do="bid 3"]').first.click()
    for page in (first, second):
        expect(page.locator(".clock.running")).to_have_count(1)
    expect(first.locator(".you .clock")).to_have_text(re.compile("^(10:00|9:5[0-9])$"))


# Stand-ins.


def test_a_bot_plays_for_somebody_who_comes_back(guests: Guests, house: House) -> None:
    """One click lets a bot play, and another takes the seat back; both sides are told."""
    first, second = two(guests, house, "away")
    first.get_by_role("button", name="Let a bot play for me").click()
    expect(first.locator(".banner")).to_contain_text("A bot plays for you.")
    expect(second.locator(".person:not(.you)")).to_contain_text("un bot joue")
    expect(second.locator(ASKED)).to_be_visible()
    first.get_by_role("button", name="Take my seat back").click()
    expect(first.locator(".banner")).to_have_count(0)
    expect(second.locator(".person:not(.you)")).not_to_contain_text("un bot joue")
    second.locator("#ask button[data-do]").first.press("Enter")
    expect(noted(first)).to_have_text("You are back.")


def test_the_table_replaces_somebody_who_left(guests: Guests, house: House) -> None:
    """Whoever closes the page is away; after a while the host may let a bot play, and the match goes on."""
    first, second = two(guests, house, "gone")
    second.close()
    # The host is whoever laid the table, who is not here: the only other person asks, and nobody else has to agree.
    while first.locator(ASKED).count():
        before = ply(first)
        first.locator("#ask button[data-do]").first.press("Enter")
        changed(first, before)
    first.get_by_role("button", name="Let a bot play for Phantom").click()
    expect(first.locator(".person:not(.you)")).to_contain_text("a bot plays")
    expect(first.locator(ASKED)).to_be_visible()


# Takebacks.


def test_a_safe_takeback_is_granted_at_once(guests: Guests, house: House) -> None:
    """A bid that nobody has seen goes back with one click."""
    first, second = two(guests, house, "safe")
    first.locator('#ask [data-do="bid 3"]').first.click()
    expect(first.locator("#ask .waits")).to_be_visible()
    first.get_by_role("button", name="Take back").click()
    expect(first.locator(ASKED)).to_be_visible()
    expect(first.locator('#ask [data-do="bid 3"]').first).to_be_visible()
    expect(second.locator("#log li").first).to_contain_text("Coup repris.")
    expect(noted(second)).not_to_contain_text("Black")


def test_a_takeback_by_consent(guests: Guests, house: House) -> None:
    """The asker is told what was learned, then the other is; a refusal leaves the match as it is, consent takes it back."""
    first, second = two(guests, house, "consent")
    before = ply(first)
    for answer in ("Refuser", "Accepter"):
        first.get_by_role("button", name="Take back").click()
        expect(first.locator(".offer-box")).to_contain_text("Since then:")
        expect(second.locator(".offer-box")).to_have_count(0)
        first.get_by_role("button", name="Ask the others").click()
        expect(second.locator(".offer-box")).to_contain_text("Depuis")
        assert before == ply(first)
        second.get_by_role("button", name=answer, exact=True).click()
        for page in (first, second):
            expect(page.locator(".offer-box")).to_have_count(0)
    changed(first, before)
    expect(first.locator('#ask [data-do="bid 3"]').first).to_be_visible()


def test_a_takeback_with_what_was_learned_dealt_anew(guests: Guests, house: House) -> None:
    """The other agrees on condition that it is dealt anew."""
    first, second = two(guests, house, "anew")
    before = ply(first)
    first.get_by_role("button", name="Take back").click()
    first.get_by_role("button", name="Ask the others").click()
    second.get_by_role("button", name=re.compile("Accepter, mais")).click()
    changed(first, before)
    told = "You take back a move; what was revealed is dealt again."
    expect(noted(first)).to_have_text(told)


# One device for several.


def test_two_people_at_one_device(guests: Guests) -> None:
    """Between turns nothing but the hand-over is in the page; whoever taps sees their own seat."""
    page = guests()
    page.locator("#setup-fantome summary").click()
    form = page.locator("#setup-fantome form")
    form.locator("[name=seat1]").select_option("here")
    form.locator("[name=name]").fill("Ada")
    form.locator("[name=names]").fill("Bruno")
    with led_on(page):
        form.get_by_role("button", name="Create the table").click()
    expect(page.locator(".handover")).to_contain_text("Hand the device to Ada")
    for name, has_secret in (("Ada", 0), ("Bruno", 1)):
        expect(page).to_have_title(f"Hand the device to {name}")
        assert (0, 0) == (page.locator("#board *").count(), page.locator("[data-do], #log *").count())
        box = page.locator(".handover").bounding_box()
        assert box and (1440, 900) == (box["width"], box["height"])
        expect(page.locator("#handed")).to_be_focused() if has_secret else None
        page.get_by_role("button", name=f"I am {name}").click()
        expect(page.locator(ASKED)).to_be_visible()
        expect(page.locator(".person.you")).to_contain_text(name)
        expect(page.locator("#pane-secret")).to_have_count(has_secret)
        while page.locator(ASKED).count():
            before = ply(page)
            # A list whose answers are put together from parts is folded away, and cannot have the focus.
            touch(page.locator("#ask button[data-do]").first)
            changed(page, before)


# Talk.


def test_people_talk(guests: Guests, house: House) -> None:
    """What one says the others read, as text; a number tells of what is new; a reader mutes, and only for themselves."""
    first, second = two(guests, house, "talk")
    watcher = guests(f"/t/{house.tables['talk']}", width=360, height=740, language="nl")
    before = first.locator("#board").inner_html()
    second.locator("#talk summary").first.click()
    second.locator(".talk-form [name=text]").fill("<i>Bonsoir</i> & bonne chance")
    second.keyboard.press("Enter")
    for page in (first, watcher):
        expect(page.locator("#talk .unread")).to_have_text("1")
        page.locator("#talk summary").first.click()
        expect(page.locator("#talk-lines .said .words")).to_have_text("<i>Bonsoir</i> & bonne chance")
        expect(page.locator("#talk .unread")).to_be_hidden()
    assert watcher.evaluate("() => document.documentElement.scrollWidth <= innerWidth")
    box = watcher.locator(".talk-drawer").bounding_box()
    assert box and box["x"] >= 0 and box["x"] + box["width"] <= 360
    first.locator("#talk-lines .more summary").click()
    first.get_by_role("button", name=re.compile("^Mute")).click()
    expect(first.locator("#talk-lines .said .words")).to_have_text("muted")
    expect(second.locator("#talk-lines .said .words")).to_have_text("<i>Bonsoir</i> & bonne chance")
    assert before == first.locator("#board").inner_html()


# The call.


UNSEEN = """() => {
  window.notices = [];
  window.Notification = class {
    static permission = "granted";
    constructor(title, more) { window.notices.push([title, more.body]); }
  };
  Object.defineProperty(document, "hidden", { get: () => true });
  document.dispatchEvent(new Event("visibilitychange"));
}"""
"""The page is behind another one, in a browser that allows notifications."""


def test_the_page_calls_when_it_is_your_turn(guests: Guests, house: House) -> None:
    """With the setting on, a sound is made when the turn comes, once, and none while it lasts; if nobody sees the page and the
    browser allows it, there is a notification besides."""
    first, second = two(guests, house, "call")
    second.locator("#settings summary").click()
    second.locator("[data-setting=call]").check()
    second.evaluate("() => { window.calls = 0; document.addEventListener('called', () => window.calls++); }")

    def decides(page: Page) -> None:
        """As long as it is asked."""
        expect(page.locator(ASKED)).to_be_visible()
        while page.locator(ASKED).count():
            before = ply(page)
            page.locator("#ask button[data-do]").first.press("Enter")  # a click where the last one fell may be guarded
            changed(page, before)

    decides(first)
    expect(second.locator(ASKED)).to_be_visible()
    second.wait_for_function("() => window.calls === 1")
    decides(second)
    assert 1 == second.evaluate("() => window.calls")
    second.evaluate(UNSEEN)
    decides(first)
    second.wait_for_function("() => window.calls === 2")
    assert [["C'est à vous – Le Fantôme de l'Opéra", "C'est à vous."]] == second.evaluate("() => window.notices")


# Room for everything.

OVERLAPS = """
() => [...document.querySelectorAll("#people .person")].flatMap((person) => {
  const words = [...person.querySelectorAll("b, small, .score")];
  const boxes = words.map((one) => one.getBoundingClientRect()).filter((box) => box.width);
  const meet = (one, other) => Math.min(one.right, other.right) - Math.max(one.left, other.left) > 1 &&
    Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top) > 4;
  return boxes.flatMap((one, at) => boxes.slice(at + 1).filter((other) => meet(one, other)).map(() => person.textContent));
})
"""
"""Players whose name, role or score lie upon each other."""


@pytest.mark.parametrize("width", [1440, 1600])
def test_players_are_legible_beside_the_drawer(guests: Guests, width: int) -> None:
    page = guests(width=width)
    begin(page, "fantome")
    expect(page.locator(ASKED)).to_be_visible()
    page.locator("#ask .aid", has_text="Why not?").click()
    expect(page.locator("#beside[open]")).to_be_visible()
    assert [] == page.evaluate(OVERLAPS)


def test_the_offer_to_call_leaves_the_board_free(guests: Guests) -> None:
    page = guests(width=1366, height=768)
    page.evaluate("localStorage.removeItem('call')")
    begin(page, "turandot")
    page.evaluate("document.querySelector('#calling').hidden = false")
    expect(page.locator("#calling")).to_be_visible()
    offer, board = page.locator("#calling").bounding_box(), page.locator("#board").bounding_box()
    assert offer and board and offer["x"] >= board["x"] + board["width"]


# The form of a new table.


def test_the_form_asks_for_what_goes_with_a_clock(guests: Guests) -> None:
    """A clock shows the seconds of a turn and what happens when time is up; no clock hides both, days for a move the seconds.
    What was chosen is agreed on at the table."""
    page = guests()
    page.locator("#setup-fantome summary").click()
    form = page.locator("#setup-fantome form")
    clock, added, leaving = (form.locator(f"[name={name}]") for name in ("clock", "added", "leaving"))
    for chosen, seconds, end in (("", False, False), ("move:86400", False, True), ("match:600", True, True)):
        clock.select_option(chosen)
        expect(added).to_be_visible(visible=seconds)
        expect(leaving).to_be_visible(visible=end)
    leaving.select_option("")  # the usual is a choice like any other
    expect(added).to_be_visible()
    added.fill("7")
    leaving.select_option("bot")
    form.locator("[name=takebacks]").select_option("never")
    form.locator("[name=seat1]").select_option("open")
    with led_on(page):
        form.get_by_role("button", name="Create the table").click()
    terms = page.locator("#extras")
    expect(terms).to_contain_text("10 minutes each, and 7 s more for each turn")
    expect(terms).to_contain_text("If you run out of time, a bot plays on for you.")
    expect(terms).to_contain_text("Takebacks: never.")


# What somebody has begun.


AGREE = """() => {
  const body = new URLSearchParams({ nonce: document.body.dataset.nonce });
  return fetch(`/t/${document.body.dataset.table}/agree`, { method: "POST", body }).then((answer) => answer.text());
}"""


def test_what_is_begun_waits_while_the_question_is_gone(guests: Guests, house: House) -> None:
    """A turn that is put together and not confirmed stays, if what was decided before goes back and is decided again."""
    first, second = two(guests, house, "begun")
    second.evaluate("() => localStorage.setItem('confirm', 'every')")
    expect(second.locator(ASKED)).to_be_visible()
    second.locator("#ask button[data-do]").first.click()
    begun = second.locator("body[data-draft]:not(.busy)")
    expect(begun).to_have_count(1)
    draft, before = begun.get_attribute("data-draft"), ply(second)
    # Whoever has decided before asks for it back; the other agrees, on another device of theirs.
    first.locator("#take-back").click()
    first.locator("#ask").get_by_role("button", name="Ask the others").click()
    expect(second.locator("#ask").get_by_role("button", name="Accepter")).to_be_visible()
    second.evaluate(AGREE)
    changed(second, before)
    expect(second.locator("body[data-draft]")).to_have_count(0)
    expect(second.locator("#toast")).to_be_hidden()
    # It is decided again in the same way.
    expect(first.locator(ASKED)).to_be_visible()
    before = ply(second)
    first.locator(f'#ask button[data-do="{LAST}"]').click()
    changed(second, before)
    expect(second.locator(f'body[data-draft="{draft}"]:not(.busy)')).to_have_count(1)
