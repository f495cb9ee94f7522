"""Serves the folder of a tab on this machine, to try it, with the headers that a web host may send."""

from __future__ import annotations

import webbrowser
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, Final

from ridotto.web.tab.build import POLICY

TYPES: Final = {
    ".js": "text/javascript",
    ".mjs": "text/javascript",
    ".wasm": "application/wasm",
    ".webmanifest": "application/manifest+json",
}
HEADERS: Final = {
    "content-security-policy": f"{POLICY}; frame-ancestors 'none'",
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cache-control": "no-cache",
}


class Handler(SimpleHTTPRequestHandler):
    """Files of one folder."""

    extensions_map = SimpleHTTPRequestHandler.extensions_map | TYPES

    def end_headers(self) -> None:
        for name, value in HEADERS.items():
            self.send_header(name, value)
        super().end_headers()

    def log_message(self, format: str, *given: Any) -> None:
        """Nothing is noted of whoever asks."""


def server(folder: Path, port: int) -> ThreadingHTTPServer:
    """A server of a folder, for this machine alone."""
    return ThreadingHTTPServer(("127.0.0.1", port), partial(Handler, directory=str(folder)))


def serve_folder(folder: Path, port: int, tell: Callable[[str], object]) -> None:
    """Serve a folder until somebody interrupts, and open it in a browser."""
    with server(folder, port) as listening:
        address = f"http://127.0.0.1:{listening.server_port}/"
        tell(f"the tab is at {address}; Ctrl-C stops serving it")
        webbrowser.open(address)
        with suppress(KeyboardInterrupt):
            listening.serve_forever()
