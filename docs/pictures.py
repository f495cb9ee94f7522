"""Draws the pictures of the documentation: `make pictures`."""

from __future__ import annotations

import re
from io import StringIO
from pathlib import Path

from rich.console import Console

from ridotto.bots import Budget, find
from ridotto.core.match import Match
from ridotto.games import GAMES
from ridotto.present.ui import ui
from ridotto.terminal.screen import show

HERE = Path(__file__).with_name("pictures")


def table(name: str, seed: int, plies: int, seat: int) -> None:
    """The table of a game in the terminal, some way into a match."""
    game = GAMES[name]
    match = Match(game, min(3, game.seats[-1]), seed=seed)
    bot = find("greedy" if len(game.seats) > 1 else "random")
    while match.ply < plies:
        acting = match.to_act[0]
        match.play(bot.choose(match.view(acting), Budget(match.ply)), acting)
    screen = Console(record=True, width=92, file=StringIO(), force_terminal=True, color_system="truecolor")
    words = ui(game).words(ui(game).narrator(names=["Ada", "Rosina", "Papageno"][: match.seats], reader=seat))
    show(match.view(seat, since=match.ply - 4), words, screen)
    path = HERE / f"{name}-terminal.svg"
    screen.save_svg(str(path), title=f"ridotto play {name}", unique_id=name)
    # The picture stands for itself: no font is fetched from anywhere.
    drawn = re.sub(r"\s*@font-face \{.*?\}", "", path.read_text("utf-8"), flags=re.S).replace("Fira Code, ", "")
    drawn = re.sub(r"<!--.*?-->", "", drawn)
    path.write_text("\n".join(line.rstrip() for line in drawn.splitlines()) + "\n", "utf-8")


if __name__ == "__main__":
    HERE.mkdir(exist_ok=True)
    table("fantome", seed=8, plies=23, seat=1)
    table("opera", seed=4, plies=180, seat=0)
    table("turandot", seed=6, plies=40, seat=0)
