"""Pages about the reader: what is known of them, and that it was deleted."""

from __future__ import annotations

from ridotto.core.markup import el
from ridotto.core.narrator import language, say
from ridotto.web.pages import site as pages
from ridotto.web.pages.models import Reader


def data(reader: Reader, seats: int) -> str:
    """What is known of the reader, and a form to be forgotten."""
    with language(reader.language):
        name = say("Your name here: {name}.", name=reader.name) if reader.name else say("You have not given a name.")
        body = el(
            "main",
            el("h1", say("Your data")),
            el("p", name, " ", say("Tables at which you have a seat: {count}.", count=seats), cls="lead"),
            el("p", el("a", say("Take everything with you, as JSON"), href="/me/export", cls="press", download=True)),
            el("h2", say("Being forgotten")),
            el(
                "p",
                say(
                    "Your name, your settings, your keys to seats and everything you wrote at tables are deleted. Matches that "
                    "you are playing are resigned."
                ),
            ),
            el(
                "p",
                say("What was played stays, without a name: it is the others' match too, and its record still verifies."),
            ),
            el(
                "form",
                el("input", type="hidden", name="nonce", value=reader.nonce),
                el(
                    "label",
                    el("input", type="checkbox", name="sure", value="1", required=True),
                    say("Yes, forget me. This cannot be undone."),
                    cls="tick",
                ),
                el("p", el("button", say("Forget me"), cls="press")),
                method="post",
                action="/me/delete",
            ),
            id="main",
        )
        return pages.page(reader, say("Your data"), body, cls="narrow", back="/me/delete")


def forgotten(reader: Reader) -> str:
    """The reader is forgotten."""
    with language(reader.language):
        body = el(
            "main",
            el("h1", say("You are forgotten")),
            el("p", say("Nothing here says any more who you were. You are welcome again at any time."), cls="lead"),
            el("p", el("a", say("To the start page"), href="/", cls="press main")),
            id="main",
        )
        return pages.page(reader, say("You are forgotten"), body, cls="narrow", back="/")
