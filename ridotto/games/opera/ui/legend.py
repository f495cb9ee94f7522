"""The marks on the board of Opera, and what they mean."""

from __future__ import annotations

from ridotto.games.opera import rules
from ridotto.games.opera.ui.picture.budget import FLIPPED, HAS_BID, LEVELS, PASSED, bid, marker, offered_level
from ridotto.games.opera.ui.picture.cities import tile
from ridotto.games.opera.ui.picture.houses import FIRST, empty_hall, facade, ghost, hall_to_fill
from ridotto.games.opera.ui.picture.ladder import facts
from ridotto.games.opera.ui.picture.marks import arch, coin, copies, medallion
from ridotto.games.opera.ui.picture.players import CLOSED, WIDTH, paravent, turn_edge
from ridotto.games.opera.ui.picture.roles import CARDS, card, figure
from ridotto.games.opera.ui.picture.rounds import box, medal
from ridotto.games.opera.ui.sketch import letters
from ridotto.games.opera.ui.words import Words
from ridotto.present.protocols import Sign
from ridotto.present.svg import Svg, group, shape, tag

FACTS = "-4 -22 72 34"
"""Around what stands below a composer's name."""
HALL = "-4 -6 62 66"
CARD = f"-3 -3 {CARDS.wide + 6} {CARDS.tall + 6}"
VERDI, MOZART = rules.COMPOSER.names.index("verdi"), rules.COMPOSER.names.index("mozart")
GREAT = f"{FIRST - 3} -2 62 74"
HIGH = 72
"""The height of a house."""
VENEZIA = rules.CITY.names.index("venezia")


def legend(words: Words) -> list[Sign]:
    """Players, budget and roles; then fame; then cities, houses and halls."""
    say = words.say
    mine = letters(words, 0)
    maestro = card(rules.MAESTRO, "")
    markers = {state: marker(0, mine, state) for state in (PASSED, FLIPPED, HAS_BID)}
    wide, tall = 54, 54
    return [
        Sign(_scaled(turn_edge(WIDTH // 3), 0.17, -22, -7), say("A gilt edge around a player: their turn.")),
        Sign(tag("path", cls="gilt", d="M-13 10l-4-18 10 8 7-13 7 13 10-8-4 18Z"), say("The winner.")),
        Sign(paravent(), say(CLOSED)),
        Sign(coin("4", 14), say("Ducats: what something costs, or what a house earns each round.")),
        Sign(markers[HAS_BID], say("Has bid; the bids are still secret.")),
        Sign(markers[FLIPPED], say("Is done with the role being played.")),
        Sign(markers[PASSED], say("Has ended the performance.")),
        Sign(bid(3), say("Your own bid, and the level it leads to."), f"{LEVELS.wide - 96} -20 100 65"),
        Sign(_level(), say("What a level costs, and which place in the table it may bring.")),
        Sign(shape(-4, -8, 0, 14, cls="gilt") + shape(-4, 10, 0, 14, cls="gilt"), say("Levels that a role costs, one each.")),
        Sign(_in("playing", maestro), say("The role being played."), CARD),
        Sign(_in("taken", maestro), say("A role that is taken, with the mark of whoever has hired it."), CARD),
        Sign(figure(0), say("A figure in its city: M for the Maestro, C for the Critico, E for the Esperto.")),
        Sign(tag("ellipse", cls="place", rx=19, ry=9), say("A free place for a figure.")),
        Sign(medallion(VERDI, 40), say("A piece, with its composer's letters.")),
        Sign(medallion(rules.HOUSE, 40), say("A house piece, in the colour of its player.")),
        Sign(facts(3, 4, 4, ()), say("How often a composer is performed now."), FACTS),
        Sign(facts(3, 4, 5, ()), say("Fame that will rise after this round, as things stand."), FACTS),
        Sign(facts(3, 4, 3, ()), say("Fame that will fall after this round, as things stand."), FACTS),
        Sign(
            medal(MOZART, 2),
            say("Composer of the Century: so many points for each piece of theirs in a great hall at that count."),
            "-24 -24 48 64",
        ),
        Sign(box(4, 34, True), say("The round being played; pale ones are over."), "-7 -9 48 48"),
        Sign(
            _facade(0b1), say("The great hall, with red columns: its piece brings points at a count."), f"{FIRST - 3} -2 62 74"
        ),
        Sign(empty_hall(wide, tall, True), say("An empty hall: costs 1 point at a count."), HALL),
        Sign(arch(2, 2, wide - 4, tall - 2, "lot"), say("Not built yet."), HALL),
        Sign(
            _in("can", ghost(0, VENEZIA, 0, 0, HIGH)),
            say("A part that you can build here, with its price."),
            f"{FIRST - 4} -2 66 76",
        ),
        Sign(hall_to_fill(wide, tall), say("The hall that you are filling."), HALL),
        Sign(_in("dim", tile(VENEZIA * 4)), say("None of this part is left."), "-2 -4 64 48"),
        Sign(_in("faint", tile(VENEZIA * 4)), say("A part that can be built once its city opens."), "-2 -4 64 48"),
        Sign(copies(3), say("So many of them."), "-18 -14 38 28"),
    ]


def _in(state: str, look: str) -> str:
    """A drawing in a state."""
    return group([Svg(look)], cls=state)


def _scaled(look: str, scale: float, x: float, y: float) -> str:
    """A drawing made smaller."""
    return tag("g", Svg(look), transform=f"translate({x} {y}) scale({scale})")


def _level() -> str:
    """The right end of a level that can be bid for."""
    return tag("g", Svg(offered_level(3, "1–2")), transform=f"translate({44 - LEVELS.wide} -12)")


def _facade(built: int) -> str:
    return facade(0, "", VENEZIA, built, HIGH)
