"""Trained networks: what their files hold, what compiled code makes of them, where they play and where the search does."""

from __future__ import annotations

import importlib
import logging
import random
from dataclasses import replace
from pathlib import Path
from statistics import fmean
from typing import Any

import numpy
import pytest

from ridotto import bots
from ridotto.bots import Budget, networks
from ridotto.bots.networks import BadNetwork, Net, NetSearch, TrainedNetwork, load, network_of, save
from ridotto.core.game import Game
from ridotto.core.match import Match
from ridotto.core.tensors import Tensors
from ridotto.core.tuning import LevelSettings, NetworkLevel
from ridotto.core.view import View
from ridotto.engine.fields import HIDDEN
from ridotto.games import GAMES

WIDTH = 24
MOST_BYTES = 2_000_000
OPERA = GAMES["opera"]


def made(game: Game, facts: dict[str, Any] | None = None) -> TrainedNetwork:
    """A small network with random weights, which looks at everything."""
    chance = numpy.random.default_rng(1)

    def drawn(*shape: int) -> Any:
        return chance.normal(0, 0.3, shape).astype("float32")

    elements = Tensors(game, game.seats[-1], is_padded=True).size
    inputs = numpy.zeros((elements, elements + 1), "float32")
    inputs[range(elements), range(elements)] = 1
    inputs[:, -1] = chance.integers(0, 2, elements)
    answers = game.rules.ACTIONS.size + game.seats[-1]
    known = {
        "game": game.name,
        "rules": game.version,
        "box": game.build().box,
        "options": game.settle(),
        "seats": list(game.seats),
        "without": [],
    }
    layers = drawn(2, WIDTH, WIDTH), drawn(3, WIDTH), drawn(WIDTH, answers), drawn(answers)
    return TrainedNetwork(known | (facts or {}), inputs, drawn(elements + 1, WIDTH), *layers)


def views(game: Game, seats: int, seed: int, decisions: int = 120) -> list[View]:
    """Decisions with a choice in a random match; where choices are simultaneous, the last seat decides first."""
    match, chance, found = Match(game, seats, seed=seed), numpy.random.default_rng(seed), []
    while match.to_act and match.ply < decisions:
        seat = match.to_act[-1]
        view = match.view(seat)
        if len(view.legal) > 1:
            found.append(view)
        match.play(int(chance.choice(view.legal)), seat)
    return found


def answers(network: TrainedNetwork, view: View) -> Any:
    """What a network answers, worked out with NumPy from the view's array."""
    assert view.seat is not None
    row, game = list(view.row), view.game
    game.build().bot.recall(row, view.seat)
    seen = Tensors(game, view.seats, is_padded=True).encode(row, view.seat)
    hidden = numpy.maximum(seen @ network.inputs @ network.first + network.biases[0], 0)
    for weights, bias in zip(network.layers, network.biases[1:], strict=True):
        hidden = hidden + numpy.maximum(hidden @ weights + bias, 0)
    return hidden @ network.last + network.last_bias


# Files.


def test_a_file_keeps_a_network(tmp_path: Path) -> None:
    """Weights come back to within half a step of 127 to the largest of their output; facts and inputs as they were."""
    network, path = made(OPERA), tmp_path / "network.npz"
    save(network, path)
    found = load(path)
    assert network.facts == found.facts
    assert (network.inputs == found.inputs).all()
    for name in ("first", "layers", "last"):
        before, after = getattr(network, name), getattr(found, name)
        step = abs(before).max(axis=-2, keepdims=True) / 127
        assert (abs(before - after) <= 0.501 * step).all()
        assert (before != after).any(), "one byte is not four"
    assert numpy.allclose(network.biases, found.biases, atol=1e-3)
    again = tmp_path / "again.npz"
    save(found, again)
    assert load(again).digest == found.digest != network.digest


@pytest.mark.parametrize("content", [b"", b"PK\x03\x04", b"a network", b'{"format": "ridotto network 1"}'])
def test_other_files_are_refused(content: bytes, tmp_path: Path) -> None:
    """What is not a network is refused in one sentence that names the file."""
    path = tmp_path / "other.npz"
    path.write_bytes(content)
    with pytest.raises(BadNetwork, match=r"other\.npz' is not a network"):
        load(path)
    with pytest.raises(BadNetwork, match=r"cannot read the network .*: No such file"):
        load(tmp_path / "nothing.npz")


def test_files_of_arrays_that_are_no_networks_are_refused(tmp_path: Path) -> None:
    """An archive of NumPy is not enough; neither is a format of the future."""
    path = tmp_path / "other.npz"
    numpy.savez(path, weights=numpy.zeros(3))
    with pytest.raises(BadNetwork, match="is not a network: 'facts"):
        load(path)
    numpy.savez(path, facts=numpy.frombuffer(b'{"format": "ridotto network 99"}', "uint8"))
    with pytest.raises(BadNetwork, match="not a network of a format that this version knows"):
        load(path)


@pytest.mark.parametrize("name", [name for name, game in GAMES.items() if network_of(game) is not None])
def test_the_networks_in_the_box(name: str) -> None:
    """Each is small, and fits its game as it is now: its rules, its box and its options."""
    game = GAMES[name]
    network = network_of(game)
    assert network is not None
    assert networks.file_of(game).stat().st_size <= MOST_BYTES
    assert network.facts["rules"] in network.facts.get("plays", [network.facts["rules"]])
    for seats in network.facts["seats"]:
        assert network.reason_against(game, seats, game.settle()) is None
        network.for_seats(game, seats)
    assert network.facts["training"]["decisions"] > 10**8


# What it answers.


@pytest.mark.parametrize("seats", OPERA.seats)
def test_compiled_answers_are_those_of_numpy(seats: int) -> None:
    """At every number of seats, of every seat, also while others have chosen at the same time."""
    network = made(OPERA)
    build, ready = OPERA.build("cpu"), network.for_seats(OPERA, seats)
    found = views(OPERA, seats, seats)
    F = OPERA.rules.FIELDS.F
    assert any(view.row[F.bid + other] == HIDDEN for view in found for other in range(seats)), "somebody has bid already"
    for view in found:
        assert view.seat is not None
        build.network.evaluate(build.copy(view.row), view.seat, ready)
        assert numpy.allclose(answers(network, view), ready.answers, atol=1e-4)


def test_answers_do_not_depend_on_who_chose_first() -> None:
    """Before and after another seat's bid, a seat that has yet to bid gets the same answers."""
    network, seats = made(OPERA), 3
    build, ready = OPERA.build("cpu"), network.for_seats(OPERA, seats)
    match = Match(OPERA, seats, seed=5)
    while len(match.to_act) < seats:
        match.play(match.legal(match.to_act[0]).ids[0], match.to_act[0])
    found = []
    for other in (None, 0, 2):
        if other is not None:
            match.play(match.legal(other).ids[-1], other)
        build.network.evaluate(build.copy(match.view(1).row), 1, ready)
        found.append(list(ready.answers))
    assert found[0] == found[1] == found[2]


def test_interpreted_answers_are_the_same() -> None:
    """The same source, run as it stands on plain lists, answers the same."""
    network, seats = made(OPERA), 2
    build, ready = OPERA.build(), network.for_seats(OPERA, seats)
    lists: Any = ready._replace(
        encoding=type(ready.encoding)(*(numpy.asarray(array).tolist() for array in ready.encoding)),
        **{name: numpy.asarray(getattr(ready, name)).tolist() for name in ("first", "layers", "biases", "last", "last_bias")},
        **{name: numpy.asarray(getattr(ready, name)).tolist() for name in networks.WORK},
    )
    for view in views(OPERA, seats, 1, 30):
        assert view.seat is not None
        build.network.evaluate(list(view.row), view.seat, lists)
        assert numpy.allclose(answers(network, view), lists.answers, atol=1e-4)


def test_shares_belong_to_the_seats_at_the_table() -> None:
    """The first share is that of the seat that looks, the next that of the seat after it."""
    seats = 3
    build, ready = OPERA.build("cpu"), made(OPERA).for_seats(OPERA, seats)
    ready.answers[OPERA.rules.ACTIONS.size :] = [0.5, -0.5, 0.1, 9.0]
    values = build.copy([0] * 8, "int64")
    build.network.shares(2, ready, 10_000, values)
    assert [0, int(10_000 * (0.1 + 1 / 3)), int(10_000 * (0.5 + 1 / 3))] == pytest.approx(list(values[:3]), abs=1)


# Bots.


def test_net_plays_what_it_likes_best() -> None:
    """It chooses the legal action with the highest answer; of what others do not see it draws one."""
    network = made(OPERA)
    network.last[:] *= 0.01  # so that it likes no action much better than others
    hidden = OPERA.build("cpu").search.IS_HIDDEN
    drawn = set()
    for view in views(OPERA, 3, 7):
        likes = answers(network, view)
        choices = {Net(network=network).choose(view, Budget(seed)) for seed in range(6)}
        assert choices <= set(view.legal)
        if hidden[view.legal[0]]:
            drawn |= {len(choices) > 1}
        else:
            assert {max(view.legal, key=lambda action: likes[action])} == choices
    assert True in drawn


def test_a_search_with_a_network_begins_with_its_prior_and_values() -> None:
    """One playout opens the root alone: the prior decides, and the values are the network's."""
    network = made(OPERA)
    view = next(view for view in views(OPERA, 2, 3) if not OPERA.build("cpu").search.IS_HIDDEN[view.legal[0]])
    likes = answers(network, view)
    opinion = NetSearch(1, network=network).opinion(view, Budget(1))
    assert max(view.legal, key=lambda action: likes[action]) == opinion.ranked[0].action


def test_a_search_with_an_indifferent_network_is_indifferent() -> None:
    """A network that likes all actions alike, and promises an equal share everywhere, has them all tried as often."""
    network = made(OPERA)
    network.last[:] = 0
    network.last_bias[:] = 0
    hidden = OPERA.build("cpu").search.IS_HIDDEN
    view = next(view for view in views(OPERA, 2, 3, 200) if len(view.legal) > 3 and not hidden[view.legal[0]])
    opinion = NetSearch(64, network=network).opinion(view, Budget(1))
    assert opinion.values == pytest.approx((0.5, 0.5), abs=0.01), "an equal share is promised to both"
    visits = [one.visits for one in opinion.ranked]
    assert sum(visits) == 64 and max(visits) - min(visits) <= 3, "and nothing speaks for any action"


def test_a_search_with_a_network_is_judged_by_its_own_seat() -> None:
    """A network that promises everything to whoever is asked is only asked for the seat that searches, not for its rivals."""
    network, actions = made(OPERA), OPERA.rules.ACTIONS.size
    network.last[:] = 0
    network.last_bias[:] = 0
    network.last_bias[actions:] = -1 / 3
    network.last_bias[actions] = 1 - 1 / 3
    for view in views(OPERA, 3, 5, 60)[::4]:
        assert view.seat is not None
        opinion = NetSearch(32, network=network).opinion(view, Budget(1))
        assert 1.0 == pytest.approx(opinion.values[view.seat], abs=0.001)


def test_rivals_are_drawn_by_their_prior() -> None:
    """Each action as often as the network says, and one that it rules out never."""
    build: Any = OPERA.build("cpu")
    search, tree, dice, priors = build.search, build.tree(64, 512), build.generator(5), [0.2, 0.0, 0.7, 0.1]
    tree.nodes[search.FIRST], tree.nodes[search.COUNT] = 0, len(priors)
    for i, prior in enumerate(priors):
        tree.edges[i * search.EDGE + search.PRIOR] = prior
    drawn = [search.drawn_by_prior(tree, 0, dice) // search.EDGE for _ in range(4000)]
    # Four standard errors of a share of 4,000 draws are at most 0.032.
    assert [drawn.count(i) / 4000 for i in range(4)] == pytest.approx(priors, abs=0.032)
    assert 1 not in drawn


def test_the_same_view_and_seed_give_the_same_choice() -> None:
    """In a search with a network as in any."""
    bot = NetSearch(40, network=made(OPERA))
    for view in views(OPERA, 3, 4, 40)[:4]:
        assert bot.choose(view, Budget(3)) == bot.choose(view, Budget(3))


def test_names() -> None:
    """`net` does not search, `net:N` does, and says so itself."""
    assert isinstance(bots.find("net"), Net)
    playouts, time = bots.find("net:400"), bots.find("net:100ms")
    assert isinstance(playouts, NetSearch) and isinstance(time, NetSearch)
    assert ("net:400", 400, True) == (playouts.name, playouts.playouts, playouts.is_repeatable)
    assert ("net:100ms", None, False) == (time.name, time.playouts, time.is_repeatable)
    for wrong in ("net:", "net:0", "net:fast"):
        with pytest.raises(bots.UnknownBot, match="net:PLAYOUTS"):
            bots.find(wrong)


@pytest.mark.parametrize(
    ("facts", "options", "why"),
    [
        ({"box": "another"}, {}, "the network was trained with another box"),
        ({"rules": 0}, {}, "the network was trained by version 0 of the rules"),
        ({"rules": 0, "plays": [0, 1]}, {}, "the network was trained by version 0 of the rules"),
        ({"seats": [3, 4]}, {}, "the network was not trained for 2 seats"),
        ({"game": "chess"}, {}, "the network is one of chess"),
        ({}, {"seven_rounds": 1}, "the network was not trained with the option seven_rounds"),
    ],
)
def test_where_a_network_does_not_play(
    facts: dict[str, Any], options: dict[str, int], why: str, caplog: pytest.LogCaptureFixture
) -> None:
    """The search plays without it: the same choice as the search alone, and it is said why, once."""
    networks.say_once.cache_clear()
    network = made(OPERA, facts)
    match = Match(OPERA, 2, options, seed=2)
    while len(match.legal(match.to_act[0])) == 1:
        match.play(match.legal(match.to_act[0]).ids[0], match.to_act[0])
    view = match.view(match.to_act[0])
    with caplog.at_level(logging.WARNING):
        for _ in range(2):
            chosen = NetSearch(30, network=network).choose(view, Budget(5))
    assert bots.find("search:30").choose(view, Budget(5)) == chosen
    assert [f"{why}: the search plays without it"] == [record.getMessage() for record in caplog.records]


def test_a_network_of_another_shape_is_refused() -> None:
    """One that has fewer inputs than there are cannot be used by mistake."""
    network = made(OPERA)
    with pytest.raises(BadNetwork, match="the network has 5 elements, but opera has"):
        replace(network, inputs=network.inputs[:5]).for_seats(OPERA, 2)


# The search of version 0.1.

CHOICES = {
    ("fantome", 2): [3, 16, 37, 0, 9, 1, 15, 12, 6, 63, 2, 28, 14, 4, 13, 29, 30, 5, 13, 30, 1, 13, 4, 16],
    ("opera", 2): [10, 10, 12, 39, 43, 39, 43, 11, 25, 20, 28, 33, 34, 23, 27, 31, 34, 14, 104, 17, 17, 3, 2, 11],
    ("opera", 4): [10, 10, 9, 10, 12, 39, 43, 39, 43, 39, 43, 36, 37, 11, 25, 25, 33, 33, 34, 20, 20, 28, 28, 34],
    ("turandot", 2): [17, 18, 50, 64, 11, 14, 52, 69, 0, 2, 51, 65, 19, 9, 8, 8, 50, 51, 8, 8, 50, 51, 0, 16],
    ("turandot", 5): [32, 34, 35, 34, 34, 50, 51, 53, 55, 54, 58, 62, 25, 49, 48, 9, 48, 55, 50, 54, 60, 61, 34, 36],
}
"""What `search:60` of version 0.1 chose in the first decisions of the match with seed 11, each with its ply as seed.

Opera's are those by rules version 2: its policy knew an order of building that the rules no longer have."""


@pytest.mark.parametrize(("game", "seats"), CHOICES)
def test_the_search_of_version_0_1_chooses_as_it_did(game: str, seats: int) -> None:
    """`search-0.1` is a measure for others, so it must not change."""
    match, bot = Match(GAMES[game], seats, seed=11), bots.find("search-0.1:60")
    chosen: list[int] = []
    while len(chosen) < len(CHOICES[game, seats]):
        seat = match.to_act[0]
        view = match.view(seat)
        action = view.legal[0]
        if len(view.legal) > 1:
            action = bot.choose(view, Budget(seed=match.ply))
            chosen.append(action)
        match.play(action, seat)
    assert CHOICES[game, seats] == chosen


# Levels that play by a network.


def test_a_level_with_a_network_plays_it_where_it_can(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """Elsewhere, and where nothing is compiled yet, the level's own search plays; it is said where the network cannot."""
    networks.say_once.cache_clear()
    monkeypatch.setattr(networks, "network_of", lambda game: made(game))
    search, net = NetworkLevel(40, 0.1), NetworkLevel(0, 2.0, 0.3)
    levels = (*[LevelSettings(20)] * 4, LevelSettings(30, network=net), LevelSettings(50, network=search))
    tuned = replace(OPERA.tuning, levels_at={3: levels})
    monkeypatch.setattr(Game, "tuning", property(lambda game: tuned))
    match = Match(OPERA, 3, seed=1)
    view = match.view(match.to_act[0])
    assert Net("level:5", temperature=2.0, overlook=0.3) == bots.Level(5).bot(view)
    maestro = bots.Level(6).bot(view)
    assert isinstance(maestro, NetSearch) and (40, 0.1) == (maestro.playouts, maestro.temperature)
    assert not caplog.messages
    other = Match(OPERA, 3, {"seven_rounds": 1}, seed=1)
    for found in (bots.Level(6).bot(other.view(other.to_act[0])), bots.Level(6).bot(view, "python")):
        assert not isinstance(found, NetSearch) and isinstance(found, bots.Search) and 50 == found.playouts
    assert ["the network was not trained with the option seven_rounds: the search plays without it"] == caplog.messages
    opinion = bots.Level(5).opinion(view, Budget(1))
    assert 30 == opinion.playouts, "a level that does not search has the opinion of its search"


def test_a_network_overlooks_actions_and_plays_the_best_of_the_others() -> None:
    """One that is drawn by lot it always sees; and it is the same choice with the same seed."""
    game, network = OPERA, made(OPERA)
    match, chance = Match(game, 2, seed=1), random.Random(1)
    while game.build("cpu").search.IS_HIDDEN[(view := match.view(match.to_act[0])).legal[0]] or len(view.legal) < 3:
        match.play(chance.choice(view.legal), match.to_act[0])
    best, count = Net(network=network).choose(view, Budget(1)), len(view.legal)
    for overlook in (0.5, 1.0):
        bot = Net(network=network, overlook=overlook)
        chosen = [bot.choose(view, Budget(seed)) for seed in range(600)]
        assert chosen == [bot.choose(view, Budget(seed)) for seed in range(600)]
        wanted = 1 / count + (1 - 1 / count) * (1 - overlook)
        assert wanted == pytest.approx(chosen.count(best) / 600, abs=0.06)
    assert set(view.legal) == set(chosen), "where it overlooks all others, each is as likely"


def test_a_temperature_flattens_likelihoods() -> None:
    """At 1 they are the softmax of the answers, at 2 that of half of them."""
    build, ready = OPERA.build("cpu"), made(OPERA).for_seats(OPERA, 2)
    ready.answers[:4] = [0.0, 1.0, 2.0, 9.0]
    mask = build.mask()
    mask[0] = 0b111
    for temperature in (1.0, 2.0):
        build.network.likelihoods(mask, ready, temperature)
        weights = numpy.exp(numpy.array([0.0, 1.0, 2.0]) / temperature)
        assert list(weights / weights.sum()) == pytest.approx(list(ready.chances[:3]), rel=1e-5)


# What a game shows a network besides the row.


def test_features_say_what_the_bot_thinks() -> None:
    """The same interpreted and compiled; and a sensible player's choice is among those that they call likely."""
    game, chance = GAMES["turandot"], random.Random(5)
    plain, fast = game.build(), game.build("cpu")
    features = importlib.import_module("ridotto.games.turandot.ai.features")
    assert (0, features.COUNT) == (OPERA.build().features.COUNT, fast.features.COUNT)
    for seats in (2, 5):
        match = Match(game, seats, seed=seats)
        scratch: Any = fast.row()
        while match.to_act:
            seat = match.to_act[0]
            row, mask, shown = fast.copy(match.masked(seat)), fast.mask(), numpy.zeros(features.COUNT, "float32")
            fast.rules.legal(row, seat, mask)
            fast.features.compute(row, seat, mask, scratch, shown, 0)  # type: ignore[arg-type]
            again = [0.0] * features.COUNT
            plain.features.compute(plain.copy(row), seat, plain.copy(mask, "uint32"), plain.row(), again, 0)
            assert numpy.allclose(again, shown, atol=1e-5) and abs(shown).max() < 20
            choice = bots.find("greedy").choose(match.view(seat), Budget(match.ply))
            told = match.build.rules.ACTIONS.notation(choice).split()
            if told[0] in ("bid", "money"):
                assert shown[features.LIKELY + choice // 2] > 0
            elif told[0] == "give":
                assert 1 == shown[features.GIVEN + int(told[1]) - 1]
            elif told[0] == "cast":
                assert 1 == shown[features.SUNG + choice - game.rules.ACTIONS.A.cast]
            match.play(chance.choice([choice, *match.legal(seat).ids]), seat)


def test_features_say_who_would_be_seen() -> None:
    """Of Le Fantôme: the same interpreted and compiled, and what the rules say of the row after the action."""
    game, chance = GAMES["fantome"], random.Random(3)
    plain, fast = game.build(), game.build("cpu")
    features, rules = (importlib.import_module(f"ridotto.games.fantome.{name}") for name in ("ai.features", "rules"))
    F, compared = game.rules.FIELDS.F, 0
    match = Match(game, seed=4)
    while match.to_act:
        seat = match.to_act[0]
        row, mask, shown = fast.copy(match.masked(seat)), fast.mask(), numpy.zeros(features.COUNT, "float32")
        fast.rules.legal(row, seat, mask)
        fast.features.compute(row, seat, mask, fast.row(), shown, 0)  # type: ignore[arg-type]
        again = [0.0] * features.COUNT
        plain.features.compute(plain.copy(row), seat, plain.copy(mask, "uint32"), plain.row(), again, 0)
        assert numpy.allclose(again, shown, atol=1e-6)
        assert seat == 1 or not shown[features.OWN :].any(), "the inspector is not told who the phantom is"
        before, action = match.row, chance.choice(match.legal(seat).ids)
        match.play(action, seat)
        if match.row[F.round] == before[F.round] and match.to_act and before[F.asked] != rules.PICK:
            seen, suspects = plain.rules.watched(match.row), before[F.suspects]  # type: ignore[attr-defined]
            inside, outside = (suspects & seen).bit_count(), (suspects & ~seen).bit_count()
            assert pytest.approx((inside - outside) / 8) == shown[features.BALANCE + action]
            own = (inside, outside)[1 - (seen >> before[F.identity] & 1)]
            likely = [inside] * inside + [outside] * outside  # each suspect may be the phantom
            left = own if seat == 1 else sum(likely) / len(likely)
            assert pytest.approx(left / 8) == shown[features.LEFT + action]
            compared += 1
    assert compared > 15


def test_choosing_a_character_is_shown_as_the_best_it_can_bring_about() -> None:
    """Held against every way that the rules let its card be played; of three characters a glance does not see all of them."""
    game, chance = GAMES["fantome"], random.Random(5)
    fast = game.build("cpu")
    features, rules = (importlib.import_module(f"ridotto.games.fantome.{name}") for name in ("ai.features", "rules"))
    names = ("boards", "tree", "solution", "duel")
    boards_of, tree, solution, duel = (fast.extend(f"ridotto.games.fantome.ai.solving.{name}") for name in names)
    F, compared, missed, sums = rules.FIELDS.F, 0, 0, 0
    room, boards = solution.Room(fast), numpy.empty(tree.MOST_FINALS, numpy.int64)
    for seed in range(4):
        match = Match(game, seed=seed)
        while match.to_act:
            seat = match.to_act[0]
            row, mask, shown = fast.copy(match.masked(seat)), fast.mask(), numpy.zeros(features.COUNT, "float32")
            if row[F.asked] == rules.PICK:
                fast.rules.legal(row, seat, mask)
                fast.features.compute(row, seat, mask, fast.row(), shown, 0)  # type: ignore[arg-type]
                suspects = int(row[F.suspects]) & rules.EVERYBODY
                lefts: dict[int, list[float]] = {}  # by character, what every way to play its card leaves
                for board in boards[: boards_of.finish_card(row, room.stack, *room.rest, boards)].tolist():
                    alone = int(tree.unwatched(board))
                    outside, inside = (suspects & alone).bit_count(), (suspects & ~alone).bit_count()
                    own = outside if alone >> int(match.row[F.identity]) & 1 else inside
                    who = (int(row[F.offered]) & ~(board >> boards_of.CARDS_AT) & rules.EVERYBODY).bit_length() - 1
                    lefts.setdefault(who, []).append(own if seat == 1 else (inside**2 + outside**2) / (inside + outside))
                for action in match.legal(seat).ids:
                    who = action - rules.A.pick
                    best = max(lefts[who]) if seat == 1 else min(lefts[who])
                    said, most, least = (
                        float(shown[kind + action]) * 8 for kind in (features.LEFT, features.MOST, features.LEAST)
                    )
                    assert any(abs(said - left) < 1e-4 for left in lefts[who]), "what is shown can be brought about"
                    if abs(said - best) > 1e-4:
                        assert duel.UNSURE >> who & 1
                        missed += 1
                    compared += 1
                    rest = [other for other in lefts if other != who]
                    if not rest:
                        assert said == most == least
                    elif not any(duel.UNSURE >> other & 1 for other in rest):
                        assert most == pytest.approx(fmean(max(lefts[other]) for other in rest), abs=1e-4)
                        assert least == pytest.approx(fmean(min(lefts[other]) for other in rest), abs=1e-4)
                        sums += 1
            match.play(chance.choice(match.legal(seat).ids), seat)
    assert compared > 100 and missed < compared / 20 and sums > 20, (compared, missed, sums)
