"""Notifications: the address that somebody wants told of their turn at a table."""

from __future__ import annotations

from starlette.responses import Response

from ridotto.present.narrator import mark
from ridotto.web.errors import Forbidden
from ridotto.web.live.notifications import Resolver
from ridotto.web.server.requests import Context, Endpoint
from ridotto.web.settings import Settings
from ridotto.web.storage.webhooks import Webhook, WebhookStorage


class NotificationRoutes:
    def __init__(self, settings: Settings, webhooks: WebhookStorage) -> None:
        self.settings, self.webhooks = settings, webhooks
        self._resolver = Resolver(settings)  # not the notifier's: what visitors ask does not hold up what is sent

    def endpoints(self) -> list[Endpoint]:
        return [Endpoint("/t/{id}/notices", self.save, "POST")]

    async def save(self, context: Context) -> Response:
        """Somebody gives an address that is to be told of their turn; "": none any more."""
        form = await context.form()
        table = await context.table()
        context.own_seat(table)
        if not self.settings.webhooks:
            raise Forbidden(mark("this server sends no notices"))
        url = str(form.get("url", "")).strip()
        if url:
            await self._resolver.check(url)
            await self.webhooks.save(Webhook(table.id, context.person, url, context.links.table(table.id)))
        else:
            await self.webhooks.delete(table.id, context.person)
        return context.done(table)
