"""Reasons that are the same for all games, as sentences: why something is not available, and why a record is not verified."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from ridotto.core.errors import Unavailable
from ridotto.core.verify import Discrepancy
from ridotto.engine.errors import mark

UNAVAILABLE: Final = {
    "match_is_over_and_all_is_shown": mark("the match is over: everything was shown, and nothing can be dealt anew"),
    "match_is_over_and_nothing_is_taken_back": mark("the match is over: everything was shown, and no move can be taken back"),
    "match_is_over_at_this_moment": mark("the match is over at this moment: there is nothing to play on from"),
    "match_has_gone_on": mark("the match has gone on meanwhile"),
    "no_move_to_take_back": mark("you have no move to take back yet"),
    "cannot_be_dealt_anew": mark("what was shown could not have been anything else, so it cannot be dealt again"),
    "nothing_to_deal_anew": mark("nothing was shown that could be dealt again"),
}
DISCREPANCIES: Final = {
    "position_with_shares": mark("Shares were committed to, so the match was dealt; but this record begins with a position."),
    "another_secret": mark("The server's secret is not the one that it committed to."),
    "another_share": mark("The share of seat {seat} is not the one that it committed to."),
    "draw_differs": mark("Entry {ply}, draw {number} (one of {outcomes}): it is {drawn}, but {expected} follows from the key."),
    "receipt_of_another_match": mark("The receipt is from another match."),
    "another_secret_committed": mark("The server had committed to another secret before the shares were shown."),
    "another_share_committed": mark("Seat {seat} had committed to another share."),
    "share_left_out": mark("The share of this receipt was left out: the server's stands in for it."),
    "share_replaced": mark("The share of this receipt was replaced by another one."),
    "another_log": mark("The log up to entry {ply} is not the one that was played."),
}


def unavailable(error: Unavailable, say: Callable[..., str]) -> str:
    """The reason why a match does not offer something, by a narrator's `say`."""
    return say(UNAVAILABLE[error.reason])


def discrepancy(one: Discrepancy, say: Callable[..., str]) -> str:
    """A discrepancy of a record, by a narrator's `say`."""
    return say(DISCREPANCIES[one.reason], **one.values)
