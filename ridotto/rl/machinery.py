"""What joins a build of a game to the compiled machinery of learners, so that both come from the same sources and cache."""

from __future__ import annotations

from functools import cache
from types import ModuleType

from ridotto.engine import build as builds
from ridotto.engine.build import Build


@cache
def machinery(build: Build) -> ModuleType:
    """The module `ridotto.rl.observe` for one build: it sees that build's own rules, bot, driver and dice."""
    return _joined(build, "ridotto.rl.observe", {})


@cache
def launched(build: Build) -> ModuleType:
    """The kernels of learners for a build on a GPU."""
    return _joined(build, "ridotto.rl.kernels", {"ridotto.rl.observe": machinery(build)})


@cache
def adviser(build: Build) -> ModuleType:
    """The module `ridotto.rl.advice` for one build."""
    return _joined(build, "ridotto.rl.advice", {})


def _joined(build: Build, name: str, more: dict[str, ModuleType]) -> ModuleType:
    # The inside of `builds._build`, for a module more: a build is named by its sources, and this is none of them.
    with builds._building:
        before = builds._loading.target
        builds._loading.target = build.target
        try:
            if build.target != "python":
                from numba import config

                kept = config.CACHE_DIR  # type: ignore[attr-defined]
                config.CACHE_DIR = str(build.cache)  # type: ignore[attr-defined]
            try:
                copies = {
                    "ridotto.engine.contract": builds._joined(build.rules, build.bot),
                    "ridotto.engine.driver": build.driver,
                    "ridotto.engine.dice": build.dice,
                    **more,
                }
                tag = f"{build.game}-{build.target}-{build.box[:8]}"
                return builds._copy(name, builds._source(name), tag, copies)
            finally:
                if build.target != "python":
                    config.CACHE_DIR = kept  # type: ignore[attr-defined]
        finally:
            builds._loading.target = before
