"""Pages from templates: one environment for all of them, which compiles a template when it is first used.

A template gets view models, and from a narrator the functions that make sentences: `say`, `count` and `listed`. That is the one
way in which our templates speak; `{% trans %}` and `_` of Jinja work too, with the catalogues of the same narrator.

>>> ENVIRONMENT.from_string("<p>{{ say('Welcome, {name}.', name=who) }}</p>").render(context(Narrator("nl"), who="<Ada>"))
'<p>Welkom, &lt;Ada&gt;.</p>'
"""

from __future__ import annotations

import re
from collections.abc import MutableMapping
from pathlib import Path
from typing import Any, Final

from jinja2 import Environment, FileSystemLoader, StrictUndefined, pass_context
from jinja2.ext import Extension
from jinja2.runtime import Context

from ridotto.present.html import Html, seat_badge
from ridotto.present.narrator import LANGUAGES, Narrator, opening
from ridotto.web.pages import home

TEMPLATES: Final = Path(__file__).with_name("templates")
LINE_BREAK: Final = re.compile(r"(?<=[>}])\s*\n\s*|\s*\n\s*(?=[<{])")


class LineBreaks(Extension):
    """Leaves out a line break, and the space around it, where it stands next to a tag or a brace.

    So no space gets between two elements unless it is written on their line. What is left out becomes a comment, so that an
    error still names the right line.
    """

    def preprocess(self, source: str, name: str | None, filename: str | None = None) -> str:
        return LINE_BREAK.sub(lambda found: f"{{#{found[0]}#}}", source)


@pass_context
def _gettext(context: Context, message: str) -> str:
    narrator: Narrator = context["narrator"]
    return narrator.gettext(message)


@pass_context
def _ngettext(context: Context, one: str, many: str, number: int) -> str:
    narrator: Narrator = context["narrator"]
    return narrator.ngettext(one, many, number)


class PlainEnvironment(Environment):
    """An environment whose templates keep their globals in a plain dictionary: it is copied for every part that is drawn."""

    def make_globals(self, d: MutableMapping[str, Any] | None) -> MutableMapping[str, Any]:
        return {**self.globals, **(d or {})}


def _environment() -> Environment:
    made = PlainEnvironment(
        loader=FileSystemLoader(TEMPLATES),
        autoescape=True,
        undefined=StrictUndefined,
        auto_reload=False,
        cache_size=-1,
        extensions=["jinja2.ext.i18n", LineBreaks],
    )
    made.install_gettext_callables(_gettext, _ngettext, newstyle=True)  # type: ignore[attr-defined]  # the extension adds it
    made.globals |= {"LANGUAGES": LANGUAGES, "seat_badge": seat_badge, "in_tab": home.in_tab}
    made.filters["opening"] = opening
    return made


ENVIRONMENT: Final = _environment()


def context(narrator: Narrator, /, **values: Any) -> dict[str, Any]:
    """The variables of a template: the narrator's words, and the given values."""
    return {"narrator": narrator, "say": narrator.say, "count": narrator.count, "listed": narrator.listed, **values}


def render(template: str, narrator: Narrator, /, **values: Any) -> Html:
    """A template filled in, in the words of a narrator."""
    return Html(ENVIRONMENT.get_template(template).render(context(narrator, **values)))
