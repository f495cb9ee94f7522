"""The marks on the board of Le Fantôme, and what they mean."""

from __future__ import annotations

from ridotto.games.fantome import rules
from ridotto.games.fantome.ui.picture.alibis import ALIBIS, alibi_back, alibi_card
from ridotto.games.fantome.ui.picture.cards import CARDS, slot, when
from ridotto.games.fantome.ui.picture.people import figure, pawn
from ridotto.games.fantome.ui.picture.signs import EYE, MASK, PADLOCK, SNUFFED, STAY, SWAP
from ridotto.games.fantome.ui.words import Words
from ridotto.present.kit import blank, path, placed, rect
from ridotto.present.protocols import Sign
from ridotto.present.svg import Svg, group

STANDING = "-34 -92 68 98"
"""The part of a drawing around a figure with all that may be above it."""
ALIBI = "-9 -2 48 56"
TURN = "-3 -3 86 56"
CARD = "-4 -4 176 148"
POWER = "-20 -20 90 40"
NIGHT = rect(-24, -24, 48, 48, "night", 6)
DOOR = path("M-15 32V-12Q-15-30 0-30Q15-30 15-12V32Z", "door")


def legend(words: Words) -> list[Sign]:
    """People, then rooms and ways, then cards."""
    say, raoul = words.say, pawn(rules.RAOUL, False)
    mask = placed([MASK], 0, -50, 1.15)
    passage = group([path("M-20 0H20", cls) for cls in ("around", "pipe", "bore")], cls="astir")
    kept, down = (group([Svg(alibi_back(kept))], cls="sealed") for kept in (True, False))
    ghost = group([Svg(alibi_card(words.nameless(), None))], cls="onpaper")
    return [
        Sign(raoul, say("A suspect: this may be the phantom."), STANDING),
        Sign(_in("cleared", raoul), say("Cleared: this cannot be the phantom."), STANDING),
        Sign(_in("active", raoul), say("This character is being moved."), STANDING),
        Sign(figure(rules.RICHARD) + mask, say("This is you, the phantom. Only you see the mask."), STANDING),
        Sign(MASK, say("In a room: whoever is here is alone or in the dark. The phantom could manifest here.")),
        Sign(EYE, say("In a room: there is company, in the light. The phantom could not manifest here.")),
        Sign(_in("unlit", NIGHT + SNUFFED), say("The blackout: this room is dark.")),
        Sign(_in("shut", DOOR + PADLOCK), say("The padlock: nobody passes this corridor."), "-26 -36 52 72"),
        Sign(passage, say("A secret passage, for Meg Giry alone; bright while she may use it.")),
        Sign(_in("can", SWAP), say("Richard may swap places with this character.")),
        Sign(_in("can", STAY), say("Richard may stay where he is.")),
        Sign(_in("now active", slot(0)), say("The turn being played, with a glass: the inspector's."), TURN),
        Sign(slot(1), say("A turn with a mask: the phantom's."), TURN),
        Sign(_in("onpaper", _card()), say("A card that can still be played in this round."), CARD),
        Sign(_in("onpaper picked", _card()), say("The card being played."), CARD),
        Sign(_card(), say("A card that has been played."), CARD),
        Sign(_power(rules.RAOUL), say("The move, then the power. A full ring: it must be done."), POWER),
        Sign(_power(rules.CHRISTINE), say("A broken ring: the power may be used or not."), POWER),
        Sign(_power(rules.GIRY), say("The power comes before or after the move."), POWER),
        Sign(_power(rules.MEG), say("The power works during the move."), POWER),
        Sign(_power(rules.RICHARD), say("The power takes the place of the move."), POWER),
        *(Sign(look, say(text), ALIBI) for look, text in zip((down, kept, ghost), ALIBIS, strict=True)),
        Sign(path("M-9 8H9L0-8Z", "point"), say("Where La Carlotta would go, with the sign of the answer.")),
    ]


def _in(state: str, look: str) -> str:
    """A look in a state."""
    return group([Svg(look)], cls=state)


def _card() -> str:
    """A character's card with its portrait alone."""
    return blank(CARDS.wide, CARDS.tall, "sheet", 9) + placed([Svg(figure(rules.BUQUET))], 84, 120, 1.5)


def _power(who: int) -> str:
    """The time of a power, as a card shows it."""
    paper = rect(-18, -18, 86, 36, "sheet", 6)
    return group([paper, when(who, 0, 0)], cls="onpaper")
