"""Charts of the arena, drawn with matplotlib as SVG: the same bytes for the same figures."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
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


def draw_learning(game: Game, curve: Sequence[Any], path: Path) -> None:
    """Draw a learning curve: the share won against the game's own bot, for each number of seats, as time goes on."""
    plt = pyplot()
    with plt.rc_context(style(game.name)):
        figure, axes = plt.subplots(figsize=(7, 3.8))
        shades = {seats: plt.get_cmap("cividis")(0.15 + 0.18 * at) for at, seats in enumerate(curve[-1].won)}
        for seats, shade in shades.items():
            minutes, won = [one.minutes for one in curve], [one.won[seats] for one in curve]
            axes.errorbar(minutes, won, yerr=[2 * one.errors[seats] for one in curve], color=shade, label=f"{seats} seats")
            axes.axhline(1 / seats, color=shade, linestyle=":", linewidth=0.8)
        axes.set(xlabel=f"minutes ({curve[-1].decisions / 1e6:,.0f} million decisions)", ylim=(0, 1))
        axes.set_ylabel("won against greedy at all other seats")
        axes.legend(frameon=False)
        axes.set_title(f"{game.title}: a network learns (dotted: as strong as greedy)")
        save(figure, path)
