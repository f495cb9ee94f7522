"""The table in a real browser, against a real server process."""

from __future__ import annotations

import asyncio
import random
import re
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from browsers import ASKED, CHROMIUM, LAID_OUT, Guests, begin, changed, led_on, ply, show_log, sit_down, speak, touch
from playwright.sync_api import Browser, Locator, Page, expect
from visitors import House, running, sat, serving, settings

from ridotto.core.match import Match
from ridotto.games import GAMES

# Tables that are under way when the server starts.


def arranging() -> Match:
    """Two-player Opera: red has two pieces and rearranges."""
    match = Match(GAMES["opera"], 2, seed=1)
    match.play("bid 10", 0)
    match.play("bid 0", 1)
    match.play("hire impresario")
    for _ in range(2):
        match.play(next(do for do in match.legal() if do.startswith("buy")))
    return match


def late(name: str, seats: int, left: int, is_wanted: Callable[[Match], bool] = lambda match: True) -> Match:
    """A match of random play about so many decisions before its end, with the first seat to decide."""
    match, dice = Match(GAMES[name], seats, seed=5), random.Random(11)
    while match.to_act:
        seat = dice.choice(match.to_act)
        match.play(dice.choice(match.legal(seat)), seat)
    for moment in range(match.ply - left, 0, -1):
        before = match.after(moment)
        if 0 in before.to_act and is_wanted(before):
            return before
    raise AssertionError("no such moment")


def casts(match: Match) -> bool:
    return any(do.startswith("cast") for do in match.legal(0))


def prepared() -> dict[str, Match]:
    return {
        "workshop": arranging(),
        "opera": late("opera", 4, 12),
        "hiring": late("opera", 4, 60, lambda match: "end" in match.legal(0)),
        "turandot": late("turandot", 3, 20),
        "casting": late("turandot", 3, 8, casts),
        "audition": Match(GAMES["turandot"], 2, {"blind": 1}, seed=2),
        "large audition": Match(GAMES["turandot"], 5, {"blind": 1}, seed=2),
        "round": Match(GAMES["opera"], 4, seed=3),
        "evening": Match(GAMES["opera"], 4, seed=4),
        "duel": late("fantome", 2, 8),
        "whole duel": Match(GAMES["fantome"], 2, seed=6),
        "tabs": Match(GAMES["fantome"], 2, seed=7),
        "season": Match(GAMES["turandot"], 5, seed=8),
    }


FULL = ("audition", "large audition", "round", "evening", "duel", "whole duel", "tabs", "season")
"""The tables at which every seat is free."""


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    data = tmp_path_factory.mktemp("house")

    async def lay() -> dict[str, str]:
        async with running(settings(data)) as app:
            return {name: (await sat(app, match, *_sitters(name, match))).id for name, match in prepared().items()}

    # Playwright has a loop of its own in this thread.
    with ThreadPoolExecutor(1) as thread:
        tables = thread.submit(lambda: asyncio.run(lay())).result()
    with serving(data) as process:
        yield House(process.base, tables)


def _sitters(name: str, match: Match) -> list[str]:
    return ["" if seat == 0 or name in FULL else "level:1" for seat in range(match.seats)]


# Browsers.


OVER = "#result table"


def is_over(page: Page) -> bool:
    """Wait for a decision of ours, or the end."""
    page.wait_for_selector(f"{ASKED} [data-do], {OVER}", state="attached")
    return bool(page.locator(OVER).count())


def decide(page: Page, dice: random.Random) -> None:
    """One decision, on the board where there is a place for it, else by its button."""
    page.wait_for_selector(f"{ASKED} button[data-do]", state="attached")
    actions = page.locator(f"{ASKED} button[data-do]").evaluate_all("all => all.map((one) => one.dataset.do)")
    action, before = dice.choice(actions), ply(page)
    place = page.locator(f'#board g[data-do="{action}"]')
    if place.count() and dice.random() < 0.7:
        touch(place.first)
    else:
        touch(page.locator(f'#ask button[data-do="{action}"]'))
    changed(page, before)


def play_out(page: Page, dice: random.Random, most: int = 400) -> int:
    """Play until the match is over; the number of decisions."""
    for count in range(most):
        if is_over(page):
            return count
        decide(page, dice)
    raise AssertionError("the match does not end")


def is_within(page: Page) -> bool:
    """Whether nothing makes the page scroll sideways."""
    return bool(page.evaluate("() => document.documentElement.scrollWidth <= innerWidth"))


# The tests.


def test_from_the_start_page_to_a_result(guests: Guests) -> None:
    """A stranger opens the page, clicks once, plays a whole match of Le Fantôme against a bot, and plays again."""
    page = guests()
    expect(page.locator("h1")).to_have_text("Ridotto")
    begin(page, "fantome")
    expect(page).to_have_title("It is your turn – Le Fantôme de l'Opéra")
    assert play_out(page, random.Random(3)) > 8
    expect(page).to_have_title(re.compile("^You have (won|lost)[.]"))
    expect(page.locator(f"{OVER} tbody th").first).to_contain_text("§7")
    first = page.url
    with led_on(page):
        page.locator("#ask").get_by_role("button", name="Rematch").click()
    expect(page.locator(".person.you small")).to_contain_text("Phantom")
    assert first != page.url


@pytest.mark.parametrize("name", [*(pytest.param(one, marks=pytest.mark.soak) for one in ("opera", "turandot")), "casting"])
def test_a_late_position_is_played_to_its_end(name: str, guests: Guests, house: House) -> None:
    """The longer games, from a position near the end: sit down, decide, read the result."""
    page = guests(f"/t/{house.tables[name]}")
    sit_down(page)
    play_out(page, random.Random(5))
    expect(page.locator(f"{OVER} tfoot")).to_be_visible()


def test_a_friend_by_link_and_somebody_who_watches(guests: Guests) -> None:
    """One sets up a table and sends a link; the friend sits down; both see each other's moves; who watches sees no secret."""
    host = guests()
    host.locator("#setup-fantome summary").click()
    form = host.locator("#setup-fantome form")
    form.locator("[name=seat1]").select_option("friend")
    form.locator("[name=name]").fill("Ada")
    expect(form.locator(".chosen-line")).to_have_text(
        "me, a friend, by link · no clock · Takebacks: At once, or by consent · anybody may watch"
    )
    with led_on(host):
        form.get_by_role("button", name="Create the table").click()
    expect(host.locator(".person").nth(1)).to_contain_text("free seat")
    link = host.locator("#ask .invites input").input_value()
    friend = guests(link.removeprefix(guests.base), language="fr")
    friend.locator(".join-form [name=name]").fill("<b>Béatrice</b>")
    with led_on(friend):
        friend.get_by_role("button", name="S'asseoir").click()
    expect(host.locator(".person").nth(1)).to_contain_text("<b>Béatrice</b>")
    expect(friend.locator("#ask .waits")).to_contain_text("Ada")
    assert 1 == friend.locator("#pane-secret").count()
    watcher = guests(host.url.removeprefix(guests.base), language="nl")
    assert 0 == watcher.locator("#pane-secret").count()
    assert 0 == watcher.locator("[data-do]").count()

    before = ply(watcher)
    host.locator("#ask button[data-do]").first.press("Enter")
    for page in (host, friend, watcher):
        changed(page, before)
    assert ply(host) == ply(friend) == ply(watcher)
    expect(friend.locator("#log li").first).to_contain_text("Ada joue")
    expect(watcher.locator("#log li").first).to_contain_text("Ada speelt")
    # A second tab and a reload show the same table.
    again = host.context.new_page()
    again.goto(host.url)
    assert ply(host) == ply(again)
    host.reload()
    expect(host.locator(ASKED)).to_be_visible()


def test_the_language_and_the_light_change_in_the_middle_of_a_match(guests: Guests) -> None:
    """Question, log and title follow at once; the theme changes the colours; both stay after a reload."""
    page = guests()
    begin(page, "fantome")
    expect(page.locator("#question")).to_have_text("Choose a character to play.")
    speak(page, "nl")
    expect(page.locator("#question")).to_have_text("Kies een personage om te spelen.")
    expect(page.locator("#log summary").first).to_have_text("Ronde 1")
    expect(page).to_have_title("Het is jouw beurt – Le Fantôme de l'Opéra")
    colour = "() => getComputedStyle(document.body).color"
    dark = page.evaluate(colour)
    page.locator("#settings summary").click()
    with led_on(page):
        page.locator("button[name=theme][value=light]").click()
    expect(page.locator("html")).to_have_attribute("data-theme", "light")
    assert dark != page.evaluate(colour)
    page.reload()
    expect(page.locator("html")).to_have_attribute("data-theme", "light")
    expect(page.locator("#question")).to_have_text("Kies een personage om te spelen.")


def test_a_phone(guests: Guests, house: House) -> None:
    """At 360 pixels nothing scrolls sideways, the question is under the thumb, and its buttons are large enough."""
    page = guests(width=360, height=740, language="fr", has_touch=True, is_mobile=True)
    assert is_within(page)
    begin(page, "fantome")
    for name in (None, "hiring", "opera", "turandot", "casting", "large audition", "workshop"):
        if name:
            page.goto(f"{guests.base}/t/{house.tables[name]}")
        assert is_within(page), name
        box = page.locator("#ask").bounding_box()
        assert box and 740 == round(box["y"] + box["height"]) and box["height"] < 0.5 * 740, name
        for button in page.locator("#ask button:visible").all()[:12]:
            size = button.bounding_box()
            assert size and size["height"] >= 44, (name, button.text_content())


def test_everything_important_is_seen_at_once(guests: Guests, house: House) -> None:
    """On a laptop no panel but the log and the long list of bids is below the fold."""
    page = guests()
    begin(page, "fantome")
    for name in (None, "hiring", "casting"):
        if name:
            page.goto(f"{guests.base}/t/{house.tables[name]}")
        for pane in page.locator(".pane").all():
            box = pane.bounding_box()
            assert box and box["y"] + box["height"] <= 900 + 12, (name, pane.get_attribute("id"), box)
        assert is_within(page)


def test_by_keyboard_alone(guests: Guests) -> None:
    """Tab and Enter open a table, decide on the board and by the buttons; the focus is never lost."""
    page = guests()

    def tab_to(selector: str, most: int = 80) -> Locator:
        for _ in range(most):
            page.keyboard.press("Tab")
            found = page.locator(f"{selector}:focus")
            if found.count():
                return found
        raise AssertionError(f"{selector} cannot be reached")

    tab_to(".offer-fantome .at-once button")
    with led_on(page):
        page.keyboard.press("Enter")
    expect(page.locator(ASKED)).to_be_visible()
    for turn in range(6):
        if is_over(page) or not page.locator("#ask button[data-do]:visible").count():
            break  # an answer that is put together from parts has tests of its own
        before = ply(page)
        target = tab_to("#board g[data-do]" if turn % 2 else "#ask button[data-do]")
        outline = target.evaluate("(one) => getComputedStyle(one).outlineStyle")
        assert "none" != outline
        page.keyboard.press(" " if turn % 3 else "Enter")
        changed(page, before)
        assert page.evaluate(
            "() => document.activeElement !== document.body && Boolean(document.activeElement.closest('main'))"
        )


def test_pointing_tells_what_would_happen_and_why_not(guests: Guests) -> None:
    """Over a card: what it would do; over a room that cannot be entered: why not, with its §."""
    page = guests(reduced_motion="no-preference")
    begin(page, "fantome")
    page.wait_for_function(LAID_OUT)
    card = page.locator("#pane-cards g[data-do]").first
    for _ in range(5):
        card.hover()
        page.wait_for_timeout(300)
        if page.locator("#tip").is_visible():
            break
        page.mouse.move(2, 2)
    expect(page.locator("#tip")).to_contain_text("You play")
    page.locator("#board [data-ask]").first.hover(force=True)
    expect(page.locator("#tip")).to_contain_text("§")
    page.mouse.move(2, 2)
    expect(page.locator("#tip")).to_be_hidden()


def test_pieces_glide(guests: Guests) -> None:
    """A card that is played moves from where it was, and stands in its place within half a second."""
    page = guests(reduced_motion="no-preference")
    begin(page, "fantome")
    page.evaluate(
        """() => {
            window.glided = [];
            const animate = Element.prototype.animate;
            Element.prototype.animate = function (frames, timing) {
                window.glided.push([this.dataset.piece, frames[0].transform ?? "", timing.duration]);
                return animate.call(this, frames, timing);
            };
        }"""
    )
    moved: list[Any] = []
    for _ in range(12):
        if is_over(page):
            break
        decide(page, random.Random(1))
        moved += [one for one in page.evaluate("() => window.glided") if one[1]]
        if moved:
            break
    assert moved and all(duration < 500 for _, _, duration in moved)


def test_the_workshop(guests: Guests, house: House) -> None:
    """Pieces change places by two clicks, by drag and drop and by the keyboard; the sums are live; one confirm arranges it."""
    page = guests(f"/t/{house.tables['workshop']}")
    sit_down(page)
    page.locator("[data-sheet]").click()
    sheet = page.locator("#sheet")
    slot, spares = sheet.locator(".slot").first, sheet.locator(".spare .chip")
    chips = sheet.locator(".chip").count()
    assert spares.count() >= 2 and slot.locator(".chip").count()
    # Two clicks: they change places.
    first = spares.first.get_attribute("data-chip")
    spares.first.click()
    with page.expect_response("**/compose"):
        slot.locator(".chip").click()
    assert first == slot.locator(".chip").get_attribute("data-chip")
    with page.expect_response("**/compose"):
        # Drag and drop.
        second = spares.last.get_attribute("data-chip")
        spares.last.drag_to(slot)
    assert second == slot.locator(".chip").get_attribute("data-chip")
    # The keyboard: back behind the screen.
    slot.locator(".chip").focus()
    page.keyboard.press("Enter")
    sheet.locator(".void.aside").focus()
    with page.expect_response("**/compose") as told:
        page.keyboard.press("Enter")
    empty = told.value.json()
    halls = "empty hall" if empty["empty"] == 1 else "empty halls"
    expect(sheet.locator("[data-worth]")).to_contain_text(re.compile(rf"{empty['empty']} {halls}\b"))
    assert chips == spares.count()
    # A suggestion, and the confirm.
    sheet.get_by_role("button", name="Best for income").click()
    staged = slot.locator(".chip").get_attribute("data-chip")
    assert staged
    before = ply(page)
    sheet.get_by_role("button", name="Arrange it so").click()
    changed(page, before)
    expect(sheet).to_be_hidden()
    expect(page.locator("#log")).to_contain_text("You perform in Venezia")


@pytest.mark.parametrize(("table", "seats"), [("audition", 2), pytest.param("large audition", 5, marks=pytest.mark.soak)])
def test_people_at_a_blind_audition(table: str, seats: int, guests: Guests, house: House) -> None:
    """A browser for each seat: they lay at the same time; the cards are turned up for all of them together."""
    people = [guests(f"/t/{house.tables[table]}", width=1200) for _ in range(seats)]
    for page in people:
        sit_down(page)
    for page in people:
        expect(page.locator(ASKED)).to_be_visible()
    for number, page in enumerate(people, 1):
        touch(page.locator(f".keys label:has([value='{number}'][name=number])"))
        touch(page.locator(".picker label:has([name=bluff])"))
        expect(page.locator(".picks .button:visible")).to_have_count(1)
        touch(page.locator(".picks .button:visible"))
        if number < seats:
            expect(page.locator("#ask .waits")).to_be_visible()
    for page in people:
        for number in range(1, seats + 1):
            expect(page.locator("#since")).to_contain_text(re.compile(rf"wins? number {number}\b"))


@pytest.mark.parametrize("table", ["round", pytest.param("evening", marks=pytest.mark.soak)])
def test_four_people_play_opera(table: str, guests: Guests, house: House) -> None:
    """Four browsers bid at the same time and play on (or all nine rounds); one reloads, one has a second tab, one changes the
    language, and somebody watches: all of them see the same table all the time.
    """
    dice, told = random.Random(8), 0
    people = [guests(f"/t/{house.tables[table]}", width=1200) for _ in range(4)]
    for page in people:
        sit_down(page)
    pages = [*people, guests(f"/t/{house.tables[table]}", language="fr")]
    for turn in range(2000):
        at = max(int(ply(page)) for page in pages)
        for page in pages:
            page.wait_for_selector(f'body[data-ply="{at}"]')
        asked = [page for page in people if page.locator(f"{ASKED} [data-do]").count()]
        bidding = [page for page in asked if page.locator(f'{ASKED} [data-do="bid 0"]').count()]
        if not asked or (turn > 8 and table == "round"):
            break
        assert len(asked) == 1 or asked == bidding, "only bids are made together"
        lines = people[3].locator("#log li").count()
        if turn == 1:
            # Whoever has bid waits, and nobody is told of the bid.
            assert (3, told) == (len(asked), lines)
        told = lines
        decide(asked[0], dice)
        if turn == 4:
            people[1].reload()
        if turn == 5:
            tab = people[2].context.new_page()
            tab.goto(people[2].url)
            pages.append(tab)
        if turn == 6:
            speak(people[3], "nl")
            expect(people[3].locator("#log summary").first).to_have_text("Ronde 1")
    assert turn > 8
    logs = [page.locator("#log li").count() for page in pages]
    assert 1 == len(set(logs)), logs
    assert (table == "evening") == bool(people[0].locator(OVER).count())


@pytest.mark.parametrize(
    ("table", "seats", "least"),
    [
        ("duel", 2, 4),
        pytest.param("whole duel", 2, 12, marks=pytest.mark.soak),
        pytest.param("season", 5, 60, marks=pytest.mark.soak),
    ],
)
def test_people_play_to_the_result(table: str, seats: int, least: int, guests: Guests, house: House) -> None:
    """A browser for each seat, to the result by clicks alone, in `make soak` from the first decision on; all of them see the
    same log, and each reads the names of the others.
    """
    family = {"duel": "Rossi", "whole duel": "Verdi", "season": "Bellini"}[table]  # a name is one person's in this house
    dice, names = random.Random(9), [f"{name} {family}" for name in ("Anna", "Ben", "Chiara", "Dirk", "Émile")]
    people = []
    for name in names[:seats]:
        page = guests(f"/t/{house.tables[table]}", width=1200, reduced_motion="reduce")
        page.locator("#settings summary").click()
        page.locator("#settings [name=name]").fill(name)
        with led_on(page):
            page.locator("#settings form:has([name=name]) button").click()
        sit_down(page)
        people.append(page)
    asked, decisions = people, -1
    while asked:
        if decisions >= 0:
            decide(asked[0], dice)
        decisions += 1
        at = max(int(ply(page)) for page in people)
        for page in people:
            page.wait_for_selector(f'body[data-ply="{at}"]')
        asked = [page for page in people if page.locator(f"{ASKED} [data-do]").count()]
    assert decisions >= least
    logs = [page.locator("#log li").count() for page in people]
    assert 1 == len(set(logs)), logs
    for page in people:
        heads = page.locator(f"{OVER} thead th b").all_text_contents()
        assert list(names[:seats]) == heads


HIDING = """
    let isSeen = true;
    Object.defineProperty(document, "hidden", { get: () => !isSeen });
    window.see = (is) => { isSeen = is; document.dispatchEvent(new Event("visibilitychange")); };
"""
"""Chromium without a screen shows all tabs at once: this lets a test cover one with another."""


def test_eight_tabs_of_one_browser(guests: Guests, house: House) -> None:
    """There are six connections to a host: tabs that are not seen give theirs back, still tell whose turn it is, and heal."""
    where = f"{guests.base}/t/{house.tables['tabs']}"
    other = guests(f"/t/{house.tables['tabs']}")
    sit_down(other)
    context = guests().context
    context.add_init_script(HIDING)
    tabs: list[Page] = []
    for _ in range(8):
        tab = context.new_page()
        tab.clock.install()
        tab.goto(where)
        if not tabs:
            sit_down(tab)
        with tab.expect_response("**/glance"):
            tab.evaluate("() => see(false)")
            tab.clock.run_for(3_100)
        tabs.append(tab)
    first, last = tabs[0], tabs[-1]
    expect(first).to_have_title("Le Fantôme de l'Opéra – Ridotto")
    while not is_asked(other, last):
        decide(other, random.Random(2))
    first.clock.run_for(15_100)
    expect(first).to_have_title("It is your turn – Le Fantôme de l'Opéra")
    assert "away" not in (other.locator(".person").nth(1).get_attribute("class") or "").split()
    last.evaluate("() => see(true)")
    decide(last, random.Random(3))
    first.evaluate("() => see(true)")
    first.wait_for_selector(f'body[data-ply="{ply(last)}"]')


def is_asked(one: Page, other: Page) -> bool:
    """Wait until `one` is asked, or waits for `other`: whether the latter."""
    one.wait_for_selector(f"{ASKED} [data-do], body:not(.busy) #ask .waits", state="attached")
    return bool(one.locator("#ask .waits").count())


def test_a_lost_connection_shows_and_heals(guests: Guests) -> None:
    """While the server cannot be reached, the page says so; then it goes on by itself."""
    page = guests()
    begin(page, "fantome")
    expect(page.locator("#offline")).to_be_hidden()
    page.context.route("**/live*", lambda route: route.abort())
    page.reload()
    expect(page.locator("#offline")).to_be_visible()
    page.context.unroute("**/live*")
    expect(page.locator("#offline")).to_be_hidden()
    decide(page, random.Random(1))
    guests.faults = [fault for fault in guests.faults if "ERR_FAILED" not in fault]


def test_a_server_that_is_killed_shows_and_heals(browser: Browser, tmp_path: Path) -> None:
    """While there is no server the page says so, however often it looks for one; when there is, it goes on where it was."""
    dice = random.Random(1)
    with serving(tmp_path) as server:
        guests = Guests(browser, server.base)
        page = guests()
        begin(page, "fantome")
        decide(page, dice)
        server.process.kill()
        server.process.wait()
        before = ply(page)
        expect(page.locator("#offline")).to_be_visible()
    with serving(tmp_path, port=int(server.base.rpartition(":")[2])):
        expect(page.locator("#offline")).to_be_hidden()
        assert int(ply(page)) >= int(before)
        decide(page, dice)
        page.context.close()
    assert [] == [fault for fault in guests.faults if "ERR_CONNECTION_REFUSED" not in fault and "ERR_INCOMPLETE" not in fault]


def test_resigning_asks_again(guests: Guests) -> None:
    """The first press asks, the second resigns."""
    page = guests()
    begin(page, "turandot")
    button = page.locator("#resign button")
    button.click()
    expect(button).to_have_text("Sure? Resign")
    button.click()
    expect(page.locator("#question")).to_have_text("You have lost.")
    expect(page.locator("#result")).to_contain_text("You resigned.")
    expect(page.locator(OVER)).to_have_count(0)  # nobody has scored anything yet


def test_every_action_is_confirmed_if_somebody_wants_it(guests: Guests) -> None:
    """With the setting, also a turn that is one bid waits for the button; and there is a way back."""
    page = guests()
    page.locator("#settings summary").click()
    page.locator("[data-choice=confirm] [value=every]").click()
    begin(page, "opera")
    bid = page.locator('#ask [data-do="bid 0"]')
    for _ in range(2):  # others bid meanwhile
        bid.press("Enter")
        expect(page.locator("[data-confirm]")).to_have_attribute("data-confirm", "bid 0")
        page.locator("[data-undraft]").click()
        expect(bid).to_be_visible()
    bid.press("Enter")
    with page.expect_response("**/act") as sent:
        page.locator("[data-confirm]").click()
    assert 204 == sent.value.status and '"bid 0"' in (sent.value.request.post_data or "")


def test_rules_are_a_click_away(guests: Guests) -> None:
    """A § in the log leads to its paragraph: beside the table, and with the Control key on a page of its own."""
    page = guests()
    begin(page, "fantome")
    show_log(page)
    with page.context.expect_page() as opened:
        page.locator("#log .para").first.click(modifiers=["Control"])
    book = opened.value
    anchor = book.url.partition("#")[2]
    expect(book.locator(f"#{anchor}")).to_be_visible()
    assert Path(CHROMIUM).exists()
