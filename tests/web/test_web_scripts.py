"""The modules of the pages' script: one transport, imports that lead somewhere, addresses by which browsers keep them."""

from __future__ import annotations

import re
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from visitors import Visitor, visiting

from ridotto.web.pages import assets

WIRE = re.compile(r"\b(?:fetch|EventSource|sendBeacon|XMLHttpRequest|WebSocket|WebTransport|RTCPeerConnection)\b")
"""What talks to a server."""
TRANSPORTS = ("transport.js", "tab_transport.js")
IMPORT = re.compile(r"^import \{([^}]*)\} from \"\./([\w-]+\.js)\";$", re.MULTILINE)
EXPORT = re.compile(r"^export (?:async )?(?:function|const|let|class) ([\w$]+)", re.MULTILINE)
LONGEST = 600


def sources() -> dict[str, str]:
    """Every module, by its name."""
    return {name: assets.script(name) for name in assets.SCRIPTS}


def wired(scripts: dict[str, str]) -> list[str]:
    """Modules that talk to a server without the transport, or have not been given theirs."""
    faults = [name for name, text in scripts.items() if name not in TRANSPORTS and WIRE.search(text)]
    return faults + [
        name
        for name, text in scripts.items()
        if name != "main.js" and any(f'"./{transport}"' in text for transport in TRANSPORTS)
    ]


def imports(scripts: dict[str, str]) -> dict[str, set[str]]:
    """The modules that each module imports. Every import is of a name that is exported, and used."""
    found: dict[str, set[str]] = {}
    for name, text in scripts.items():
        found[name] = set()
        assert text.count("\nimport ") + text.startswith("import ") == len(IMPORT.findall(text)), name
        assert not re.search(r"\bimport\(", text), f"{name}: an import that is not seen from the beginning"
        for names, other in IMPORT.findall(text):
            assert other in scripts, f"{name} imports {other}"
            found[name].add(other)
            for one in (word.strip() for word in names.split(",")):
                assert one in EXPORT.findall(scripts[other]), f"{name} imports {one}, which {other} does not export"
                assert len(re.findall(rf"(?<![\w$]){re.escape(one)}(?![\w$])", text)) > 1, f"{name} does not use {one}"
    return found


def test_everything_goes_through_the_transport() -> None:
    """No module sends or listens but the transports, and `main.js` alone makes one: the others are given it."""
    assert [] == wired(sources())


@pytest.mark.parametrize(
    "planted",
    [
        'const answer = await fetch("/t/x/glance");',
        "const stream = new EventSource(address);",
        'navigator.sendBeacon("/t/x/left");',
        "new window.XMLHttpRequest();",
        'import { createHttpTransport } from "./transport.js";',
        'import { createTabTransport } from "./tab_transport.js";',
    ],
)
def test_a_way_past_the_transport_is_found(planted: str) -> None:
    """Wherever it is planted."""
    scripts = sources()
    assert ["board.js"] == wired(scripts | {"board.js": f"{scripts['board.js']}\n{planted}\n"})
    assert [] == wired(scripts | {"board.js": f"{scripts['board.js']}\nprefetched(transport.getJson(address));\n"})


def test_imports_lead_somewhere() -> None:
    """Every module is reached from `main.js`, exports what is imported of it, and exports nothing that nobody imports."""
    scripts = sources()
    graph = imports(scripts)
    reached, ways = set[str](), ["main.js"]
    while ways:
        name = ways.pop()
        if name not in reached:
            reached.add(name)
            ways += graph[name]
    assert set(scripts) == reached
    wanted = {word.strip() for text in scripts.values() for names, _ in IMPORT.findall(text) for word in names.split(",")}
    tested = {"hmac", "draw", "keyOf", "commitToSecret", "sha256"}
    assert [] == [one for text in scripts.values() for one in EXPORT.findall(text) if one not in wanted | tested]


def test_modules_import_in_one_direction() -> None:
    """No module imports another that imports it, however far around."""
    graph = imports(sources())
    while graph:
        leaves = [name for name, others in graph.items() if not others & set(graph)]
        assert leaves, f"in circles: {sorted(graph)}"
        for name in leaves:
            del graph[name]


@pytest.mark.parametrize("name", assets.SCRIPTS)
def test_modules_say_what_they_are(name: str) -> None:
    """Each begins with a comment, as does whatever function it exports; none is too long to read."""
    text = assets.script(name)
    assert text.startswith("// ")
    assert len(text.splitlines()) <= LONGEST
    lines = text.splitlines()
    bare = [
        line for before, line in pairwise(lines) if re.match(r"export (async )?function", line) and not before.startswith("//")
    ]
    assert [] == bare


def test_addresses(tmp_path: Path) -> None:
    """A page names all modules, so that none waits for another; browsers keep those of this version alone."""

    async def visit(app: Any, one: Visitor) -> None:
        page = (await one.get("/")).text
        assert f'<script type="module" src="{assets.script_address("main.js")}"></script>' in page
        for name in assets.SCRIPTS:
            address = assets.script_address(name)
            assert f'<link rel="modulepreload" href="{address}">' in page
            answer = await one.get(address)
            assert (200, assets.script(name)) == (answer.status_code, answer.text)
            assert "text/javascript" == answer.headers["content-type"].partition(";")[0]
            assert "immutable" in answer.headers["cache-control"]
        other = await one.get("/static/0000000000/main.js")
        assert (200, "no-cache") == (other.status_code, other.headers["cache-control"])
        for path in ("main.css", "nothing.js", "..%2fapp.py"):
            assert 404 == (await one.get(f"/static/{assets.script_version()}/{path}")).status_code

    visiting(tmp_path, 1, visit)


def test_a_script_without_imports() -> None:
    """The file that verifies draws without a server has no imports left in it, and all that its modules have."""
    text = assets.classic_script("fair.js", "verify.js")
    assert not re.search(r"^(import|export)\b", text, re.MULTILINE)
    assert {"function verify(", "function initVerify(", "const sha256 ="} <= set(
        re.findall(r"function \w+\(|const \w+ =", text)
    )
