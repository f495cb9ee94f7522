"""Learning at the web table: why not and what comes nearest, hints, the rulebook beside the board, and the first lessons."""

from __future__ import annotations

import asyncio
import random
import re
from collections.abc import Callable, Coroutine, Iterator
from concurrent.futures import ThreadPoolExecutor
from html import unescape
from pathlib import Path
from typing import Any

import pytest
from browsers import PATIENCE, begin, led_on, show_log, speak, touch
from playwright.sync_api import Browser, Page, expect
from visitors import Visitor, running, sat, serving, settings

from ridotto.bots import Opinion, Ranked, opinion
from ridotto.core.match import Match
from ridotto.games import GAMES
from ridotto.present.lesson import Lesson, Step, lesson
from ridotto.present.narrator import LANGUAGES
from ridotto.present.ui import ui
from ridotto.web.pages import aids
from ridotto.web.pages import why_not as whynot
from ridotto.web.pages.lesson import instruction, setting
from ridotto.web.pages.models import Reader

LESSONS = {name: found for name, game in GAMES.items() if (found := lesson(game)) is not None}
"""The lessons there are, by the name of their game."""
OURS = {name for name, game in GAMES.items() if game.package.startswith("ridotto.games.")}
"""The games that are in the house, not in a package of their own."""


def visiting(visit: Callable[[], Coroutine[Any, Any, None]]) -> None:
    """Visit a server, in a thread of its own: the browser below has a loop in this one."""
    with ThreadPoolExecutor(1) as thread:
        thread.submit(lambda: asyncio.run(visit())).result()


# What comes nearest. The expected actions are counted by hand, on the board of §2.2 or in the tables of the rulebook.


def meg_moves() -> Match:
    """Le Fantôme: Meg, alone in the dome, may go to 4, 6, 7 and 8; the padlock is on 3-7."""
    return LESSONS["fantome"].before(2)


def persian_chooses() -> Match:
    """Le Fantôme: the Persian may take Meg along, who shares the workshop with him."""
    places = "raoul 1, meg 0, giry 2, buquet 3, christine 4, moncharmin 7, richard 8, persan 0"
    cards = {"offered": ["raoul", "meg", "giry", "persan"], "pile": ["buquet", "christine", "moncharmin", "richard"]}
    changes = {"place": dict(one.split() for one in places.split(", ")), "dark": "3", "padlock": "2-3", **cards}
    match = Match(GAMES["fantome"], position={**Match(GAMES["fantome"], seed=1).position(), **changes})
    match.play("pick persan")
    return match


def poor() -> Match:
    """Opera, two players: the second has the initiative on level 3, and 17 ducats or so."""
    match = Match(GAMES["opera"], 2, seed=1)
    match.play("bid 3", 0)
    match.play("bid 3", 1)
    return match


def building() -> Match:
    """Opera: Red builds, and may build in Venezia, Wien and Berlin."""
    return LESSONS["opera"].before(3)


def bidding_late() -> Match:
    """Opera: Red has one level and may bid nine more at the most."""
    return LESSONS["opera"].before(9)


def laying() -> Match:
    """Turandot, three players: there are four numbers; the learner has three money cards."""
    return LESSONS["turandot"].before(1)


def laying_poor() -> Match:
    """Turandot: the learner has one money card left."""
    return LESSONS["turandot"].before(8)


NEAREST = [
    # From the workshop (0) the right wing (4) is one corridor off; from the catacombs (3), behind the padlock, four.
    (meg_moves, "move 0", "move 4"),
    (meg_moves, "move 3", "move 4"),
    (meg_moves, "move 5", "move 4"),
    (meg_moves, "move 9", "move 7"),
    (meg_moves, "pick meg", None),
    # Another verb, the same character.
    (persian_chooses, "swap meg", "take meg"),
    (persian_chooses, "take raoul", "take meg"),
    # Fees: the Esperto 4; the Impresario and the Critico 3.
    (poor, "hire esperto", "hire impresario"),
    # London is closed. The same part elsewhere comes before another part; Wien before Berlin.
    (building, "build london main", "build wien main"),
    (building, "build berlin wing", "build berlin main"),
    # Another verb, the same city.
    (building, "move berlin", "build berlin main"),
    (building, "hire maestro", None),
    (bidding_late, "bid 10", "bid 9"),
    # Three players have no number 5; the number counts more than the money, the money more than the bluff.
    (laying, "bid 5 1 plain", "bid 4 1 plain"),
    (laying_poor, "bid 2 3 bluff", "bid 2 1 bluff"),
    (laying, "give 3", "bid 3 0 plain"),
    (laying, "cast opale", None),
]


@pytest.mark.parametrize(("start", "asked", "expected"), NEAREST)
def test_the_nearest_that_can_be_done(start: Any, asked: str, expected: str | None) -> None:
    """The same verb first, then the same target."""
    match = start()
    seat = match.to_act[0]
    view, actions = match.view(seat), match.rules.ACTIONS
    assert asked not in match.legal(seat)
    found = whynot.nearest(view, match.game.action(asked))
    assert expected == (None if found is None else actions.notation(found))


@pytest.mark.parametrize("name", LESSONS)
def test_whatever_is_refused_has_a_reason(name: str) -> None:
    """In a match of random play everything that is not legal is refused with a § and a sentence; the nearest is legal, and
    has the same verb wherever that verb is possible at all.
    """
    match, dice = Match(GAMES[name], GAMES[name].seats[-1], seed=4), random.Random(4)
    actions = match.rules.ACTIONS
    while match.to_act:
        seat = dice.choice(match.to_act)
        legal = match.legal(seat)
        verbs = {do.split()[0] for do in legal}
        for action in dice.sample(range(actions.size), 3):
            told = whynot.answer(match, seat, actions.notation(action), ui(match.game).english)
            assert (action in legal.ids) == (told["message"] == "")
            if told["message"]:
                assert re.fullmatch(r"[0-9.]*[0-9]", told["section"])
                verb = actions.family(action).verb
                near = told["nearest"]
                assert near is None or near["do"] in legal
                assert verb not in verbs or near["do"].split()[0] == verb
        match.play(dice.choice(legal), seat)


@pytest.mark.parametrize("name", LESSONS)
def test_every_dark_target_of_a_board_answers(name: str) -> None:
    """Whatever the boards let a reader ask about is refused for a reason, in all positions of the lessons."""
    found = LESSONS[name]
    asked = 0
    for number in range(1, len(found) + 1):
        match, seat = found.before(number), found.seat(number)
        shown = setting(Reader("", "en"), found, number, match, "asked")
        for item in shown.scene.items.values():
            if item.why:
                assert whynot.answer(match, seat, item.why, ui(match.game).english)["message"], item
                asked += 1
    assert asked > 5 * len(found)


def test_what_cannot_be_done_is_told_in_groups() -> None:
    """All verbs of the game are there, each once: as possible, or under its reason with the §."""
    match = meg_moves()
    told = aids.cannot(match, 0, ui(match.game).narrator())
    assert "Move the character" in told["html"] and "§4.1" in told["html"]
    for verb in ("pick", "lock", "dark", "send", "swap", "take", "leave", "use", "decline", "alone"):
        name = ui(match.game).english.verb(verb)
        assert name.lower() in told["html"].lower() or "…" in told["html"]
    assert {"move 0", "move 1", "move 2", "move 3", "move 5", "move 9"} == {do for do in told["names"] if do.startswith("move")}


def test_what_means_the_same_as_something_possible_is_not_told() -> None:
    """Richard may swap with anybody in his room, which changes nothing: one action stands for all of them."""
    actions, words = GAMES["fantome"].rules.ACTIONS, ui(GAMES["fantome"]).english
    swaps = [one for one in range(actions.size) if actions.family(one).verb == "swap"]

    def same(match: Match) -> list[int]:
        seat = match.to_act[0]
        found = [one for one in swaps if match.why(actions.notation(one), seat) is None]
        return [one for one in found if match.why(one, seat) is not None]

    def positions() -> Iterator[Match]:
        for seed in range(100):
            match, dice = Match(GAMES["fantome"], 2, seed=seed), random.Random(seed)
            while match.to_act:
                yield match
                match.play(dice.choice(match.legal(match.to_act[0])), match.to_act[0])

    match = next(match for match in positions() if same(match))
    told = aids.cannot(match, match.to_act[0], words.narrator)["html"]
    assert "Too far" in told and not [one for one in same(match) if words.label(match.row, match.to_act[0], one) in told]


@pytest.mark.parametrize("name", LESSONS)
def test_every_verb_has_a_name(name: str) -> None:
    """The list of what cannot be done calls every verb by a name of its own, in three languages."""
    verbs = [action.verb for action in GAMES[name].rules.ACTIONS]
    for spoken in LANGUAGES:
        words = ui(GAMES[name]).words(ui(GAMES[name]).narrator(spoken))
        names = [words.verb(verb) for verb in verbs]
        assert len(set(names)) == len(verbs)
        assert name not in OURS or not set(names) & set(verbs)


# Hints.


def test_a_hint_in_words() -> None:
    """The best three actions as buttons, how sure, and everybody's chances: the numbers are those of the opinion."""
    view = Match(GAMES["fantome"], seed=1).view(0)
    ranked = tuple(Ranked(action, 90 - 20 * at, 0.7 - 0.2 * at, float(at == 0)) for at, action in enumerate(view.legal))
    thought = Opinion((0.66, 0.34), ranked, playouts=200)
    told = aids.hint(view, thought, 3, ui(view.game).narrator())
    best = [one.notation for one in opinion.choices(view, ui(view.game).english, thought, 3)]
    assert best == told["actions"] == re.findall(r'data-do="([^"]+)"', told["html"])
    assert "wins about 70\N{NO-BREAK SPACE}%, tried 90 times" in told["html"]
    assert "you 66\N{NO-BREAK SPACE}%, phantom 34\N{NO-BREAK SPACE}%" in told["announcement"]
    assert told["done"]
    assert "" == aids.hint(view, thought, 1, ui(view.game).narrator())["announcement"], "only the last look is announced"


def test_who_may_ask_for_a_hint(tmp_path: Path) -> None:
    """Against a bot, whoever is asked; among people nobody, unless the host said so; never who watches or waits."""

    async def visit() -> None:
        async with running(settings(tmp_path)) as app, Visitor(app) as ada, Visitor(app) as ben:
            alone = await ada.create("fantome", "me", "bot:level:1")
            answer = await ada.get(f"/t/{alone}/hint?look=1")
            assert 200 == answer.status_code
            told = answer.json()
            page = unescape((await ada.get(f"/t/{alone}")).text)
            assert told["actions"] and all(f'data-do="{do}"' in page for do in told["actions"])
            assert 'id="aid-hint"' in page and "Hints are on." in page
            again = (await ada.get(f"/t/{alone}/hint?look=1")).json()
            assert told == again, "a look is thought about once"
            assert 400 == (await ada.get(f"/t/{alone}/hint?look=9")).status_code
            assert 403 == (await ben.get(f"/t/{alone}/hint?look=1")).status_code
            for wish, expected in (("", 403), ("none", 403), ("all", 200)):
                match = await ada.create("fantome", "me", "open", hints=wish)
                await ben.post(f"/t/{match}/sit", {"seat": "1"})
                assert expected == (await ada.get(f"/t/{match}/hint?look=1")).status_code, wish
                page = (await ada.get(f"/t/{match}")).text
                assert (expected == 200) == ('id="aid-hint"' in page)
                refused = await ben.get(f"/t/{match}/hint?look=1")
                assert (409 if expected == 200 else 403) == refused.status_code

    visiting(visit)


# Lessons.


def wanted(found: Lesson, number: int) -> list[str]:
    """What a step accepts now."""
    legal = [do for do in found.before(number).legal(found.seat(number)) if found.accepts(number, do)]
    return legal or list(found.steps[number - 1].do)


def said(found: Lesson, step: Step, spoken: str) -> list[str]:
    """The texts of a step in a language."""
    narrator = ui(found.game).narrator(spoken)
    return [narrator.say(text) for text in (step.instruction, step.feedback, step.hint)]


@pytest.mark.parametrize("name", LESSONS)
def test_a_lesson_is_well_made(name: str) -> None:
    """What a step wants can be done; where several answers are right, the next step does not hang on which was given; texts
    are short enough to read above a board. The first part, after which one may play, has six to ten steps, that of a small game
    from outside three at least; a second part practises the rest.
    """
    found = LESSONS[name]
    parts = [at for at, step in enumerate(found.steps) if step.part]
    assert (6 if name in OURS else 3) <= (parts or [len(found)])[0] <= 10
    assert len(parts) <= 1 and len(found) <= 25
    for number, step in enumerate(found.steps, 1):
        seat = found.seat(number)
        assert seat in found.before(number).to_act
        answers = wanted(found, number)
        later = [found.after(number, do) for do in answers]
        assert len(answers) == 1 or number == len(found) or found.steps[number].start is not None
        assert all(match.ply > found.before(number).ply for match in later)
        for spoken in LANGUAGES:
            texts = said(found, step, spoken)
            assert all(len(text) <= 290 for text in texts), texts


LED: dict[str, Any] = {
    "fantome": lambda match: match.outcome and match.outcome.winners == (1,),
    "opera": lambda match: match.position()["round"] == 4 and match.position()["points"]["0"] == 10,
    "turandot": lambda match: match.outcome and match.outcome.scores[0] == 21,
    "liars_dice": lambda match: match.outcome and match.outcome.winners == (1,),
}
"""Where the lessons lead: the phantom's win; 4 points for building, 6 + 1 − 1 at the count; 16 + 1 + 1 + 3 points; the last
player with dice."""

LED_ON: dict[str, Any] = {
    "opera": lambda match: match.position()["round"] == 7 and match.position()["points"]["0"] == 22,
}
"""Where second parts lead: 4 points for building, 6 + 1 − 1 at the count, then 4 + 5 + 6 − 3."""


@pytest.mark.parametrize("name", LESSONS)
def test_where_a_lesson_leads(name: str) -> None:
    """The last step of the first part ends as its text says, by a sum of its own; a second part goes to its end, too."""
    found = LESSONS[name]
    last = next((at for at, step in enumerate(found.steps) if step.part), len(found))
    assert LED[name](found.after(last, found.steps[last - 1].do[0]))
    if last < len(found):
        assert LED_ON[name](found.after(len(found), found.steps[-1].do[0]))


@pytest.mark.parametrize("spoken", LANGUAGES)
def test_every_lesson_through_the_server(spoken: str, tmp_path: Path) -> None:
    """Each step is shown in the reader's language; something else than is wanted gets a nudge and changes nothing; what is
    wanted shows what it showed and leads on, to the end.
    """

    async def visit() -> None:
        async with running(settings(tmp_path)) as app, Visitor(app, language=spoken) as one:
            for name in LESSONS:
                found = LESSONS[name]
                assert f"/learn/{name}/1" == (await one.get(f"/learn/{name}")).headers["location"]
                for number, step in enumerate(found.steps, 1):
                    await through(one, found, number, step)
                for gone in (0, len(found) + 1):
                    assert 404 == (await one.get(f"/learn/{name}/{gone}")).status_code
            assert 404 == (await one.get("/learn/chess")).status_code

    async def through(one: Visitor, found: Lesson, number: int, step: Any) -> None:
        here = f"/learn/{found.game.name}/{number}"
        page = unescape((await one.get(here)).text)
        told, shown, nudge = said(found, step, spoken)
        assert spoken == "en" or told != step.instruction
        assert all(part in page for part in instruction(told)) and shown not in page and f'lang="{spoken}"' in page
        seat, before = found.seat(number), found.before(number)
        wrong = [do for do in before.legal(seat) if not found.accepts(number, do)]
        early = [ahead.text for ahead in before.view(seat).early]  # allowed, but not what a step is about
        for do in (*wrong[-1:], *early[-1:]) if spoken == "en" else ():
            answer = await one.http.post(f"{here}/act", json={"do": do, "nonce": one.nonce})
            change = answer.json()
            asked = unescape(change["parts"]["ask"])
            assert 200 == answer.status_code and nudge in asked and all(part in asked for part in instruction(told))
            assert found.before(number).ply == change["ply"]
        change = (await one.http.post(f"{here}/act", json={"do": wanted(found, number)[-1], "nonce": one.nonce})).json()
        assert shown in unescape(change["parts"]["ask"]) and change["ply"] > found.before(number).ply
        on = f'href="/learn/{found.game.name}/{number + 1}"' if number < len(found) else 'action="/tables"'
        assert on in change["parts"]["ask"]
        assert not any("do" in one for one in change["scene"]["items"]), "a step that is done waits for the next one"

    visiting(visit)


def test_a_lesson_refuses_what_the_rules_refuse(tmp_path: Path) -> None:
    """An illegal action is refused with its §; why not, what cannot be done, and a preview are told in a lesson, too."""

    async def visit() -> None:
        async with running(settings(tmp_path)) as app, Visitor(app) as one:
            here = "/learn/fantome/2"
            await one.get(here)
            refused = await one.http.post(f"{here}/act", json={"do": "move 3", "nonce": one.nonce})
            assert (409, "4.1") == (refused.status_code, refused.json()["section"])
            why = (await one.get(f"{here}/why?do=move+3")).json()
            assert refused.json()["message"] == why["message"] and "move 4" == why["nearest"]["do"]
            assert "names" in (await one.get(f"{here}/cannot")).json()
            preview = (await one.get(f"{here}/preview?do=move+4")).json()
            assert ["Meg Giry goes from the dome (9) to the right wing (4)."] == preview["lines"]
            assert 400 == (await one.http.post(f"{here}/act", json={"nonce": one.nonce})).status_code
            assert 403 == (await one.http.post(f"{here}/act", json={"do": "move 4"})).status_code
            sheet = await one.http.post(
                "/learn/opera/6/compose", json={"text": "venezia house; wien mozart", "nonce": one.nonce}
            )
            assert 2 == sheet.json()["income"], "one ducat for each house with a piece (§6.1)"
            assert 404 == (await one.http.post(f"{here}/compose", json={"nonce": one.nonce})).status_code

    visiting(visit)


# In a browser.


@pytest.fixture(scope="module")
def base(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with serving(tmp_path_factory.mktemp("school")) as process:
        yield process.base


@pytest.fixture
def page(browser: Browser, base: str) -> Iterator[Page]:
    """A page in English; nothing may go wrong in it."""
    context = browser.new_context(base_url=base, viewport={"width": 1440, "height": 900}, reduced_motion="reduce", locale="en")
    context.set_default_timeout(PATIENCE)
    page, faults = context.new_page(), []
    page.on("console", lambda message: faults.append(message.text) if message.type == "error" else None)
    page.on("pageerror", lambda error: faults.append(str(error)))
    yield page
    context.close()
    assert [] == faults


def test_the_rulebook_beside_the_table(page: Page) -> None:
    """A § opens the drawer at its paragraph, beside the board; another turns to it; Escape closes it and the focus is back."""
    page.goto("/")
    begin(page, "fantome")
    page.locator("#aid-rules").focus()
    page.keyboard.press("Enter")
    beside = page.locator("#beside")
    expect(beside.locator(".here")).to_contain_text("§3.3")
    expect(page.locator("#s-3-3")).to_be_focused()
    board, drawer = page.locator("#board .pane").first.bounding_box(), beside.bounding_box()
    assert board and drawer and board["x"] + board["width"] <= drawer["x"], "the board is beside it"
    beside.locator('.rulebook a[href="#s-5-7"]').first.click()
    expect(beside.locator(".here")).to_contain_text("§5.7")
    page.keyboard.press("Escape")
    expect(beside).to_be_hidden()
    expect(page.locator("#aid-rules")).to_be_focused()
    # A § in the log opens it, too; in the language of the page.
    speak(page, "fr")
    show_log(page)
    link = page.locator("#log .para").first
    link.click()
    expect(beside.locator(".here")).to_contain_text((link.text_content() or "?").strip())
    expect(page.locator("#beside-title")).to_have_text("Les règles")
    assert 1 == len(page.context.pages), "no other page was opened"


@pytest.mark.parametrize("size", [(1440, 900), (390, 844)])
def test_the_legend_is_one_touch_away(size: tuple[int, int], page: Page) -> None:
    """The button in the bar opens it beside the board, where it is in sight; Escape closes it, and the focus is back."""
    page.set_viewport_size({"width": size[0], "height": size[1]})
    page.goto("/learn/opera/1")
    page.locator("#marks").click()
    expect(page.locator("#s-marks")).to_be_in_viewport()
    first = page.locator(".marks li").first
    expect(first).to_be_in_viewport()
    expect(first).to_contain_text("You can choose this now.")
    widths = page.locator(".marks svg").evaluate_all("all => all.map(one => one.getBoundingClientRect().width)")
    assert len(widths) > 20 and min(widths) >= 20
    page.keyboard.press("Escape")
    expect(page.locator("#beside")).to_be_hidden()
    expect(page.locator("#marks")).to_be_focused()


def test_why_not_by_keyboard_and_by_pointing(page: Page) -> None:
    """Pointing at a dark target says why, and lights the nearest; with the drawer open it can be done by keyboard alone."""
    page.goto("/learn/fantome/2")
    page.locator('#board [data-ask="move 3"]').first.hover()
    tip = page.locator("#tip")
    expect(tip).to_contain_text("§4.1")
    expect(tip).to_contain_text("Meg Giry goes to the right wing (4)")
    expect(page.locator('#board [data-do="move 4"]').first).to_have_class(re.compile("nearest"))
    page.mouse.move(0, 0)
    page.locator("#aid-why").focus()
    page.keyboard.press("Enter")
    expect(page.locator("#beside .refusals")).to_be_visible()
    target = page.locator('#board [data-ask="move 3"]').first
    expect(target).to_have_attribute("role", "button")
    target.focus()
    page.keyboard.press("Enter")
    told = page.locator("#asked-why")
    expect(told).to_contain_text("§4.1")
    expect(told.locator('[data-do="move 4"]')).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.locator("#beside")).to_be_hidden()
    expect(page.locator("#aid-why")).to_be_focused()
    assert target.get_attribute("role") is None


def test_a_hint_marks_the_board(page: Page) -> None:
    """The hint is thought about, shown with its reasons and marked on the board; it goes when the table moves on."""
    page.goto("/")
    begin(page, "fantome")
    page.locator("#aid-hint").click()
    expect(page.locator("#beside progress")).to_have_attribute("value", str(len(aids.LOOKS)))
    first = page.locator("#beside .advice [data-do]").first
    do = first.get_attribute("data-do")
    expect(page.locator(f'#board [data-do="{do}"]').first).to_have_class(re.compile("advised-1"))
    expect(page.locator("#beside-status")).to_contain_text("Winning chances")
    first.click()
    expect(page.locator("#beside")).to_be_hidden()
    expect(page.locator("#ask .draft")).to_contain_text("You play")
    assert 0 == page.locator(".advised").count()
    turn = page.locator("body[data-draft]")
    while turn.count():  # what goes with it, then all of it is confirmed
        before = turn.get_attribute("data-draft")
        touch(page.locator("#ask :is([data-do], [data-confirm])").first)
        page.wait_for_function("(was) => !document.body.matches('.busy') && document.body.dataset.draft !== was", arg=before)
    expect(page.locator("#log")).to_contain_text("You play")


def test_a_lesson_in_a_browser(page: Page) -> None:
    """From the start page into the first lesson: a nudge, the right thing on the board, what it showed, and the next step."""
    page.goto("/")
    with led_on(page):
        page.locator(".offer-opera .to-learn a").first.click()
    expect(page).to_have_title(re.compile("^Step 1 of 24"))
    page.locator('#ask [data-do="bid 3"]').click()
    expect(page.locator(".nudge")).to_be_visible()
    page.locator('#board [data-do="bid 8"]').first.click()
    expect(page.locator(".lesson-shown")).to_contain_text("Blue bid 4, Yellow 3")
    expect(page.locator("a.lesson-next")).to_be_focused()
    with led_on(page):
        page.keyboard.press("Enter")
    expect(page).to_have_title(re.compile("^Step 2 of 24"))
    # The workshop works in a lesson, too.
    page.goto("/learn/opera/6")
    do(page, "arrange venezia house; wien mozart")
    expect(page.locator(".lesson-shown")).to_contain_text("Mozart is performed")


def do(page: Page, action: str) -> None:
    """What a step wants, where its page offers it: on the board or beside the question, in the workshop, in the picker."""
    seen = page.locator(f'[data-do="{action}"]').locator("visible=true")
    if action.startswith("arrange"):
        page.locator("[data-sheet]").click()
        for clause in action.removeprefix("arrange ").split("; "):
            city, *pieces = clause.split()
            for at, piece in enumerate(pieces):
                spare = page.locator(f'#sheet .spare [data-chip="{piece}"]')
                if spare.count():
                    spare.first.click()
                    page.locator(f'#sheet [data-group="{city}"] [data-slot]').nth(at).locator(".void").click()
        page.locator("#sheet [data-send]").click()
        return
    if not seen.count():
        verb, *rest = action.split()
        if (touched := page.locator(f'#board [data-part="choice={rest[-1]}"]')).count():
            touch(touched.first)
            return
        number, money, bluff = rest if verb == "bid" else ("0", "", rest[0])
        page.locator(f".picker label:has([name=number][value='{number}'])").click()
        if money and money != "0":
            page.locator(f".picker label:has([name=money][value='{money}'])").click()
        if bluff == "bluff":
            page.locator(".picker label:has([name=bluff])").click()
    seen.first.click()


@pytest.mark.soak
@pytest.mark.parametrize("name", LESSONS)
def test_a_whole_lesson_in_a_browser(name: str, page: Page) -> None:
    """Every step from the first to the last, by clicks; then there is a table to play at."""
    found = LESSONS[name]
    page.goto(f"/learn/{name}")
    for number in range(1, len(found) + 1):
        expect(page).to_have_title(re.compile(f"^Step {number} of {len(found)}"))
        do(page, wanted(found, number)[0])
        expect(page.locator(".lesson-shown")).to_be_visible()
        if number < len(found):
            with led_on(page):
                page.locator("a.lesson-next").click()
    expect(page.locator('#ask form[action="/tables"]').first).to_be_visible()


def test_beside_on_a_phone(browser: Browser, base: str) -> None:
    """At 360 pixels the drawer is a sheet at the bottom, nothing scrolls sideways, and the buttons are large enough."""
    context = browser.new_context(base_url=base, viewport={"width": 360, "height": 740}, has_touch=True, is_mobile=True)
    page = context.new_page()
    page.goto("/learn/turandot/3")
    for aid in page.locator(".aid").all():
        box = aid.bounding_box()
        assert box and box["height"] >= 44 and box["width"] >= 44
    page.locator("#aid-why").tap()
    expect(page.locator("#beside .refusals")).to_be_visible()
    box = page.locator("#beside").bounding_box()
    assert box and 740 == round(box["y"] + box["height"]) and box["y"] > 100
    assert page.evaluate("() => document.documentElement.scrollWidth <= innerWidth")
    page.locator(".beside-close").tap()
    expect(page.locator("#beside")).to_be_hidden()
    context.close()


def test_a_watcher_is_offered_the_rules_alone(tmp_path: Path) -> None:
    """Who watches may read; why not and hints are for whoever is asked."""

    async def visit() -> None:
        async with running(settings(tmp_path)) as app, Visitor(app) as ada, Visitor(app) as ben:
            table = await sat(app, Match(GAMES["opera"], 2, seed=1), ada, "level:1")
            page = (await ben.get(f"/t/{table.id}")).text
            assert 'id="aid-rules"' in page and "data-aid" not in page
            assert 403 == (await ben.get(f"/t/{table.id}/cannot")).status_code

    visiting(visit)
