"""The marks on the board of Opera, and what they mean."""

from __future__ import annotations

from ridotto.games.opera import rules
from ridotto.games.opera.ui import picture, sketch
from ridotto.games.opera.ui import picture_looks as looks
from ridotto.games.opera.ui.words import Words
from ridotto.present.protocols import Sign
from ridotto.present.svg import Svg, group, shape, tag

FACTS = "-4 -22 72 34"
"""Around what stands below a composer's name."""
HALL = "-4 -6 62 66"
CARD = f"-3 -3 {looks.CARD[0] + 6} {looks.CARD[1] + 6}"
VERDI, MOZART = rules.COMPOSER.names.index("verdi"), rules.COMPOSER.names.index("mozart")
VENEZIA = rules.CITY.names.index("venezia")


def legend(words: Words) -> list[Sign]:
    """Players, budget and roles; then fame; then cities, houses and halls."""
    say = words.say
    mine = sketch.letters(words, 0)
    card = looks.card(rules.MAESTRO, "")
    marker = {state: looks.marker(0, mine, state) for state in (looks.PASSED, looks.FLIPPED, looks.HAS_BID)}
    wide, tall = 54, 54
    return [
        Sign(_scaled(looks.turn_edge(97), 0.125, -22, -6), say("A gilt edge around a player: their turn.")),
        Sign(tag("path", cls="gilt", d="M-13 10l-4-18 10 8 7-13 7 13 10-8-4 18Z"), say("The winner.")),
        Sign(looks.paravent(), say(picture.CLOSED)),
        Sign(looks.coin("4", 14), say("Ducats: what something costs, or what a house earns each round.")),
        Sign(marker[looks.HAS_BID], say("Has bid; the bids are still secret.")),
        Sign(marker[looks.FLIPPED], say("Is done with the role being played.")),
        Sign(marker[looks.PASSED], say("Has ended the performance.")),
        Sign(looks.bid(3), say("Your own bid, and the level it leads to."), f"{looks.LEVELS_WIDE - 70} -10 76 64"),
        Sign(_level(), say("What a level costs, and which place in the table it may bring.")),
        Sign(shape(-4, -8, 0, 14, cls="gilt") + shape(-4, 10, 0, 14, cls="gilt"), say("Levels that a role costs, one each.")),
        Sign(_in("playing", card), say("The role being played."), CARD),
        Sign(_in("taken", card), say("A role that is taken, with the mark of whoever has hired it."), CARD),
        Sign(looks.figure(0), say("A figure in its city: M for the Maestro, C for the Critico, E for the Esperto.")),
        Sign(tag("ellipse", cls="place", rx=19, ry=9), say("A free place for a figure.")),
        Sign(looks.token(VERDI, 40), say("A piece, with its composer's letters.")),
        Sign(looks.token(rules.HOUSE, 40), say("A house piece, in the colour of its player.")),
        Sign(looks.facts(3, 4, 4, ()), say("How often a composer is performed now."), FACTS),
        Sign(looks.facts(3, 4, 5, ()), say("Fame that will rise after this round, as things stand."), FACTS),
        Sign(looks.facts(3, 4, 3, ()), say("Fame that will fall after this round, as things stand."), FACTS),
        Sign(
            looks.medal(MOZART, 2),
            say("Composer of the Century: so many points for each such piece at that count."),
            "-24 -24 48 64",
        ),
        Sign(looks.round_box(4, 34, True), say("The round being played; pale ones are over."), "-7 -9 48 48"),
        Sign(_facade(0b1), say("The great hall, with red columns: its piece brings points at a count."), "36 0 66 76"),
        Sign(looks.empty_hall(wide, tall, True), say("An empty hall: costs 1 point at a count."), HALL),
        Sign(looks.arch(2, 2, wide - 4, tall - 2, "lot"), say("Not built yet."), HALL),
        Sign(
            _in("can", looks.ghost(0, VENEZIA, 0, 0, True)),
            say("A part that you can build here, with its price."),
            "34 -2 70 78",
        ),
        Sign(looks.hall_to_fill(wide, tall), say("The hall that you are filling."), HALL),
        Sign(_in("dim", looks.tile(VENEZIA * 4)), say("None of this part is left."), "-2 -2 76 48"),
        Sign(_in("faint", looks.tile(VENEZIA * 4)), say("A part that can be built once its city opens."), "-2 -2 76 48"),
        Sign(looks.copies(3), say("So many of them."), "-18 -14 38 28"),
    ]


def _in(state: str, look: str) -> str:
    """A look in a state."""
    return group([Svg(look)], cls=state)


def _scaled(look: str, scale: float, x: float, y: float) -> str:
    """A look made smaller."""
    return tag("g", Svg(look), transform=f"translate({x} {y}) scale({scale})")


def _level() -> str:
    """The right end of a level that can be bid for."""
    return tag("g", Svg(looks.level(3, "1–2")), transform=f"translate({-48 - 4 * looks.PITCH} -22)")


def _facade(built: int) -> str:
    return looks.facade(0, "", VENEZIA, built, True)
