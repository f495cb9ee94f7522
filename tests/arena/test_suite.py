"""The suite with a protocol: the same figures however many processes play, reports that can be checked, a page made of them."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from ridotto import cli
from ridotto.arena import suite
from ridotto.arena.schedule import BadTournament
from ridotto.bots.simple import Greedy
from ridotto.bots.workers import WorkerPool
from ridotto.games import GAMES

LADDER = suite.LADDER


@pytest.fixture
def short_ladder(monkeypatch: pytest.MonkeyPatch) -> None:
    """A ladder of two that takes no time."""
    monkeypatch.setattr(suite, "LADDER", ("random", "greedy"))


@pytest.fixture
def report(short_ladder: None) -> suite.SuiteReport:
    with WorkerPool(1) as pool:
        return suite.run("greedy", [(GAMES["fantome"], 2)], 4, pool)


def test_processes_change_nothing(report: suite.SuiteReport) -> None:
    """Two processes give the very report of one; the agent does not play itself, and every deal is played from both seats."""
    with WorkerPool(2) as pool:
        assert report == suite.run("greedy", [(GAMES["fantome"], 2)], 4, pool)
    (figure,) = report.figures
    assert ("random", 8) == (figure.opponent, figure.matches)
    assert figure.share > 0.7 and figure.points == pytest.approx(figure.share - 0.5), "its points are its wins"
    assert report.digest in report.line() and "fantome-2" in report.line()


def test_reports_of_some_games_have_rows_beside_those_of_all(report: suite.SuiteReport) -> None:
    """A table is one of a game: a report with another game besides has its row in it, one with other rules has not."""
    more = replace(report, agent="more", facts={**report.facts, "opera": {"rules": 2}})
    changed = replace(report, agent="changed", facts={"fantome": {**report.facts["fantome"], "rules": 7}})
    tables = suite.leaderboard([report, more, changed]).split("## fantome, 2 seats")[1:]
    agents = [{line.split("`")[1] for line in table.splitlines() if line.startswith("| `")} for table in tables]
    assert [{"changed"}, {"greedy", "more"}] == sorted(agents, key=len)
    luck = replace(report, figures=(replace(report.figures[0], adjusted=0.912, adjusted_margin=0.0345),))
    assert "(91.2 ± 3.5)" in suite.leaderboard([luck]), "without the luck of draws, where that is known"


def test_the_ladder_stays_when_levels_and_networks_change(report: suite.SuiteReport, monkeypatch: pytest.MonkeyPatch) -> None:
    """A digest tells what the ladder does in a match: levels and networks are no part of it, policies and settings are."""
    game = GAMES["fantome"]
    monkeypatch.setattr(suite, "LADDER", ("random", "greedy", "search:10"))
    ladder, tuning = suite._ladder(game), game.tuning
    monkeypatch.setitem(vars(game), "tuning", replace(tuning, levels=tuning.levels[::-1], levels_at={}))
    assert ladder == suite._ladder(game)
    monkeypatch.setitem(vars(game), "tuning", replace(tuning, search=replace(tuning.search, c_puct=1)))
    assert ladder != suite._ladder(game), "other settings of the search"
    monkeypatch.setitem(vars(game), "tuning", tuning)
    monkeypatch.setattr(Greedy, "choose", lambda self, view, budget: view.legal[0])
    assert ladder != suite._ladder(game), "another policy"
    assert {"random", "greedy", "search"} == {name.partition(":")[0] for name in LADDER}, "none that is tuned or trained"
    assert {"fantome"} == report.bots.keys()


def test_reports_are_read_back_and_checked(report: suite.SuiteReport, tmp_path: Path) -> None:
    """A report in a file is the report; one whose contents were changed is refused, and so is anything else."""
    path = tmp_path / "greedy.json"
    suite.write(report, path)
    assert report == suite.read(path)
    data: dict[str, Any] = json.loads(path.read_text("utf-8"))
    data["facts"]["fantome"]["box"] = "another"
    path.write_text(json.dumps(data), "utf-8")
    with pytest.raises(BadTournament, match="but its contents have"):
        suite.read(path)
    path.write_text("{}", "utf-8")
    with pytest.raises(BadTournament, match="is no report of the suite"):
        suite.read(path)


def test_the_page_is_made_of_reports(short_ladder: None, tmp_path: Path) -> None:
    """`ridotto bench-agents` writes a report, `ridotto leaderboard` a page with a row for each agent, the better one first."""
    for agent in ("random", "greedy"):
        given = ["bench-agents", agent, "--game", "fantome", "--deals", "3", "--processes", "1"]
        given += ["--name", f"my {agent}", "--out", str(tmp_path / f"{agent}.json")]
        done = CliRunner().invoke(cli.cli, given)
        assert 0 == done.exit_code, done.output
        assert f"my {agent}: fantome-2 " in done.output
    page = tmp_path / "page.md"
    done = CliRunner().invoke(cli.cli, ["leaderboard", *map(str, sorted(tmp_path.glob("*.json"))), "--out", str(page)])
    assert 0 == done.exit_code, done.output
    text = page.read_text("utf-8")
    assert text.index("| `my greedy` |") < text.index("| `my random` |") and 1 == text.count("## fantome, 2 seats")
    assert 2 == CliRunner().invoke(cli.cli, ["bench-agents", "clever"]).exit_code
