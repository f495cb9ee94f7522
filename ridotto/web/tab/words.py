"""The sentences of the document around the pages of a tab: they are needed where Python is not there yet, or does not come."""

from __future__ import annotations

from typing import Final

from ridotto.present.narrator import LANGUAGES, Narrator, mark

SENTENCES: Final = {
    "loading": mark("The table is being laid …"),
    "script": mark("Ridotto needs JavaScript."),
    "lacks": mark("This browser cannot lay the table: it lacks {what}. A newer one can."),
    "memory": mark("This browser has no memory left for the table. Close other tabs, and load this page again."),
    "failed": mark("The table could not be laid: {reason}"),
    "forgets": mark("This browser keeps nothing, perhaps because the window is private: matches end with this tab."),
    "elsewhere": mark("Ridotto is open in another tab of this browser."),
    "here": mark("Go on here"),
    "update": mark("There is a new version of Ridotto."),
    "load": mark("Load it"),
    "later": mark("Later"),
}
"""By the names that `static/shell.js` has for them."""


def sentences() -> dict[str, dict[str, str]]:
    """All of them in every language; what is in braces stays, and is filled in by the script."""
    return {language: {name: Narrator(language).gettext(text) for name, text in SENTENCES.items()} for language in LANGUAGES}
