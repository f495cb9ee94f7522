"""What a host installs: the script in an empty folder, and what the unit, the image and the compose file say to the command."""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import click
import pytest
import yaml

from ridotto.cli import cli
from ridotto.web.server.hosts import Hosts
from ridotto.web.settings import LIMITS, Settings, variable_of

ROOT = Path(__file__).parents[1]
DEPLOY = ROOT / "deploy"


def serve_options(arguments: list[str]) -> dict[str, Any]:
    """What `ridotto serve` makes of arguments; raises if it does not take them."""
    command = cli.commands["serve"]
    return command.make_context("serve", list(arguments)).params


def known_variables() -> set[str]:
    """Every variable in the environment that the command reads."""
    found = {"DATABASE_URL", *(variable_of(name) for name in LIMITS)}
    for command in (cli.commands["serve"], *cli.commands["admin"].commands.values()):  # type: ignore[attr-defined]
        found |= {str(one.envvar) for one in command.params if isinstance(one, click.Option) and one.envvar}
    return found


def test_the_unit_starts_what_there_is() -> None:
    """Its command line is one that `ridotto serve` takes, and the folders are those that systemd makes."""
    unit = (DEPLOY / "ridotto.service").read_text("utf-8")
    found = re.search("^ExecStart=(.*)$", unit, re.MULTILINE)
    assert found
    program, command, *arguments = shlex.split(found[1])
    assert ("/opt/ridotto/bin/ridotto", "serve") == (program, command)
    assert Path("/var/lib/ridotto") == serve_options(arguments)["data"]
    options = [line.partition("=") for line in unit.splitlines() if "=" in line and not line.startswith("#")]
    given = {name: value for name, _, value in options}
    assert "ridotto" == given["StateDirectory"] and "MemoryDenyWriteExecute" not in given, "Numba writes machine code"
    expected = {
        "Type": "notify",
        "UMask": "0077",
        "StateDirectoryMode": "0700",
        "CapabilityBoundingSet": "",
        "DynamicUser": "yes",
    }
    expected |= {"SystemCallErrorNumber": "EPERM", "OOMPolicy": "continue", "Restart": "on-failure"}
    assert expected == {name: given.get(name) for name in expected}
    assert 10 <= int(given["WatchdogSec"]) <= 60 and given["MemoryMax"].endswith("%")
    assert ["@system-service", "~@privileged"] == [value for name, _, value in options if name == "SystemCallFilter"]


@pytest.mark.soak
def test_how_exposed_the_unit_is() -> None:
    """By systemd's own account: 3.0 of 10 at most."""
    assert shutil.which("systemd-analyze"), "install systemd, which need not run: sudo apt-get install systemd"
    command = ["systemd-analyze", "security", "--offline=true", "--threshold=30", str(DEPLOY / "ridotto.service")]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert 0 == done.returncode, done.stdout


def test_the_image_is_built_by_the_script_that_is_tested() -> None:
    """The image runs deploy/install.sh, and starts what there is."""
    text = (ROOT / "Dockerfile").read_text("utf-8")
    assert "RUN sh /src/deploy/install.sh /opt/ridotto\n" in text
    found = re.search(r"^ENTRYPOINT (\[.*\])$", text, re.MULTILINE)
    assert found
    program, command, *arguments = json.loads(found[1])
    assert ("/opt/ridotto/bin/ridotto", "serve") == (program, command)
    given = dict(one.split("=") for one in re.findall(r"^ENV (.*)$", text, re.MULTILINE)[0].split())
    assert text.index("USER ridotto") < text.index("ENTRYPOINT") and "HEALTHCHECK" in text
    assert "chmod 0700 /data" in text, "what it makes itself is for its owner alone, the folder is made by Docker"
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("RIDOTTO_DATA", given["RIDOTTO_DATA"])  # for `ridotto admin` in the container as well
        assert ("0.0.0.0", Path("/data")) == tuple(serve_options(arguments)[name] for name in ("host", "data"))


def test_the_compose_file_says_what_the_command_reads() -> None:
    """Two servers with one database and one folder, variables that exist, and a proxy whose networks are believed."""
    compose = yaml.safe_load((DEPLOY / "compose.yaml").read_text("utf-8"))
    servers = [compose["services"][name] for name in ("first", "second")]
    for server in servers:
        assert set(server["environment"]) <= known_variables()
        assert ["data:/data"] == server["volumes"]
    assert {"first": {"condition": "service_healthy"}} == servers[1]["depends_on"]
    upstreams = re.findall(r"(\w+):8765", (DEPLOY / "Caddyfile").read_text("utf-8"))
    assert ["first", "second"] == upstreams == [server["hostname"] for server in servers]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("socket.gethostname", lambda: upstreams[0])
        hosts = Hosts(Settings(address="https://table.example"))
        assert hosts.is_ours("first:8765"), "or Caddy would find the server ill"
        patch.setenv("RIDOTTO_PROXY", servers[0]["environment"]["RIDOTTO_PROXY"])
        assert ("172.16.0.0/12", "192.168.0.0/16", "10.0.0.0/8") == serve_options([])["proxies"]


def test_the_guide_names_commands_and_files_that_there_are() -> None:
    """Every `ridotto …` in the guide is a command, every file of ours is there, and every variable is read."""
    text = (ROOT / "docs" / "hosting.md").read_text("utf-8")
    for line in re.findall(r"^ {4}.*?(?:^|[ /])ridotto ((?:admin )?[a-z]+)\b", text, re.MULTILINE):
        group: Any = cli
        for word in line.split():
            assert word in group.commands, line
            group = group.commands[word]
    for file in re.findall(r"(?:ridotto-source/)?(deploy/[\w.]+)", text):
        assert (ROOT / file).exists(), file
    prefixes = tuple(known_variables())
    for variable in re.findall(r"RIDOTTO_[A-Z_]+[A-Z]", text):
        assert variable in prefixes, variable


@pytest.mark.soak
def test_the_wheel_in_an_empty_environment(tmp_path: Path) -> None:
    """The wheel is built, installed by the script of the image, and every command does something, or says what it needs."""
    build = (
        "import sys; from hatchling.builders.wheel import WheelBuilder; print(*WheelBuilder('.').build(directory=sys.argv[1]))"
    )
    command = [sys.executable, "-c", build, str(tmp_path)]
    wheel = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "VIRTUAL"))}
    given = kept | {"HOME": str(tmp_path), "XDG_CACHE_HOME": str(tmp_path / "cache"), "XDG_DATA_HOME": str(tmp_path / "data")}

    def run(*command: str, expected: int = 0) -> str:
        done = subprocess.run(
            command, cwd=tmp_path, env=given, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=900
        )
        assert expected == done.returncode, (command, done.stdout, done.stderr)
        assert "Traceback" not in done.stderr
        return done.stdout + done.stderr

    folder = tmp_path / "ridotto"
    run("sh", str(DEPLOY / "install.sh"), str(folder), wheel.strip())
    ridotto = str(folder / "bin" / "ridotto")
    missing = "pip install 'ridotto["
    tried: dict[str, tuple[str, int, str]] = {
        "play": ("play fantome --seats random,random --seed 1 --record match.json", 0, ""),
        "replay": ("replay match.json", 0, ""),
        "verify": ("verify --page verify.html", 0, ""),
        "picture": ("picture match.json --out board.svg", 0, ""),
        "review": ("review match.json --bot search:1", 0, ""),
        "luck": ("luck match.json --playouts 1", 0, ""),
        "layout": ("layout fantome --json", 0, ""),
        "counts": ("counts fantome --depth 2", 0, ""),
        "simulate": ("simulate fantome --games 100", 0, ""),
        "audit": ("audit fantome --pairs 2", 0, ""),
        "balance": ("balance fantome --games 50", 0, ""),
        "referee": ("referee fantome", 0, ""),
        "book": ("book fantome --html --out books", 0, ""),
        "box": ("box opera --check nothing.toml", 2, "cannot read the box"),
        "new": ("new mygame", 0, ""),
        "check": ("check", 0, ""),
        "puzzles": ("puzzles fantome --number 1 --minutes 0.02 --processes 1", 0, ""),
        "bench-agents": ("bench-agents random --game fantome --deals 1 --out suite.json", 0, ""),
        "leaderboard": ("leaderboard suite.json", 2, "name another file with --out"),
        "admin": ("admin page --data table", 0, "/host\nkey: "),
        "backup": ("backup copy.gz --data nowhere", 2, "there is no database"),
        "restore": ("restore copy.gz --data nowhere", 2, "copy.gz"),
        "serve": ("serve --limit chat=fast --data table", 2, "such as 80+20/s"),
        "warm": ("warm fantome", 0, ""),
        "arena": ("arena fantome --bots random,greedy --games 2", 2, missing + "arena]'"),
        "certify": ("certify fantome --games 2", 2, missing + "arena]'"),
        "calibrate": ("calibrate fantome --games 20 --bot search:1", 0, ""),
        "dataset": ("dataset fantome --games 1 --bots random --out data", 2, missing + "dataset]'"),
        "train": ("train fantome --out fantome.npz", 2, missing + "train]'"),
    }
    """What is asked of each command, how it ends, and what it says."""
    assert set(cli.commands) == set(tried)
    for name, (arguments, expected, said) in tried.items():
        assert "Usage: ridotto" in run(ridotto, name, "--help")
        assert said in run(ridotto, *arguments.split(), expected=expected)
