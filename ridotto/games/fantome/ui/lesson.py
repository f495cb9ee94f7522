"""The first lesson of Le Fantôme de l'Opéra: a round as the inspector, a card as the phantom, and how either wins."""

from __future__ import annotations

from typing import Final

from ridotto.present.lesson import Start, Step
from ridotto.present.narrator import mark


def standing(text: str) -> dict[str, str]:
    """The room of each character.

    >>> standing("raoul 0, meg 9")
    {'raoul': '0', 'meg': '9'}
    """
    parts = (part.split() for part in text.split(", "))
    return {part[0]: part[1] for part in parts}


NEW: Final = Start(
    seed=1,
    seats=2,
    fields={
        "place": standing("raoul 0, moncharmin 1, richard 2, giry 3, persan 4, christine 7, buquet 8, meg 9"),
        "dark": "8",
        "padlock": "3-7",
        "offered": ["meg", "buquet", "christine", "moncharmin"],
        "pile": ["raoul", "giry", "richard", "persan"],
        "identity": "christine",
    },
)
"""A fresh match, the learner at the inspector's side."""

BESIDE: Final = Start(
    seed=1,
    seats=2,
    seat=1,
    fields={
        "round": 2,
        "played": 3,
        "carlotta": 9,
        "place": standing("christine 6, richard 6, raoul 0, giry 3, moncharmin 2, meg 9, buquet 4, persan 4"),
        "dark": "2",
        "padlock": "3-7",
        "offered": ["richard"],
        "pile": [],
        "suspects": ["raoul", "giry", "christine", "moncharmin", "richard"],
        "identity": "christine",
    },
    played=("pick richard",),
)
"""The last card of the second round, from the phantom's chair."""

ALIBI: Final = Start(
    seed=7,
    seats=2,
    fields={
        "round": 3,
        "carlotta": 12,
        "place": standing("christine 6, richard 5, raoul 0, giry 3, moncharmin 2, meg 9, buquet 4, persan 4"),
        "dark": "2",
        "padlock": "3-7",
        "offered": ["raoul", "meg", "giry", "persan"],
        "pile": ["buquet", "christine", "moncharmin", "richard"],
        "suspects": ["raoul", "giry", "christine", "moncharmin", "richard"],
        "identity": "christine",
    },
    played=("pick raoul",),
)
"""The inspector plays Raoul."""

CAUGHT: Final = Start(
    seed=1,
    seats=2,
    fields={
        "round": 5,
        "played": 3,
        "carlotta": 17,
        "place": standing("christine 2, raoul 0, richard 1, persan 5, giry 5, moncharmin 8, meg 9, buquet 9"),
        "dark": "7",
        "padlock": "4-8",
        "offered": ["richard"],
        "pile": ["raoul", "giry", "persan", "meg"],
        "suspects": ["raoul", "christine"],
        "identity": "christine",
    },
    played=("pick richard",),
)
"""Two suspects are left, and the last card is the inspector's."""

FLED: Final = Start(
    seed=1,
    seats=2,
    seat=1,
    fields={
        "round": 4,
        "played": 3,
        "carlotta": 18,
        "place": standing("christine 5, giry 3, moncharmin 7, richard 0, raoul 0, persan 4, meg 8, buquet 8"),
        "dark": "2",
        "padlock": "4-8",
        "offered": ["moncharmin"],
        "pile": [],
        "suspects": ["giry", "christine"],
        "identity": "christine",
    },
    played=("pick moncharmin",),
)
"""La Carlotta stands three spaces from the exit, and the last card is the phantom's."""

STEPS: Final = (
    Step(
        mark(
            "One of these eight people is the phantom, and you are the inspector who must find out which. Both of you move "
            "all eight. Four cards lie face up: play Meg Giry."
        ),
        ("pick meg",),
        mark("You play one card, the phantom two, and the last is yours again. In the next round it is the other way round."),
        mark("Choose Meg Giry: her card, or her button."),
        start=NEW,
    ),
    Step(
        mark(
            "A character who is alone moves one room. In company: up to as many rooms as there are people in the room. Only "
            "Meg may use the pink passages. Move her to the Persian, in the right wing (4)."
        ),
        ("move 4",),
        mark(
            "Two people in a lit room see each other: they are in company. Then the phantom played two cards: Moncharmin "
            "went to the lake, Christine to the auditorium."
        ),
        mark("Not there. A pink passage leads from the dome (9) to the right wing (4)."),
        then=("pick moncharmin", "move 2", "decline", "pick christine", "move 6"),
    ),
    Step(
        mark("The last card of the round is yours. Play Joseph Buquet."),
        ("pick buquet",),
        mark("Every character has a power. Buquet, the head stagehand, must move the blackout to another room."),
        mark("Only Buquet's card is left: play him."),
    ),
    Step(
        mark(
            "At the end of the round the phantom must say, truthfully, whether they can manifest: they can if they are "
            "alone or in the dark. Either answer clears some of the people. Move Buquet to Meg and the Persian (4)."
        ),
        ("move 4",),
        mark("Three in company, two more at the lake, three alone. The panel beside the board does this sum for you."),
        mark("Move Buquet to the right wing (4), so that more people see each other."),
    ),
    Step(
        mark(
            "Now the blackout. In the dark nobody is seen, however many are there. Put out the lights at the lake (2), "
            "where Moncharmin and Richard are."
        ),
        ("dark 2",),
        mark(
            "The phantom can manifest, so everybody in company in the light is cleared: Meg, Buquet and the Persian. La "
            "Carlotta takes a step for each suspect left, plus one because the phantom could manifest: six."
        ),
        mark("The blackout belongs at the lake (2)."),
    ),
    Step(
        mark(
            "One round on, and now you are the phantom. Your character is Christine. If she is alone at the end of the "
            "round, everybody who is alone stays a suspect. Send Richard to an empty room."
        ),
        ("move 5", "move 7"),
        mark("Nobody new was cleared. Five suspects, plus one step because you could manifest: La Carlotta runs six spaces."),
        mark("Richard should leave Christine and meet nobody: the stage (5) and the left wing (7) are empty."),
        start=BESIDE,
    ),
    Step(
        mark(
            "You are the inspector again. Only Raoul brings alibis: after his move a card is drawn, and whoever is on it "
            "cannot be the phantom. Move him wherever you like."
        ),
        ("move",),
        mark(
            "The alibi was Moncharmin's: he is cleared for good. When the phantom plays Raoul, they keep the card to "
            "themselves."
        ),
        mark("Raoul is to move."),
        start=ALIBI,
    ),
    Step(
        mark(
            "Only two suspects are left, Raoul and Christine, and both are alone. Make sure that the phantom's answer tells "
            "them apart: move Richard to one of them."
        ),
        ("move 0", "move 2"),
        mark("One of them in company, the other alone: the answer leaves a single suspect, and you win. Nobody has to accuse."),
        mark("Move Richard to Raoul (0) or to Christine (2); after a swap both would still be alone."),
        start=CAUGHT,
    ),
    Step(
        mark(
            "You are the phantom again, and this is how you win. La Carlotta is three spaces from the exit. Your Christine is "
            "alone on the stage; Madame Giry is alone in the catacombs. Move Moncharmin so that the answer fits both of them."
        ),
        ("move 6", "move 9"),
        mark("Two suspects, plus one step because you could manifest: La Carlotta is gone, and you win."),
        mark("With company for Madame Giry (3) the answer would give you away. Keep Moncharmin out of both rooms."),
        start=FLED,
    ),
)
