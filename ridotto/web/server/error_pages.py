"""Errors as answers: a page for people, JSON for the script."""

from __future__ import annotations

import logging
from functools import partial
from urllib.parse import urlsplit

from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, Response

from ridotto.core import record
from ridotto.core.errors import BadNotation, IllegalAction, Unavailable
from ridotto.engine.errors import RidottoError
from ridotto.present.narrator import Narrator
from ridotto.present.reasons import unavailable
from ridotto.web.errors import NameTaken, RequestError, TooMany
from ridotto.web.pages import site as pages
from ridotto.web.server.middleware import ROUTE, plain_response, retry_after
from ridotto.web.server.requests import ContextFactory
from ridotto.web.storage.faults import DatabaseUnavailable

log = logging.getLogger("ridotto.web")


class ErrorPages:
    """Answers in the place of what went wrong."""

    HANDLED = (RidottoError, HTTPException, ClientDisconnect)

    def __init__(self, contexts: ContextFactory) -> None:
        self.contexts = contexts

    async def known(self, request: Request, error: Exception) -> Response:
        """An error that tells whoever asked what they can do."""
        if not isinstance(error, DatabaseUnavailable):
            try:
                return await self._for_visitor(request, error)
            except (DatabaseUnavailable, TooMany) as worse:  # we cannot even know who asks, or draw a page for them
                error = worse
        if isinstance(error, TooMany):
            return plain_response(error.status, str(error), error.wait)
        facts = {"route": request.scope.get(ROUTE, "-"), "error": str(error.__cause__ or error)}
        log.error("the database does not answer", extra={"facts": facts})
        return plain_response(503, "the database does not answer: try again in a moment", 2)

    async def _for_visitor(self, request: Request, error: Exception) -> Response:
        """A page in the language of whoever asks, or JSON for the script."""
        context = await self.contexts.context(request)
        status, message, section = describe(error, context.narrator)
        headers = retry_after(error.wait) if isinstance(error, RequestError) else {}
        if status == 405 and isinstance(error, HTTPException):
            headers |= dict(error.headers or {})
        if not context.wants_page or request.headers.get("content-type", "").startswith("application/json"):
            return JSONResponse({"message": message, "section": section}, status, headers)
        proposal = error.proposal if isinstance(error, NameTaken) else ""
        back = urlsplit(request.headers.get("referer", "")).path or "/"
        response = await context.page(partial(pages.fault, context.reader, status, message, proposal, back), status)
        response.headers.update(headers)
        return response

    async def unknown(self, request: Request, error: Exception) -> Response:
        """A mistake of ours: logged, and nothing of it shown."""
        log.error("a mistake of ours", exc_info=error)
        return plain_response(500, "something went wrong here; it has been noted")


def describe(error: Exception, narrator: Narrator) -> tuple[int, str, str]:
    """The status, the message and the § of an error."""
    match error:
        case RequestError():
            return error.status, error.text(narrator), error.section
        case Unavailable():
            return 409, unavailable(error, narrator.say), ""
        case IllegalAction():
            return 409, str(error), ""
        case BadNotation():
            return 400, str(error), ""
        case record.BadRecord():
            return 410, narrator.say("this table was played with other rules or another box and cannot be opened here"), ""
        case HTTPException(status_code=404):
            return 404, narrator.say("there is no such page here, or it is not for you: check the link"), ""
        case HTTPException():
            return error.status_code, error.detail.lower(), ""
        case ClientDisconnect():
            return 400, "gone", ""
    return 500, "", ""
