"""The scratch row of the bot of Turandot: which words hold which sums."""

from __future__ import annotations

BEST = 0
"""64 words: the best sum for each set of cards (see `assign`)."""
GAIN = 64
"""36 words: the gain by giving the card of a column to the taker of a row (see `assign`)."""
WORTH = 100
"""30 words: the worth of each card under a role to each seat."""
WANT = 130
"""30 words: the chance that a seat bids for a card."""
TRIAL = 160
"""6 words: a troupe with a card added."""
KNOWN = 166
"""2 words: the position that WORTH was filled for (see `fingerprint`)."""
CHANCES = BEST
"""25 words: the chance that a seat makes each choice; in an audition nothing is assigned any more."""
