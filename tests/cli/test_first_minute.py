"""The first minute: what is missing is said in one sentence that says what to do."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from click.testing import CliRunner

from ridotto.cli import cli

ROOT = Path(__file__).parents[2]


def run(*command: str, cwd: Path = ROOT, **variables: str) -> tuple[int, str]:
    done = subprocess.run(command, cwd=cwd, env=os.environ | variables, capture_output=True, text=True, timeout=120)
    assert "Traceback" not in done.stderr, done.stderr
    return done.returncode, (done.stdout + done.stderr).strip()


def play(folder: Path, python: str) -> tuple[int, str]:
    """`make play` in a folder that has the Makefile alone."""
    for name in ("Makefile", "pyproject.toml", "constraints.txt"):
        (folder / name).write_bytes((ROOT / name).read_bytes())
    code, text = run("make", "-s", "play", f"PYTHON={python}", cwd=folder)
    return code, "\n".join(line for line in text.splitlines() if not line.startswith("make"))


def test_no_python(tmp_path: Path) -> None:
    """A Python that is not there."""
    code, said = play(tmp_path, "python-of-the-phantom")
    assert 0 != code and 1 == len(said.splitlines()) and "install Python 3.11 or newer" in said


@pytest.mark.parametrize(("answer", "expected"), [("3, 10", "needs Python 3.11"), ("no venv", "has no venv")])
def test_wrong_python(answer: str, expected: str, tmp_path: Path) -> None:
    """A Python that is too old, or one without venv, as some systems have it."""
    old = tmp_path / "python"
    is_old = answer == "3, 10"
    refuses = "version_info" if is_old else "ensurepip"
    old.write_text(f'#!/bin/sh\ncase "$2" in *{refuses}*) exit 1;; esac\nexit 0\n')
    old.chmod(0o755)
    code, said = play(tmp_path, str(old))
    assert 0 != code and 1 == len(said.splitlines()) and expected in said


def test_the_engine_alone_says_what_the_command_needs(tmp_path: Path) -> None:
    """Where Click is not installed, `ridotto` names what to install."""
    (tmp_path / "click.py").write_text("raise ModuleNotFoundError(name='click')")
    code, said = run(sys.executable, "-m", "ridotto", PYTHONPATH=os.pathsep.join([str(tmp_path), str(ROOT)]))
    assert (1, True) == (code, "pip install 'ridotto[cli]'" in said) and 1 == len(said.splitlines())


def test_the_engine_needs_two_packages() -> None:
    """NumPy and Numba; and importing it does not even need these."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    assert ["numba", "numpy"] == sorted(one.partition(">")[0] for one in project["dependencies"])
    extras = project["optional-dependencies"]
    assert not {"asyncpg", "prometheus-client"} & {one.partition(">")[0] for one in extras["web"]}
    assert {"ridotto[web]", "asyncpg", "prometheus-client"} == {one.partition(">")[0] for one in extras["server"]}


def test_the_web_table_without_metrics_and_postgresql(tmp_path: Path) -> None:
    """With `ridotto[web]` alone there are no metrics, and PostgreSQL is refused in one sentence."""
    for name in ("prometheus_client", "asyncpg"):
        (tmp_path / f"{name}.py").write_text(f"raise ModuleNotFoundError('No module named {name}', name='{name}')")
    path = os.pathsep.join([str(tmp_path), str(ROOT)])
    script = "from ridotto.web.live.metrics import Metrics as M; m = M(); m.live.set(1); print(m.text().decode())"
    assert (0, "# there are no metrics: pip install 'ridotto[server]'") == run(sys.executable, "-c", script, PYTHONPATH=path)
    code, said = run(
        *(sys.executable, "-m", "ridotto", "serve", "--port", "0", "--data", str(tmp_path / "data")),
        PYTHONPATH=path,
        DATABASE_URL="postgresql://caruso@127.0.0.1:1/ridotto",
    )
    assert (2, "ridotto: this database needs asyncpg: pip install 'ridotto[server]'") == (code, said)


def test_a_port_that_is_taken_and_a_folder_that_cannot_be_written(tmp_path: Path) -> None:
    """Each is one sentence with what to do."""
    serve = (sys.executable, "-m", "ridotto", "serve")
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = str(taken.getsockname()[1])
        code, said = run(*serve, "--port", port, "--data", str(tmp_path))
    assert (2, f"ridotto: port {port} of 127.0.0.1 is in use: stop what uses it, or choose another with --port") == (code, said)
    (tmp_path / "file").write_text("")
    code, said = run(*serve, "--port", "0", "--data", str(tmp_path / "file" / "folder"))
    assert 2 == code and said.startswith("ridotto: cannot write to ") and said.endswith("choose a folder with --data")


def test_limits_that_cannot_be_set(tmp_path: Path) -> None:
    """A limit that there is not, a value that it cannot have, a network that is none."""

    def served(*given: str, **variables: str) -> tuple[int, str]:
        command = ("serve", "--port", "0", "--data", str(tmp_path), *given)
        done = CliRunner().invoke(cli, command, env=variables, catch_exceptions=False)
        return done.exit_code, done.output

    wrong = {"speed=1": "there are: max-streams", "chat=fast": "such as 80+20/s", "max-streams=0": "greater than 0"}
    for given, expected in wrong.items():
        code, said = served("--limit", given)
        assert 2 == code and expected in said
    assert "greater than 0" in served(RIDOTTO_MAX_STREAMS="none")[1]
    assert "such as 10.0.0.0/8" in served("--proxy", "everybody")[1]
