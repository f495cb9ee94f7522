"""The tables of the database. What brings an older database to this state is in ``migrations``."""

from __future__ import annotations

from typing import Final

import sqlalchemy as sa
from sqlalchemy import BigInteger, Boolean, Column, ForeignKey, Index, Integer, MetaData, String

CHANNEL: Final = "ridotto"
"""The channel on which PostgreSQL announces changes: of tables by a trigger, of people by `PeopleStorage`."""
SCHEMA: Final = MetaData()
JSON: Final = sa.JSON(none_as_null=True)
SECONDS: Final = BigInteger().with_variant(Integer, "sqlite")
"""Since 1970: more than 32 bits from 2038 on. SQLite's integers have 64 anyway."""

people = sa.Table(
    "people",
    SCHEMA,
    Column("id", String(22), primary_key=True),
    Column("name", String(40), nullable=False),
    Column("language", String(2), nullable=False),
    Column("theme", String(5), nullable=False),
    Column("motion", Boolean, nullable=False),
    Column("created", SECONDS, nullable=False),
    Column("seen", SECONDS, nullable=False),
    Column("generation", Integer, nullable=False, server_default="0"),  # how often they have signed out everywhere
    Column("skeleton", String(120)),  # of the name, if it is theirs alone; see `ridotto.club.names`
    Column("member", SECONDS),  # since when; none: a guest
    Column("hidden", Boolean, nullable=False, server_default=sa.false()),  # whether their page is for themselves alone
    Index("people_by_skeleton", "skeleton", unique=True),
)
tables = sa.Table(
    "tables",
    SCHEMA,
    Column("id", String(22), primary_key=True),
    Column("game", String(20), nullable=False),
    Column("rules", Integer, nullable=False),
    Column("box", String(64), nullable=False),
    Column("seats", Integer, nullable=False),
    Column("options", JSON, nullable=False),
    Column("private", Boolean, nullable=False),
    Column("host", String(22), ForeignKey("people.id", ondelete="SET NULL")),
    Column("language", String(2), nullable=False),
    Column("settings", JSON, nullable=False),
    Column("salt", String(32), nullable=False),
    Column("created", SECONDS, nullable=False),
    Column("changed", SECONDS, nullable=False),
    Column("state", String(8), nullable=False),
    Column("to_act", Integer, nullable=False),  # the seats that owe a decision, one bit each
    Column("version", Integer, nullable=False),
    Column("result", JSON),
    Column("rematch", String(22), ForeignKey("tables.id", ondelete="SET NULL")),
    Column("origin", JSON),  # where its match came from: a record, or a moment of another table
    Column("deal", JSON),  # what its draws depend on, without the server's secret; see docs/fair-deal.md
    Column("rated", Boolean, nullable=False, server_default=sa.false()),
    Column("scored", Boolean, nullable=False, server_default=sa.false()),  # whether its result is among the results
    Index("tables_by_state", "state", "changed"),
    Index("tables_by_scored", "scored", "state"),
)
chairs = sa.Table(
    "chairs",
    SCHEMA,
    Column("table", String(22), ForeignKey("tables.id", ondelete="CASCADE"), primary_key=True),
    Column("seat", Integer, primary_key=True),
    Column("kind", String(8), nullable=False),
    Column("open", Boolean, nullable=False),
    Column("person", String(22), ForeignKey("people.id", ondelete="SET NULL")),
    Column("bot", String(40)),  # at a person's chair: the stand-in while they are away
    Column("salt", String(32), nullable=False),
    Column("name", String(40)),  # the person's when the match ended
    Index("chairs_by_person", "person"),
)
keys = sa.Table(
    "keys",
    SCHEMA,
    Column("table", String(22), ForeignKey("tables.id", ondelete="CASCADE"), primary_key=True),
    Column("person", String(22), ForeignKey("people.id", ondelete="CASCADE"), primary_key=True),
    Column("seat", Integer),  # none: may watch a private table
    Index("keys_by_person", "person"),
)
entries = sa.Table(
    "entries",
    SCHEMA,
    Column("table", String(22), ForeignKey("tables.id", ondelete="CASCADE"), primary_key=True),
    Column("ply", Integer, primary_key=True),
    Column("seat", Integer),
    Column("do", String(2000), nullable=False),
    Column("draws", JSON, nullable=False),
    Column("time", String(20), nullable=False),
    Column("salt", String(32), nullable=False),
    Column("position", JSON),
    Column("joined", Boolean, nullable=False, server_default=sa.false()),
    Column("hash", String(64), nullable=False),
    Column("added", JSON),  # to clocks, in milliseconds for each seat, before it was made; not under the hash
)
clocks = sa.Table(
    "clocks",
    SCHEMA,
    Column("table", String(22), ForeignKey("tables.id", ondelete="CASCADE"), primary_key=True),
    Column("seat", Integer, primary_key=True),
    Column("left", BigInteger, nullable=False),  # milliseconds, while it stands
    Column("until", BigInteger),  # while it runs: when it will have run down
    Column("added", BigInteger, nullable=False, server_default="0"),  # milliseconds that decisions have added to it
    Index("clocks_by_until", "until"),
)
heartbeat = sa.Table(
    "heartbeat",
    SCHEMA,
    Column("id", Integer, primary_key=True),
    Column("at", BigInteger, nullable=False),  # the latest heartbeat of a server, while clocks run
)
offers = sa.Table(
    "offers",
    SCHEMA,
    Column("table", String(22), ForeignKey("tables.id", ondelete="CASCADE"), primary_key=True),
    Column("kind", String(8), nullable=False),
    Column("seat", Integer, nullable=False),
    Column("proposer", Integer, nullable=False),
    Column("ply", Integer, nullable=False),
    Column("redeal", Boolean, nullable=False),
    Column("agreed", Integer, nullable=False),  # the seats that have agreed, one bit each
)
chat = sa.Table(
    "chat",
    SCHEMA,
    Column("table", String(22), ForeignKey("tables.id", ondelete="CASCADE"), primary_key=True),
    Column("line", Integer, primary_key=True),
    Column("at", SECONDS, nullable=False),
    Column("kind", String(10), nullable=False),
    Column("person", String(22), ForeignKey("people.id", ondelete="CASCADE")),
    Column("seat", Integer),
    Column("text", String(400), nullable=False),
    Column("reports", Integer, nullable=False),
    Column("removed", Boolean, nullable=False),
)
mutes = sa.Table(
    "mutes",
    SCHEMA,
    Column("person", String(22), ForeignKey("people.id", ondelete="CASCADE"), primary_key=True),
    Column("muted", String(22), ForeignKey("people.id", ondelete="CASCADE"), primary_key=True),
)
webhooks = sa.Table(
    "webhooks",
    SCHEMA,
    Column("table", String(22), ForeignKey("tables.id", ondelete="CASCADE"), primary_key=True),
    Column("person", String(22), ForeignKey("people.id", ondelete="CASCADE"), primary_key=True),
    Column("url", String(500), nullable=False),
    Column("link", String(300), nullable=False),
    Column("due", BigInteger),  # when the next notice is to be sent
    Column("tries", Integer, nullable=False),
    Index("webhooks_by_due", "due"),
)
token_buckets = sa.Table(
    "token_buckets",
    SCHEMA,
    Column("key", String(60), primary_key=True),
    Column("tokens", sa.Float, nullable=False),
    Column("at", BigInteger, nullable=False),  # when that was so, in milliseconds
)
bans = sa.Table(
    "bans",
    SCHEMA,
    Column("person", String(22), ForeignKey("people.id", ondelete="CASCADE"), primary_key=True),
    Column("kind", String(4), primary_key=True),  # "ban": may not do anything; "mute": may not talk
    Column("at", SECONDS, nullable=False),
)
reports = sa.Table(
    "reports",
    SCHEMA,
    Column("table", String(22), ForeignKey("tables.id", ondelete="CASCADE"), primary_key=True),
    Column("line", Integer, primary_key=True),
    Column("person", String(22), ForeignKey("people.id", ondelete="CASCADE")),  # who said it
    Column("at", SECONDS, nullable=False),
    Column("text", String(400), nullable=False),
)
reviews = sa.Table(
    "reviews",
    SCHEMA,
    Column("table", String(22), ForeignKey("tables.id", ondelete="CASCADE"), primary_key=True),
    Column("bot", String(40), nullable=False),
    Column("ply", Integer, nullable=False),
    Column("created", SECONDS, nullable=False),
    Column("document", JSON, nullable=False),
)
review_jobs = sa.Table(
    "review_jobs",
    SCHEMA,
    Column("table", String(22), ForeignKey("tables.id", ondelete="CASCADE"), primary_key=True),
    Column("total", Integer, nullable=False),  # decisions; 0: nobody has asked for it
    Column("done", Integer, nullable=False),
    Column("failed", Boolean, nullable=False),
    Column("requested", BigInteger, nullable=False),  # when, in milliseconds
)
passkeys = sa.Table(
    "passkeys",
    SCHEMA,
    Column("id", String(1400), primary_key=True),  # as the authenticator gives it, in base64url
    Column("person", String(22), ForeignKey("people.id", ondelete="CASCADE"), nullable=False),
    Column("public_key", String(2000), nullable=False),
    Column("sign_count", BigInteger, nullable=False),
    Column("label", String(40), nullable=False),
    Column("created", SECONDS, nullable=False),
    Column("used", SECONDS, nullable=False),
    Index("passkeys_by_person", "person"),
)
recovery_codes = sa.Table(
    "recovery_codes",
    SCHEMA,
    Column("hash", String(64), primary_key=True),
    Column("person", String(22), ForeignKey("people.id", ondelete="CASCADE"), nullable=False),
    Column("created", SECONDS, nullable=False),
    Index("recovery_codes_by_person", "person"),
)
challenges = sa.Table(
    "challenges",
    SCHEMA,
    Column("visitor", String(22), primary_key=True),  # who may not be among the people yet
    Column("purpose", String(8), primary_key=True),  # "register" or "signin"
    Column("challenge", String(100), nullable=False),
    Column("until", SECONDS, nullable=False),
)
marks = sa.Table(
    "marks",
    SCHEMA,
    Column("person", String(22), ForeignKey("people.id", ondelete="CASCADE"), primary_key=True),
    Column("kind", String(8), primary_key=True),  # "browser" or "address"
    Column("mark", String(32), primary_key=True),  # a keyed hash
    Column("at", SECONDS, nullable=False),
    Index("marks_by_mark", "mark"),
)
friends = sa.Table(
    "friends",
    SCHEMA,
    Column("person", String(22), ForeignKey("people.id", ondelete="CASCADE"), primary_key=True),
    Column("friend", String(22), ForeignKey("people.id", ondelete="CASCADE"), primary_key=True),
)
results = sa.Table(
    "results",
    SCHEMA,
    Column("table", String(22), ForeignKey("tables.id", ondelete="CASCADE"), primary_key=True),
    Column("seat", Integer, primary_key=True),
    Column("person", String(22), ForeignKey("people.id", ondelete="SET NULL")),
    Column("game", String(20), nullable=False),
    Column("seats", Integer, nullable=False),
    Column("people", Integer, nullable=False),  # how many people played
    Column("role", String(40), nullable=False),  # "" where all seats are alike
    Column("share", sa.Float, nullable=False),  # of the win
    Column("stayed", Boolean, nullable=False),
    Column("ended", SECONDS, nullable=False),
    Column("verdict", String(20), nullable=False),  # why it counts for ratings or does not
    Column("weight", sa.Float, nullable=False),  # how much it counts
    Column("before", sa.Float),  # the rating, if it counts
    Column("after", sa.Float),
    Column("error", sa.Float),  # the standard error after it
    Index("results_by_person", "person", "ended"),
)
ratings = sa.Table(
    "ratings",
    SCHEMA,
    Column("person", String(22), ForeignKey("people.id", ondelete="CASCADE"), primary_key=True),
    Column("game", String(20), primary_key=True),
    Column("role", String(40), primary_key=True),
    Column("points", sa.Float, nullable=False),
    Column("error", sa.Float, nullable=False),
    Column("matches", sa.Float, nullable=False),
    Column("day", sa.Float, nullable=False),  # since 1970
)
rating_flags = sa.Table(
    "rating_flags",
    SCHEMA,
    Column("game", String(20), primary_key=True),
    Column("person", String(22), ForeignKey("people.id", ondelete="CASCADE"), primary_key=True),
    Column("other", String(22), ForeignKey("people.id", ondelete="CASCADE"), primary_key=True),
    Column("reason", String(12), primary_key=True),  # "one-sided", "browser" or "address"
    Column("at", SECONDS, nullable=False),
)
