"""The doors: bots by name, what they may use, what they think and what they remember."""

from __future__ import annotations

import random
from dataclasses import replace
from math import exp, log
from typing import Any

import pytest

from ridotto import bots
from ridotto.bots import Budget, Search, UnknownBot, find
from ridotto.core.game import Game
from ridotto.core.match import Match
from ridotto.core.view import View
from ridotto.engine.fields import HIDDEN
from ridotto.games import GAMES
from ridotto.games import find as find_game
from ridotto.present.ui import english

NAMES = ("random", "greedy", "search:30", "level:1", "level:2")


def advanced(name: str, seats: int, decisions: int, seed: int = 1) -> Match:
    """A match some random decisions on, with several legal actions for whoever is asked."""
    match, chance = Match(GAMES[name], seats, seed=seed), random.Random(seed)
    while match.ply <= decisions or len(match.legal(match.to_act[0])) == 1:
        seat = match.to_act[0]
        match.play(chance.choice(match.legal(seat).ids), seat)
    return match


def view_of(name: str, seats: int = 2, decisions: int = 6, seed: int = 1) -> View:
    match = advanced(name, seats, decisions, seed)
    return match.view(match.to_act[0])


# Names.


@pytest.mark.parametrize(
    ("name", "playouts", "seconds"),
    [
        ("search:1000", 1000, None),
        ("search:100ms", None, 0.1),
        ("search:2s", None, 2.0),
        ("search:0.5s", None, 0.5),
        ("trusting:70", 70, None),
    ],
)
def test_search_is_named_by_its_budget(name: str, playouts: int | None, seconds: float | None) -> None:
    """A number is playouts, a time is seconds, and the bot is called what it was asked for."""
    bot = find(name)
    assert isinstance(bot, Search)
    assert (name, playouts) == (bot.name, bot.playouts)
    assert seconds == (None if bot.seconds is None else round(bot.seconds, 6))


@pytest.mark.parametrize("name", ["random", "greedy", *(f"level:{level}" for level in range(1, 7))])
def test_names_are_kept(name: str) -> None:
    """A bot's name is the text that finds it."""
    assert name == find(name).name
    assert find("search").name == f"search:{Search.playouts}" == find(find("search").name).name


@pytest.mark.parametrize(
    "name", ["", "deep", "search:", "search:0", "search:-5", "search:x", "search:5h", "search:0ms", "search:99999s", "level:7",
             "level:", "level", "random:5", "greedy:1", "search:1e3"],
)  # fmt: skip
def test_unknown_names_are_refused(name: str) -> None:
    """The error names what was asked and what there is."""
    with pytest.raises(UnknownBot, match="unknown bot") as caught:
        find(name)
    assert repr(name) in str(caught.value) and "level:1" in str(caught.value)


# Choices.


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("game", GAMES.values(), ids=lambda game: str(game.name))
def test_choices_are_legal_and_repeat(game: Game, name: str) -> None:
    """All along a match every choice is legal, and the same view and budget give it again."""
    bot, seats = find(name), game.seats[-1]
    match, chance = Match(game, seats, seed=4), random.Random(name)
    while match.to_act and match.ply < 120:
        seat = chance.choice(match.to_act)
        view = match.view(seat)
        budget = Budget(match.ply)
        action = bot.choose(view, budget)
        assert action in view.legal
        if match.ply % 10 == 0:
            assert action == find(name).choose(match.view(seat), budget)
        match.play(action, seat)


def test_threads_share_the_playouts() -> None:
    """Any number of threads makes as many playouts as were asked for, and finds the same each time."""
    view = view_of("turandot", 3)
    bot = find("search:301")
    assert isinstance(bot, Search)
    for threads in (1, 2, 3):
        once, again = (bot.opinion(view, Budget(7, threads=threads)) for _ in range(2))
        assert once == again
        assert 301 == once.playouts
        assert 301 == sum(one.visits for one in once.ranked)


def test_seeds_make_a_difference() -> None:
    """With few playouts another seed gives another opinion."""
    view = view_of("opera", 2, 0)
    bot = Search(40)
    assert 1 < len({bot.opinion(view, Budget(seed)).ranked for seed in range(5)})


@pytest.mark.parametrize("name", ["fantome", "opera", "turandot"])
def test_opinions_are_whole(name: str) -> None:
    """All legal actions are ranked, the likeliest first; shares make one, and so do the hopes of all seats."""
    view = view_of(name, GAMES[name].seats[-1])
    opinion = find("search:400").opinion(view, Budget(1))
    assert opinion is not None
    assert sorted(view.legal) == sorted(one.action for one in opinion.ranked)
    shares = [one.share for one in opinion.ranked]
    assert sorted(shares, reverse=True) == shares
    assert abs(1 - sum(shares)) < 1e-9
    assert 0.98 < sum(opinion.values) < 1.001
    assert find("random").opinion(view, Budget(1)) is None


def test_a_reply_is_seen_with_the_asking_seats_eyes() -> None:
    """What is expected to come next is shown in a row that hides what the asking seat may not know."""
    rules, found = GAMES["fantome"].rules, 0
    for decisions in range(1, 9):
        match = advanced("fantome", 2, decisions)
        seat = match.to_act[0]
        opinion = find("search:300").opinion(match.view(seat), Budget(2))
        assert opinion is not None
        if opinion.reply is not None and seat == 0:
            found += 1
            assert all(opinion.reply.row[index] == HIDDEN for index in rules.FIELDS.hidden(0))
            assert english(match.game).label(opinion.reply.row, opinion.reply.seat, opinion.reply.action)
    assert found


# Time.


class Ticks:
    """A clock that a search moves on by looking at it."""

    def __init__(self) -> None:
        self.looks = 0

    def __call__(self) -> float:
        self.looks += 1
        return self.looks / 1000


def test_time_is_kept() -> None:
    """A search stops at the first look after its time, and has an answer however little there was."""
    view = view_of("fantome")
    for milliseconds in (1, 20, 80):
        clock = Ticks()
        bot = Search(None, milliseconds / 1000, "timed", clock=clock)
        opinion = bot.opinion(view, Budget(1))
        assert opinion.playouts > 0
        # One look is at the beginning, one before the first batch and one after it.
        assert min(milliseconds // 2, 10) <= clock.looks <= max(milliseconds + 1, 3)


def test_time_is_kept_however_playouts_differ() -> None:
    """With playouts that take longer and longer the last batches are small, so that it stops just before its time."""
    view, looks = view_of("fantome"), [0.0]

    class Slower:
        """A clock by which each playout takes a little longer than the one before."""

        made = 0

        def __call__(self) -> float:
            looks.append(0.0002 * self.made + 1e-6 * self.made**2)
            return looks[-1]

    clock = Slower()
    bot = Search(None, 0.1, "timed", clock=clock)
    build = view.game.build("cpu")
    search = build.search.search

    def counting(request: object, playouts: int, *others: object) -> int:
        clock.made += playouts
        return int(search(request, playouts, *others))  # type: ignore[arg-type]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(build.search, "search", counting)
        bot.opinion(view, Budget(1))
    assert 0.09 < looks[-1] <= 0.1


def test_a_short_time_ends_a_long_search() -> None:
    """The time that a decision may take holds for a search that counts playouts, too."""
    clock = Ticks()
    bot = Search(10**8, clock=clock)
    assert bot.opinion(view_of("fantome"), Budget(1, seconds=0.03)).playouts < 10**8
    assert clock.looks < 40


# Memory.


def test_only_who_sits_down_remembers() -> None:
    """In the next decision of a match the tree of the last one is used again, by a bot that sat down to it."""
    match = advanced("fantome", 2, 6)
    bot = find("search:300")
    seat = match.to_act[0]
    seated = bot.sit()
    assert bot.choose(match.view(seat), Budget(1)) == seated.choose(match.view(seat), Budget(1))
    match.play(match.legal(seat)[0], seat)
    while match.to_act[0] != seat or len(match.legal()) == 1:
        match.play(match.legal(match.to_act[0])[0], match.to_act[0])
    fresh, kept = (one.opinion(match.view(seat), Budget(2)) for one in (bot, seated))
    assert fresh is not None
    assert kept is not None
    assert 300 == fresh.playouts == kept.playouts
    assert fresh == bot.opinion(match.view(seat), Budget(2))


def test_what_was_remembered_is_counted() -> None:
    """Right after an own decision, the root already has the visits that it got as a part of the tree before."""
    match = next(m for n in range(1, 40) if (m := advanced("fantome", 2, n)).to_act == (0,) and "pick" in m.legal()[0])
    seated = find("search:400").sit()
    opinion = seated.opinion(match.view(0), Budget(1))
    assert opinion is not None
    match.play(opinion.ranked[0].action, 0)
    assert (0,) == match.to_act
    later = seated.opinion(match.view(0), Budget(1))
    assert later is not None
    assert 400 == later.playouts < sum(one.visits for one in later.ranked)


# Levels.


def test_slips_are_plausible() -> None:
    """With a temperature, an action that gives so much less is chosen e times less often; without one, the best alone."""
    found = [(0, 50.0, 25.0, 0.5), (1, 40.0, 16.0, 0.3), (2, 10.0, 1.0, 0.2), (3, 0.0, 0.0, 0.0)]
    shares = Search(temperature=0.1)._shares(found, hidden=False)
    assert [round(share, 9) for share in shares] == [
        round(weight / (1 + exp(-1) + exp(-4)), 9) for weight in (1, exp(-1), exp(-4), 0)
    ]
    assert [1.0, 0.0, 0.0, 0.0] == Search()._shares(found, hidden=False)
    assert [50 / 90, 40 / 90, 0.0, 0.0] == Search()._shares(found, hidden=True)


@pytest.mark.parametrize("name", GAMES)
def test_levels_look_farther_and_farther(games: dict[str, Game], name: str) -> None:
    """Every level has as many playouts as the one before, or more, and slips no more."""
    for seats in games[name].seats:
        levels = [bots.Level(level).search(games[name], seats) for level in range(1, 7)]
        playouts = [bot.playouts or 0 for bot in levels]
        slips = [bot.temperature for bot in levels]
        assert sorted(playouts) == playouts and 6 == len(set(zip(playouts, slips, strict=True)))
        assert sorted(slips, reverse=True) == slips and 0 == slips[-1]
        with_network = [bots.Level(level).settings(games[name], seats).network for level in range(1, 7)]
        errors = [(one.temperature, one.overlook) for one in with_network if one is not None and not one.playouts]
        assert sorted(errors, reverse=True) == errors, "a network without a search errs less and less, too"


# What others' choices tell.


@pytest.mark.parametrize("matches", [4, pytest.param(12, marks=pytest.mark.soak)])
def test_le_fantome_is_followed_by_ear(matches: int) -> None:
    """From what the inspector saw alone, every ply of random matches is retold as it was, decisions taken back included."""
    game = GAMES["fantome"]
    build = game.build()
    bot: Any = build.bot
    for seed in range(matches):
        match, chance = Match(game, seed=seed), random.Random(seed)
        while match.to_act:
            seat = match.to_act[0]
            assert bot._retell(build, match.view(0), [1.0] * 8), (seed, match.ply)
            match.play(chance.choice(match.legal(seat).ids), seat)
            if chance.random() < 0.05 and match.to_act:
                match.undo()


def test_taking_back_takes_back_what_it_told() -> None:
    """After a decision is taken back, the inspector believes what it did before."""
    game = GAMES["fantome"]
    build = game.build()
    match = advanced("fantome", 2, 12)
    while match.to_act != (1,):
        match.play(match.legal()[0])
    before = build.bot.believe(build, match.view(0))
    match.play(match.legal()[-1])
    match.undo()
    assert before == build.bot.believe(build, match.view(0))


def test_the_phantoms_choices_give_it_away() -> None:
    """Against the game's own bot, the inspector gives the true phantom a likelier place than chance would."""
    game = GAMES["fantome"]
    build = game.build("cpu")
    rules: Any = game.rules
    gained, asked = 0.0, 0
    for seed in range(12):
        match = Match(game, seed=seed)
        while match.to_act:
            seat = match.to_act[0]
            view = match.view(seat)
            if seat == 0 and view.row[rules.F.asked] == rules.PICK and view.row[rules.F.round] > 1:
                belief = build.bot.believe(build, view)
                suspects = [who for who in range(8) if view.row[rules.F.suspects] >> who & 1]
                assert all(16 <= belief[who] <= 256 for who in suspects)
                true = belief[match.row[rules.F.identity]] / sum(belief[who] for who in suspects)
                gained += log(true * len(suspects))
                asked += 1
            match.play(find("greedy").choose(view, Budget(match.ply)))
    assert asked > 50
    assert gained / asked > 0.05


def test_without_the_whole_story_nothing_is_believed() -> None:
    """A view that begins in the middle, or a match that began from a position, leaves all suspects alike."""
    game = GAMES["fantome"]
    build = game.build()
    match = advanced("fantome", 2, 30)
    assert [256] * 8 == build.bot.believe(build, match.view(0, match.ply - 3))
    placed = Match(game, position=match.position())
    assert [256] * 8 == build.bot.believe(build, placed.view(0))
    assert [256] * 8 == build.bot.believe(build, None)


def test_what_lies_face_down_fits_its_cards() -> None:
    """In Turandot a choice with another number of cards than were laid is never called plausible."""
    game = GAMES["turandot"]
    build = game.build("cpu")
    rules: Any = game.rules
    for seed in range(3):
        match = Match(game, 4, seed=seed)
        for _ in range(3):
            seat = match.to_act[0]
            match.play(find("greedy").choose(match.view(seat), Budget(seed)), seat)
        view = match.view(match.to_act[0])
        belief = build.bot.believe(build, view)
        for seat in range(4):
            laid = view.row[rules.F.laid + seat]
            likely = belief[seat * rules.A.give : (seat + 1) * rules.A.give]
            if laid:
                assert 256 == max(likely)
                assert {laid} == {rules.cards_in(choice) for choice, value in enumerate(likely) if value > 6}
            else:
                assert {256} == set(likely)


def test_a_bot_is_given_plain_data() -> None:
    """A search needs nothing but the fields of a view: it chooses the same from a copy."""
    view = view_of("fantome", 2, 20)
    copy = replace(view)
    assert copy is not view
    assert find("search:60").choose(view, Budget(3)) == find("search:60").choose(copy, Budget(3))
    assert bots.BOT_NAMES


@pytest.mark.parametrize("seats", [2, 5])
def test_what_a_policy_noted_before_changes_nothing(seats: int) -> None:
    """A policy may leave notes in its spare row for the next seat, but chooses as with an empty one."""
    match, build, used = Match(GAMES["turandot"], seats, seed=3), GAMES["turandot"].build(), GAMES["turandot"].build().row()
    decisions = 0
    while match.to_act:
        seat = match.to_act[0]
        row, mask, muted = match.masked(seat), build.mask(), build.events(muted=True)
        build.rules.legal(row, seat, mask)
        chosen = {
            int(build.bot.policy(row, seat, mask, build.generator(match.ply), muted, spare)) for spare in (used, build.row())
        }
        assert 1 == len(chosen)
        match.play(chosen.pop(), seat)
        decisions += 1
    assert decisions > 7 * seats


@pytest.mark.parametrize("name", ["greedy", "search:4", "level:3"])
@pytest.mark.parametrize(("game", "box"), [("fantome", "tiny"), ("turandot", "tiny"), ("turandot", "small")])
def test_bots_play_small_boxes(game: str, box: str, name: str) -> None:
    """Whole matches, interpreted, where a place outside an array is an error: compiled code would write into other memory."""
    match, seated = Match(find_game(game, box), seed=2), find(name).sit()
    while match.to_act:
        seat = match.to_act[0]
        match.play(seated.choose(match.view(seat), Budget(match.ply, target="python")), seat)
    assert match.outcome is not None
