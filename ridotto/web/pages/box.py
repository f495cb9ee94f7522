"""The page that asks an owner of the printed game about its box."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ridotto.core.game import Game
from ridotto.engine.errors import BoxFault
from ridotto.present.owner import Owner
from ridotto.present.ui import ui
from ridotto.web.pages.models import Reader
from ridotto.web.pages.site import page


def box(
    reader: Reader,
    game: Game,
    questions: Owner,
    answers: Mapping[str, str],
    faults: Sequence[BoxFault] = (),
    wrong: Sequence[str] = (),
) -> str:
    """The questions, with answers, what keeps the box from being played, and which answers cannot be read."""
    narrator = ui(game).narrator(reader.language)
    values = {"answers": answers, "faults": [fault.translated(narrator.say) for fault in faults], "wrong": wrong}
    return page("box.html", reader, narrator, game=game, sections=questions.SECTIONS, **values)
