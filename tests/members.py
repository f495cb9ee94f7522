"""Browsers that have passkeys, of people who may become members."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import httpx
from authenticator import Authenticator
from visitors import Visitor, visiting

LOCAL = "http://localhost:8765"


class Browser(Visitor):
    """A visitor at an address by which browsers have passkeys."""

    def __init__(self, app: Any) -> None:
        super().__init__(app, LOCAL)

    async def options(self, path: str, form: dict[str, str] | None = None) -> dict[str, Any]:
        answer = await self.post(path, form, headers={"accept": "application/json"})
        assert 200 == answer.status_code, answer.text
        found: dict[str, Any] = answer.json()
        return found

    async def register(self, device: Authenticator, name: str = "") -> httpx.Response:
        options = await self.options("/me/passkeys/challenge", {"name": name} if name else None)
        return await self.answer("/me/passkeys", device.register(options))

    async def sign_in(self, device: Authenticator, **form: str) -> httpx.Response:
        return await self.answer("/signin/passkey", device.sign_in(await self.options("/signin/challenge")), **form)

    async def answer(self, path: str, credential: str, **form: str) -> httpx.Response:
        return await self.http.post(path, json={"nonce": self.nonce, "credential": credential, **form})

    async def codes(self, **form: str) -> list[str]:
        page = await self.post("/me/codes", form)
        assert 200 == page.status_code, page.text
        return re.findall(r"<code>([a-z0-9-]+)</code>", page.text)

    async def name(self) -> str:
        found = re.search(
            r'<input name="name" value="([^"]*)" maxlength="40" autocomplete="nickname">', (await self.get("/")).text
        )
        assert found is not None
        return found[1]


def clubbing(folder: Path, count: int, visit: Any, **given: Any) -> None:
    """Run a visit of so many browsers to a fresh server with a club."""

    async def with_browsers(app: Any) -> None:
        browsers = [Browser(app) for _ in range(count)]
        for one in browsers:
            await one.get("/")
        try:
            await visit(app, *browsers)
        finally:
            for one in browsers:
                await one.http.aclose()

    visiting(folder, 0, with_browsers, club=True, **given)
