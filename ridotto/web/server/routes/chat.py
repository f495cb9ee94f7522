"""Chat: writing, muting, reporting, removing."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from typing import Any

from starlette.responses import Response

from ridotto.present.narrator import mark
from ridotto.web.errors import Forbidden, NotFound, NotNow, RequestError, TooMany
from ridotto.web.live.metrics import Metrics
from ridotto.web.live.moderation import ModerationService
from ridotto.web.live.table import Table
from ridotto.web.live.table_writer import TableWriter
from ridotto.web.server.rate_limits import RateLimit
from ridotto.web.server.requests import Context, Endpoint
from ridotto.web.server.table_form import is_on
from ridotto.web.storage import Storage
from ridotto.web.storage.admin import add_report
from ridotto.web.storage.chat import ChatLine, add_line, clean, delete_old_lines, remove_line, report_line

log = logging.getLogger("ridotto.web")


class ChatRoutes:
    def __init__(
        self, storage: Storage, writer: TableWriter, limit: RateLimit, metrics: Metrics, moderation: ModerationService
    ) -> None:
        self.storage, self.writer, self.limit, self.metrics, self.moderation = storage, writer, limit, metrics, moderation

    def endpoints(self) -> list[Endpoint]:
        return [
            Endpoint("/t/{id}/talk", self.write, "POST"),
            Endpoint("/t/{id}/talk/remove", self.remove, "POST"),
            Endpoint("/t/{id}/talk/report", self.report, "POST"),
            Endpoint("/t/{id}/talk/mute", self.mute, "POST"),
        ]

    async def write(self, context: Context) -> Response:
        """Add a line."""
        form = await context.form()
        table = await context.table()
        is_at_table = table.info.is_player(context.person) or context.person == table.info.host
        if not is_at_table and table.info.settings.only_players_chat:
            raise Forbidden(mark("only players can chat at this table"))
        if not self.moderation.may_talk(context.person):
            raise Forbidden(mark("whoever runs this server has muted you"))
        text = clean(str(form.get("text", "")))
        if not text:
            raise RequestError(mark("the message is empty"))
        if wait := self.limit.take(context.person):
            self.metrics.refused.labels("talk").inc()
            raise TooMany(mark("too many messages: wait a moment"), wait=wait)
        person = await context.save_visitor()
        line = add_line(table.id, self.storage.now, "said", person=person.id, text=text)
        if not await self.writer.change(table, [line, delete_old_lines(table.id)]):
            raise NotNow(mark("too much happens at this table at once: try again"))
        return context.done(table)

    def _line(self, table: Table, form: Mapping[str, Any]) -> ChatLine:
        """The line that something is done about."""
        for line in table.state.extras.chat:
            if str(line.number) == str(form.get("line")) and line.kind == "said":
                return line
        raise NotFound(mark("there is no such message"))

    async def remove(self, context: Context) -> Response:
        """The host removes words that should not stand there."""
        form = await context.form()
        table = await context.table()
        if context.person != table.info.host:
            raise Forbidden(mark("only the host can remove messages"))
        await self.writer.change(table, [], only_if=remove_line(table.id, self._line(table, form).number))
        return context.done(table)

    async def report(self, context: Context) -> Response:
        """Somebody finds that words should not stand there: the host is shown so, and whoever runs the server."""
        form = await context.form()
        table = await context.table()
        line = self._line(table, form)
        if wait := self.limit.take(context.person):
            raise TooMany(mark("too many messages: wait a moment"), wait=wait)
        kept = add_report(table.id, line.number, self.storage.now)
        if await self.writer.change(table, [kept], only_if=report_line(table.id, line.number)):
            log.warning("words were reported", extra={"facts": {"table": table.id, "line": line.number}})
        return context.done(table)

    async def mute(self, context: Context) -> Response:
        """Mute somebody, or hear them again."""
        form = await context.form()
        table = await context.table()
        line = self._line(table, form)
        if line.person is None or line.person == context.person:
            raise NotNow(mark("you cannot mute yourself"))
        person = await context.save_visitor()
        await self.storage.chat.mute(person.id, line.person, not is_on(form, "off"))
        # Nobody else sees a difference: the reader's own pages are drawn again.
        for subscriber in table.subscribers:
            if subscriber.person == context.person:
                subscriber.send(table.state)
        return context.done(table)
