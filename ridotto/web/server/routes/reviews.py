"""Reviews: a bot's opinion of every decision of a finished match, made in the background."""

from __future__ import annotations

from functools import partial
from typing import Final

from starlette.responses import JSONResponse, RedirectResponse, Response

from ridotto.present.narrator import mark
from ridotto.web.errors import NotNow, RequestError
from ridotto.web.live.review_queue import ReviewQueue
from ridotto.web.live.table import Table
from ridotto.web.live.view_models import table_model
from ridotto.web.pages import replay as replay_pages
from ridotto.web.pages.replay import Reviewed
from ridotto.web.server.requests import Context, Endpoint
from ridotto.web.storage.reviews import ReviewStorage

LONGEST_QUEUE: Final = 20
"""Reviews that somebody has asked for and that are made or wait to be, at the most."""


class ReviewRoutes:
    def __init__(self, reviews: ReviewStorage, queue: ReviewQueue) -> None:
        self.reviews, self.queue = reviews, queue

    def endpoints(self) -> list[Endpoint]:
        return [
            Endpoint("/t/{id}/review", self.show),
            Endpoint("/t/{id}/review", self.begin, "POST"),
            Endpoint("/t/{id}/review/progress", self.progress),
        ]

    async def _table(self, context: Context) -> Table:
        """The table, if its match is over."""
        table = await context.table()
        if table.match.to_act:
            raise NotNow(mark("the match is not over yet"))
        return table

    async def show(self, context: Context) -> Response:
        """The review of a match, or how far it is, or the offer to make one."""
        table = await self._table(context)
        # In this order: whoever asks while it is finished sees either.
        job = await self.reviews.job(table.id)
        review = await self.reviews.load(table.id)
        model = await table_model(table.state, context.reader, context.audience(table.state))
        progress = Reviewed(review, job.done if job else 0, job.total if job else 0, failed=bool(job and job.failed))
        draw = partial(replay_pages.review, model, progress, table.match)
        if review is None:
            return await context.page(draw)
        key = ("review", context.reader, table.state.names, review.bot, review.plies)
        html = await table.state.once(key, draw)
        return await context.page(lambda: html)

    async def begin(self, context: Context) -> Response:
        """Have a review made in the background."""
        await context.form()
        table = await self._table(context)
        job = await self.reviews.job(table.id)
        if (job is None or job.failed or not job.is_asked) and await self.reviews.load(table.id) is None:
            if len(await self.reviews.asked()) >= LONGEST_QUEUE:
                raise RequestError(mark("too many reviews are being made: try again later"), status=503, wait=30)
            await context.check_new_table()
            await self.queue.add(table.id, table.match)
        return RedirectResponse(f"/t/{table.id}/review", 303)

    async def progress(self, context: Context) -> Response:
        """The progress of a review."""
        table = await self._table(context)
        job = await self.reviews.job(table.id)
        if job is None:
            ready = await self.reviews.load(table.id) is not None
            return JSONResponse({"done": 0, "total": 0, "ready": ready, "failed": False})
        return JSONResponse({"done": job.done, "total": job.total, "ready": False, "failed": job.failed})
