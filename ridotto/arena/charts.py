"""Charts of the arena, drawn with matplotlib as SVG: the same bytes for the same figures."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from ridotto.core.game import Game
from ridotto.engine.errors import RidottoError

GOLD: Final = "#b8892f"
WINE: Final = "#6d1f2f"


class NoCharts(RidottoError):
    """The package that draws charts is not installed."""


def pyplot() -> Any:
    """matplotlib's pyplot, with the SVG backend."""
    try:
        import matplotlib
    except ModuleNotFoundError as error:
        raise NoCharts("a chart needs matplotlib: pip install 'ridotto[pictures]'") from error
    matplotlib.use("svg")
    import matplotlib.pyplot as plt

    return plt


def style(salt: str) -> Any:
    """The style of our charts; `salt` makes the ids inside the file reproducible."""
    return {"svg.hashsalt": salt, "font.family": "serif", "axes.spines.top": False, "axes.spines.right": False}


def save(figure: Any, path: Path) -> None:
    """Write a chart, and close it."""
    figure.tight_layout()
    path.parent.mkdir(parents=True, exist_ok=True)
    figure.savefig(path, format="svg", metadata={"Date": None})
    pyplot().close(figure)


def draw_standings(game: Game, table: Mapping[str, Any], path: Path) -> None:
    """Draw ratings with their intervals, and the share that each bot won against each other."""
    plt = pyplot()
    rated = sorted((line for line in table["bots"] if line["rating"] is not None), key=lambda line: line["rating"])
    names = [line["bot"] for line in reversed(rated)]
    labels = [line["display_name"] for line in reversed(rated)]
    shares = {(pair["one"], pair["rest"]): pair["share"] for pair in table["pairings"] if pair["share"] is not None}
    if table["players"] == 2:
        shares |= {(pair["rest"], pair["one"]): pair["rest_share"] for pair in table["pairings"] if pair["matches"]}
    with plt.rc_context(style(game.name)):
        figure, (left, right) = plt.subplots(1, 2, figsize=(10, 1.6 + 0.42 * len(names)))
        points = [line["rating"] for line in rated]
        errors = [line["interval"][1] - line["rating"] for line in rated]
        left.errorbar(points, labels[::-1], xerr=errors, fmt="o", color=GOLD, ecolor=WINE, capsize=4)
        left.set_xlabel(f"rating ({table['anchor']} = 1000), 95 %")
        left.set_ylim(-0.5, len(rated) - 0.5)
        grid = [[shares.get((one, rest), float("nan")) for rest in names] for one in names]
        right.imshow(grid, cmap="cividis", vmin=0, vmax=1, aspect="auto")
        for i, one in enumerate(names):
            for j, rest in enumerate(names):
                if (one, rest) in shares:
                    share = shares[one, rest]
                    right.text(j, i, f"{share:.0%}", ha="center", va="center", color="black" if share > 0.5 else "white")
        right.set_xticks(range(len(names)), labels, rotation=30, ha="right")
        right.set_yticks(range(len(names)), labels)
        right.set_xlabel("against" if table["players"] == 2 else f"one against {table['players'] - 1}")
        figure.suptitle(f"{game.title}, {table['players']} seats, {table['matches']:,} matches")
        save(figure, path)
