"""Photographs the web table for the documentation: `python docs/shots.py [part of a name [folder]]`.

No server runs: the pages are drawn from prepared matches and handed to a real browser.
"""

from __future__ import annotations

import shutil
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cache, partial
from importlib.resources import files
from io import BytesIO
from pathlib import Path
from typing import Any, Literal
from urllib.parse import parse_qs, urlsplit

import segno
from PIL import Image
from playwright.sync_api import Browser, Page, Route, sync_playwright

from ridotto.bots import Budget, find, review
from ridotto.bots.review import Review
from ridotto.core.match import Match
from ridotto.core.takeback import plan_takeback, take_back
from ridotto.games import GAMES
from ridotto.present import takeback as takebacks
from ridotto.present.beats import last_turn
from ridotto.present.lesson import lesson
from ridotto.present.ui import ui
from ridotto.web.clocks import Clock, Terms
from ridotto.web.live.replays import past_view, round_starts
from ridotto.web.live.view_models import NOTES
from ridotto.web.pages import aids, assets
from ridotto.web.pages import lesson as learning_pages
from ridotto.web.pages import replay as lookback_pages
from ridotto.web.pages import site as pages
from ridotto.web.pages import why_not as whynot
from ridotto.web.pages.boards import find_board
from ridotto.web.pages.models import (
    Agreement,
    ChatLine,
    LobbyPage,
    OfferView,
    Reader,
    Rights,
    SeatView,
    TableLine,
    TableLinks,
    TablePage,
    display_names,
)
from ridotto.web.pages.replay import Replay, Reviewed
from ridotto.web.pages.rulebook import rulebook
from ridotto.web.pages.table_log import log_lines

HERE = Path(__file__).with_name("pictures")
BASE = "http://ridotto.localhost"
CHROMIUM = shutil.which("chromium") or "chromium"
ARGUMENTS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update", "--disable-sync"]
DESKTOP, PHONE = (1440, 900), (360, 740)
COLOURS = 176
"""Colours of a picture: enough for what is drawn, and a third of the bytes."""
NAMES = ("Ada", "level:3", "Bruno", "level:2", "Chiara")

Moment = Callable[[Match], bool]


def played(name: str, seats: int, is_there: Moment, seed: int = 3, **options: int) -> Match:
    """A match of sensible play, at the first moment that is wanted."""
    match, bot = Match(GAMES[name], seats, options, seed=seed, clock=lambda: 0.0), find("greedy")
    while match.to_act and not is_there(match):
        seat = match.to_act[0]
        match.play(bot.choose(match.view(seat), Budget(match.ply)), seat)
    return match


def asked(question: str, first: int = 0) -> Moment:
    """The first time that a seat is asked something, from a round on."""

    def is_there(match: Match) -> bool:
        rules = match.game.rules
        return bool(match.row[rules.F.round] >= first and match.row[rules.F.asked] == getattr(rules, question))

    return is_there


def never(match: Match) -> bool:
    return False


def scene(match: Match, reader: Reader, seat: int | None = None) -> TablePage:
    """A table as whoever must decide sees it; after the end, the first seat."""
    seat = seat if seat is not None else match.to_act[0] if match.to_act else 0
    people = [NAMES[one] for one in range(match.seats)]
    people[0], people[seat] = people[seat], people[0]
    seats = tuple(
        SeatView(
            one,
            "",
            "bot" if people[one].startswith("level") else "person",
            people[one],
            you=one == seat,
            here=True,
            owing=one in match.to_act,
        )
        for one in range(match.seats)
    )
    words = ui(match.game).words(ui(match.game).narrator(reader.language, display_names(seats), seat))
    view = match.view(seat)
    log = log_lines(view.seen, words)
    link = f"{BASE}/t/k3"
    reach = words.say("These links work for everybody in the same network as this machine.")
    state: Literal["playing", "over"] = "playing" if match.to_act else "over"
    given = {"recent": last_turn(view.seen, seat), "rights": Rights(is_seated=True)}
    return TablePage(reader, "k3", match.game, view, seats, state, log, links=TableLinks(f"{link}/me/…", link, reach), **given)


def lobby(reader: Reader) -> str:
    """The start page with a few tables."""
    fantome = scene(played("fantome", 2, asked("MOVE", 2)), reader)
    opera = scene(played("opera", 3, asked("HIRE", 2)), reader)
    turandot = scene(played("turandot", 3, never), reader)
    free = SeatView(2, "", "free", "", open=True)
    yours = TableLine("a", fantome.game.title, fantome.seats, "playing", True, True, age=40)
    waiting = TableLine("b", opera.game.title, (*opera.seats[:2], free), "open", age=400)
    over = TableLine("c", turandot.game.title, turandot.seats, "over", True, age=90_000, result=_won_by(turandot))
    cards = tuple(pages.game_card(game, reader.language) for game in GAMES.values())
    return pages.lobby(LobbyPage(reader, cards, (yours,), (waiting,), (over,)))


def _won_by(over: TablePage) -> str:
    assert over.view.outcome is not None
    return over.narrator.say("Won by: {who}.", who=over.named(over.view.outcome.winners))


@dataclass(frozen=True)
class Shot:
    """One photograph: what page, for whom, and what is done before it is taken."""

    name: str
    draw: Callable[[Reader], str]
    language: str = "en"
    theme: Any = "dark"
    size: tuple[int, int] = DESKTOP
    before: Callable[[Page], object] = lambda page: None
    whole: bool = False


def table(name: str, seats: int, is_there: Moment, seed: int = 3) -> Callable[[Reader], str]:
    return lambda reader: pages.table(scene(played(name, seats, is_there, seed), reader))


def end(name: str, seats: int) -> Callable[[Reader], str]:
    """A match that is over, as its table shows it once it is known where it turned."""

    def draw(reader: Reader) -> str:
        match, made = _over(name, seats)
        shown = scene(match, reader)
        return pages.table(replace(shown, turning=lookback_pages.turning_point(shown.id, match, shown.words, made)))

    return draw


def sheet(page: Page) -> None:
    page.locator("[data-sheet]").click()


def shots() -> list[Shot]:
    """Every photograph there is."""
    moments: dict[str, tuple[int, dict[str, Moment]]] = {
        "fantome": (2, {"opening": asked("PICK"), "middle": asked("MOVE", 3), "end": never}),
        "opera": (4, {"opening": asked("BID"), "middle": asked("HIRE", 6), "end": never}),
        "turandot": (3, {"opening": asked("AUDITION"), "middle": asked("AUDITION", 6), "end": never}),
    }
    found = []
    for name, (seats, some) in moments.items():
        spoken = {"opening": ("en", "fr", "nl", "en"), "middle": ("fr", "nl", "en", "fr"), "end": ("nl", "en", "fr", "nl")}
        for moment, is_there in some.items():
            first, second, third, fourth = spoken[moment]
            draw = end(name, seats) if moment == "end" else table(name, seats, is_there)
            found.append(Shot(f"{name}-{moment}-desktop", draw, first, "dark"))
            found.append(Shot(f"{name}-{moment}-phone", draw, second, "dark", PHONE))
            found.append(Shot(f"{name}-{moment}-light-desktop", draw, third, "light"))
            found.append(Shot(f"{name}-{moment}-light-phone", draw, fourth, "light", PHONE))
    arranging = table("opera", 3, asked("REARRANGE", 6))
    casting = table("turandot", 3, asked("CAST"))
    reveal = table("turandot", 4, _just_revealed)
    found += [
        Shot("start-desktop", lobby, "en", "dark", whole=True),
        Shot("start-light-desktop", lobby, "fr", "light"),
        Shot("start-phone", lobby, "nl", "dark", PHONE),
        Shot("start-form-phone", lobby, "fr", "light", PHONE, _open_form),
        Shot("turandot-five-desktop", table("turandot", 5, asked("AUDITION", 5)), "en", "dark"),
        Shot("opera-workshop-desktop", arranging, "fr", "dark", before=sheet),
        Shot("opera-workshop-phone", arranging, "en", "light", PHONE, sheet),
        Shot("turandot-casting-desktop", casting, "nl", "light", before=lambda page: page.locator("[data-hinting]").click()),
        Shot("turandot-casting-phone", casting, "en", "dark", PHONE),
        Shot("turandot-reveal-desktop", reveal, "fr", "dark"),
        Shot("result-desktop", end("turandot", 3), "fr", "light", before=_result),
        Shot("result-phone", end("opera", 3), "nl", "dark", PHONE, _result),
        Shot("rules-desktop", _rules, "en"),
        Shot("invitation-phone", _invitation, "fr", "dark", PHONE),
        Shot("clocks-desktop", _timed, "en", "dark"),
        Shot("clocks-phone", _timed, "nl", "light", PHONE),
        Shot("opera-bar-desktop", _busy, "fr", "light"),
        Shot("opera-bar-phone", _busy, "nl", "dark", PHONE),
        Shot("takeback-desktop", _asked, "fr", "light"),
        Shot("takeback-phone", _asking, "en", "dark", PHONE),
        Shot("takeback-safe-desktop", _safe, "en", "dark", before=_listen),
        Shot("takeback-anew-desktop", _anew, "nl", "light", before=_listen),
        Shot("takeover-desktop", _replaced, "nl", "dark"),
        Shot("takeover-phone", _replaced, "fr", "light", PHONE),
        Shot("handover-desktop", _handed, "fr", "dark"),
        Shot("handover-phone", _handed, "en", "light", PHONE),
        Shot("talk-desktop", _talking, "en", "light", before=_listen),
        Shot("talk-phone", _talking, "nl", "dark", PHONE, _listen),
        Shot("start-clock-phone", lobby, "en", "dark", PHONE, _open_clock),
        Shot("replay-desktop", partial(_replay, "fantome", 2), "en", "dark"),
        Shot("replay-open-desktop", partial(_replay, "fantome", 2, eyes=lookback_pages.OPEN), "fr", "light"),
        Shot("replay-phone", partial(_replay, "turandot", 3), "fr", "light", PHONE),
        Shot("onward-desktop", partial(_replay, "opera", 3), "nl", "light", before=_to_onward),
        Shot("review-desktop", _review, "en", "dark", whole=True),
        Shot("review-phone", _review, "nl", "light", PHONE),
        Shot("records-phone", lookback_pages.records, "fr", "dark", PHONE),
        Shot("fault-phone", lambda reader: pages.fault(reader, 404, "…"), "nl", "light", PHONE),
        *_learning(),
    ]
    return found


def _just_revealed(match: Match) -> bool:
    return any(one.event.name == "reveals" and one.ply == match.ply - 1 for one in match.view().seen) and match.ply > 30


def _open_form(page: Page) -> None:
    page.locator("#setup-opera summary").click()
    page.locator("#setup-opera").scroll_into_view_if_needed()
    page.locator("#setup-opera [name=seat1]").scroll_into_view_if_needed()


def _rules(reader: Reader) -> str:
    return pages.rules(reader, GAMES["fantome"], rulebook(GAMES["fantome"], reader.language))


def _result(page: Page) -> None:
    page.locator("#result").scroll_into_view_if_needed()
    page.evaluate("() => document.querySelector('#result').scrollIntoView()")


def _invitation(reader: Reader) -> str:
    found = scene(played("opera", 3, asked("BID")), replace(reader, name="Ada"))
    free = SeatView(2, "", "free", "")
    return pages.join(replace(found, reader=reader, seats=(*found.seats[:2], free)), free)


# Learning.


def _learning() -> list[Shot]:
    """The rulebook beside the table, a hint, why not, and lessons."""
    house, stage = _Aided("fantome", 2, "MOVE", 3), _Aided("opera", 3, "HIRE", 5)
    return [
        Shot("beside-rules-desktop", house.draw, "fr", "dark", before=house.opens("rules")),
        Shot("beside-rules-phone", stage.draw, "en", "light", PHONE, stage.opens("rules")),
        Shot("hint-desktop", stage.draw, "en", "dark", before=stage.opens("hint")),
        Shot("hint-phone", house.draw, "nl", "light", PHONE, house.opens("hint")),
        Shot("why-not-desktop", house.draw, "en", "light", before=house.points),
        Shot("cannot-desktop", stage.draw, "nl", "dark", before=stage.opens("why")),
        Shot("lesson-fantome-desktop", partial(_lesson, "fantome", 5), "en", "dark"),
        Shot("lesson-opera-desktop", partial(_lesson, "opera", 6), "fr", "light"),
        Shot("lesson-turandot-phone", partial(_lesson, "turandot", 3), "nl", "dark", PHONE),
    ]


@dataclass(frozen=True)
class _Aided:
    """A table at which one asks for help, and what the server would answer."""

    name: str
    seats: int
    question: str
    round: int

    @property
    def match(self) -> Match:
        return played(self.name, self.seats, asked(self.question, self.round))

    def draw(self, reader: Reader) -> str:
        return pages.table(replace(scene(self.match, reader), rights=Rights(is_seated=True, has_hints=True)))

    def opens(self, aid: str) -> Callable[[Page], None]:
        def before(page: Page) -> None:
            self.answer(page)
            page.locator(f"#aid-{aid}").click()
            page.locator("#beside-body > :not(:empty)").first.wait_for()
            page.evaluate("() => document.activeElement.blur()")

        return before

    def points(self, page: Page) -> None:
        self.answer(page)
        page.locator('#board [data-ask^="move"]').last.hover()
        page.locator("#tip").wait_for()

    def answer(self, page: Page) -> None:
        """Let the page have what it fetches."""
        match, spoken = self.match, page.evaluate("() => document.documentElement.lang")
        seat, reader = match.to_act[0], Reader("Ada", spoken)
        shown = scene(match, reader)
        words, narrator, view = shown.words, shown.narrator, shown.view
        thought = find("search:20000").opinion(view, Budget(1))
        assert thought is not None
        told = aids.hint(view, thought, len(aids.LOOKS), narrator)
        refused = aids.cannot(match, seat, narrator)
        do = page.locator("#board [data-ask]").evaluate_all("all => all.map((one) => one.dataset.ask)")
        why = {one: whynot.answer(match, seat, one, words) for one in do}
        book = pages.rules(reader, match.game, rulebook(match.game, spoken))
        page.route("**/rules/**", lambda route: route.fulfill(body=book, content_type="text/html; charset=utf-8"))
        page.route("**/hint*", lambda route: route.fulfill(json=told))
        page.route("**/cannot", lambda route: route.fulfill(json=refused))
        page.route("**/why*", lambda route: route.fulfill(json=why[parse_qs(urlsplit(route.request.url).query)["do"][0]]))


def _lesson(name: str, number: int, reader: Reader) -> str:
    found = lesson(GAMES[name])
    assert found is not None
    shown = learning_pages.setting(reader, found, number, found.before(number), "asked")
    return learning_pages.page(shown, found, number)


# Looking back.


@cache
def _over(name: str, seats: int) -> tuple[Match, Review]:
    """A match of sensible play, and what a bot thinks of it."""
    match = played(name, seats, never)
    return match, review.review(match, "search:300" if name == "fantome" else "search:30")


def _replay(name: str, seats: int, reader: Reader, eyes: str = "1") -> str:
    """A moment in the middle of a match that is over, with the eyes of the second seat or others."""
    match, made = _over(name, seats)
    ply = match.ply // 2
    then = match.after(ply + 1)
    found = scene(match, reader, 1)
    places = tuple(place._replace(owing=place.seat in then.to_act) for place in found.seats)
    lines = tuple(line for line in scene(then, reader, 1).log)
    everybody = (*map(str, range(seats)), lookback_pages.WATCH, lookback_pages.OPEN)
    told = Replay(ply, match.ply - 1, eyes, everybody, tuple(round_starts(match)), True, 1)
    shown = replace(found, view=past_view(match, ply, eyes), seats=places, log=lines, state="playing", pictured=None)
    return lookback_pages.replay(shown, told, f"{BASE}{told.address('k3')}", made, match)


def _to_onward(page: Page) -> None:
    page.evaluate("() => document.querySelector('#onward').scrollIntoView({block: 'end'})")


def _review(reader: Reader) -> str:
    match, made = _over("fantome", 2)
    return lookback_pages.review(scene(match, reader, 1), Reviewed(made), match)


# Around the match.


def _people(found: TablePage, **changes: Any) -> TablePage:
    """The same table with people on every seat."""
    called = ("Ada", "Bruno", "Chiara", "Dirk")
    seats = tuple(place._replace(kind="person", name=called[place.seat]) for place in found.seats)
    return replace(
        found, **{"seats": seats, "now": 1, "rights": Rights(is_seated=True, may_chat=True, may_take_back=True)} | changes
    )


def _timed(reader: Reader) -> str:
    """Four people bid while their clocks run; one has bid already."""
    match = played("opera", 4, asked("BID", 4))
    match.play(match.legal(3)[2], 3)
    return pages.table(_ticking(_people(scene(match, reader, 0), agreement=Agreement(Terms("match", 1200, 5)))))


def _busy(reader: Reader) -> str:
    """Everything that a bar can have: much to choose from, the rules, why not, a hint, a takeback, clocks."""
    rights = Rights(is_seated=True, may_chat=True, may_take_back=True, has_hints=True)
    found = _people(
        scene(played("opera", 4, asked("BUILD", 5)), reader), agreement=Agreement(Terms("match", 1200, 5)), rights=rights
    )
    return pages.table(_ticking(found))


def _ticking(found: TablePage) -> TablePage:
    """The same table with clocks, which run for whoever has to decide."""
    now = int(1000 * time.time())
    left = (754_000, 48_000, 1_002_000, 633_000)
    seats = tuple(
        place._replace(clock=Clock(left[place.seat], now + left[place.seat] if place.owing else None)) for place in found.seats
    )
    return replace(found, seats=seats, now=now)


def _asked(reader: Reader) -> str:
    """Bruno would take something back, and it is told what was learned since."""
    return _offer(reader, is_owed=True)


def _asking(reader: Reader) -> str:
    return _offer(reader, is_mine=True)


def _drawn() -> Match:
    """A match in which something was drawn just now."""
    return played("fantome", 2, lambda one: one.ply > 24 and one.entries[-1].seat is not None and bool(one.entries[-1].draws))


def _offer(reader: Reader, **whose: bool) -> str:
    match = _drawn()
    seat = match.entries[-1].seat
    assert seat is not None
    eyes = seat if whose.get("is_mine") else 1 - seat
    found = _people(scene(match, reader, eyes))
    told = plan_takeback(match, seat)
    because, section = takebacks.because(told, match, found.words, eyes), told.section(eyes)
    shown = OfferView("takeback", seat, seat, because=because, section=section, may_anew=True, missing=(1 - seat,), **whose)
    return pages.table(replace(found, offer=shown))


def _safe(reader: Reader) -> str:
    """Ada has taken back a bid that nobody had seen, and is asked again."""
    match = played("opera", 3, asked("BID", 4))
    match.play(match.legal(0)[-1], 0)
    told = plan_takeback(match, 0)
    assert told.at_once
    take_back(match, told)
    return _taken(match, reader, 0, "takes")


def _anew(reader: Reader) -> str:
    """Something was taken back by consent, and what was learned was dealt anew."""
    match = _drawn()
    seat = match.entries[-1].seat
    assert seat is not None
    told = plan_takeback(match, seat)
    assert told.anew is not None
    take_back(match, told, anew=True)
    return _taken(match, reader, seat, "asks", "takes-anew")


def _taken(match: Match, reader: Reader, seat: int, *kinds: str) -> str:
    """The table after a takeback, with what is noted of it."""
    found = _people(scene(match, reader, seat))
    who = found.seats[seat].display_name
    lines = tuple(
        ChatLine(number, 1_800_000_000 + 9 * number, found.narrator.tell(seat, *NOTES[kind], who=who), seat=seat)
        for number, kind in enumerate(kinds, 1)
    )
    return pages.table(
        replace(
            found, chat=lines, rights=found.rights._replace(may_take_back=any(entry.seat == seat for entry in match.entries))
        )
    )


def _replaced(reader: Reader) -> str:
    """A bot plays for the reader."""
    found = _people(scene(played("turandot", 3, asked("AUDITION", 5)), reader))
    seats = tuple(place._replace(stand_in="level:3" if place.you else "") for place in found.seats)
    return pages.table(
        replace(found, seats=seats, view=replace(found.view, legal=()), rights=found.rights._replace(may_take_back=False))
    )


def _handed(reader: Reader) -> str:
    """Between two turns on one device."""
    found = _people(scene(played("fantome", 2, asked("MOVE", 3)), reader))
    return pages.table(replace(found, handover=1))


def _talking(reader: Reader) -> str:
    """People talk."""
    found = _people(
        scene(played("opera", 3, asked("HIRE", 5)), reader),
        rights=Rights(is_seated=True, is_host=True, may_chat=True, may_take_back=True),
    )
    at, tell = 1_800_000_000, found.narrator.tell
    lines = (
        ChatLine(1, at, "Buona sera a tutti!", "Chiara", 2),
        ChatLine(2, at + 60, "Toi, toi, toi.", "Ada", 0, yours=True),
        ChatLine(3, at + 90, tell(1, *NOTES["asks"], who="Bruno"), seat=1),
        ChatLine(4, at + 95, tell(2, *NOTES["refuses"], who="Chiara"), seat=2),
        ChatLine(5, at + 130, "Ma no! La Signora era mia …", "Bruno", 1),
        ChatLine(6, at + 150, "", "Scarpia", removed=True),
    )
    return pages.table(replace(found, chat=lines))


def _listen(page: Page) -> None:
    page.locator("#talk summary").first.click()


def _open_clock(page: Page) -> None:
    page.locator("#setup-fantome summary").click()
    page.locator("#setup-fantome [name=clock]").select_option("match:1200")
    page.locator("#setup-fantome [name=clock]").evaluate("(one) => one.closest('fieldset').scrollIntoView()")


def serve(page: str, route: Route) -> None:
    """What the server would answer."""
    path = urlsplit(route.request.url).path
    static = path.removeprefix("/static/")
    if path == "/":
        route.fulfill(body=page, content_type="text/html; charset=utf-8")
    elif static == "boards.css":
        route.fulfill(body=assets.css(), content_type="text/css; charset=utf-8")
    elif path.startswith("/boards/"):
        name, language, setup = path.removeprefix("/boards/").removesuffix(".svg").split("/")
        board = find_board(GAMES[name], language, setup)
        assert board is not None, path
        route.fulfill(body=board.text, content_type="image/svg+xml")
    elif path.startswith("/static/"):
        name = path.rpartition("/")[2]
        kind = "text/javascript" if name.endswith(".js") else "image/svg+xml"
        route.fulfill(body=(assets.STATIC / name).read_text("utf-8"), content_type=kind)
    elif path.startswith("/fonts/"):
        package = "font_source_serif_pro" if "Serif" in path else "font_source_sans_pro"
        route.fulfill(body=(files(package) / "files" / path.removeprefix("/fonts/")).read_bytes(), content_type="font/otf")
    elif path.endswith("/live"):
        route.fulfill(body="retry: 600000\n\n", content_type="text/event-stream")
    elif path.endswith("/qr.svg"):
        buffer = BytesIO()
        segno.make(BASE, micro=False).save(buffer, kind="svg", scale=4, border=1)
        route.fulfill(body=buffer.getvalue(), content_type="image/svg+xml")
    else:
        route.fulfill(json={})


def opened(browser: Browser, shot: Shot) -> Page:
    """What is photographed, in a browser, with everything done that is done before."""
    html = shot.draw(Reader("Ada", shot.language, shot.theme, False, ""))
    wide, tall = shot.size
    page = browser.new_page(viewport={"width": wide, "height": tall}, device_scale_factor=1)
    page.route("**/*", partial(serve, html))
    page.add_init_script("localStorage.setItem('call', 'off')")
    page.goto(f"{BASE}/")
    page.evaluate("() => document.fonts.ready")
    shot.before(page)
    if "table-page" in html:
        page.evaluate("() => document.querySelector('#offline')?.remove()")
    page.wait_for_timeout(200)
    return page


def main(part: str = "", folder: str = "") -> None:
    """Take every photograph whose name has this part, into the pictures of the documentation or another folder."""
    where = Path(folder) if folder else HERE
    where.mkdir(exist_ok=True)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS)
        for shot in (one for one in shots() if part in one.name):
            page = opened(browser, shot)
            sideways = page.evaluate("() => document.documentElement.scrollWidth - innerWidth")
            image = Image.open(BytesIO(page.screenshot(full_page=shot.whole)))
            image.convert("RGB").quantize(COLOURS, Image.Quantize.MAXCOVERAGE, kmeans=2).save(
                where / f"{shot.name}.png", optimize=True
            )
            print(f"{shot.name}.png", "" if sideways <= 0 else f"scrolls sideways by {sideways}")
            page.close()
        browser.close()


if __name__ == "__main__":
    main(*sys.argv[1:3])
