"""The club: names that are somebody's alone, members with passkeys and recovery codes, results, ratings and friends.

Names of before go to whoever was seen last. What stands at matches that are over is the name of today, and stays.
"""

import sqlalchemy as sa
from alembic import op

from ridotto.club.names import is_reserved, skeleton
from ridotto.web.storage import schema

revision = "0008"
down_revision = "0007"

NEW = ("passkeys", "recovery_codes", "challenges", "marks", "friends", "results", "ratings", "rating_flags")


def upgrade() -> None:
    op.add_column("people", sa.Column("skeleton", sa.String(120)))
    op.add_column("people", sa.Column("member", schema.SECONDS))
    op.add_column("people", sa.Column("hidden", sa.Boolean, nullable=False, server_default=sa.false()))
    op.add_column("tables", sa.Column("rated", sa.Boolean, nullable=False, server_default=sa.false()))
    op.add_column("tables", sa.Column("scored", sa.Boolean, nullable=False, server_default=sa.false()))
    op.add_column("chairs", sa.Column("name", sa.String(40)))
    _claim_names()
    op.execute(
        "UPDATE chairs SET name = (SELECT people.name FROM people WHERE people.id = chairs.person) "
        "WHERE kind = 'person' AND \"table\" IN (SELECT id FROM tables WHERE state = 'over')"
    )
    op.create_index("people_by_skeleton", "people", ["skeleton"], unique=True)
    op.create_index("tables_by_scored", "tables", ["scored", "state"])
    op.create_index("chairs_by_person", "chairs", ["person"])
    _create_tables()


def downgrade() -> None:
    for table in reversed(NEW):
        op.drop_table(table)
    op.drop_index("chairs_by_person", "chairs")
    op.drop_index("tables_by_scored", "tables")
    op.drop_index("people_by_skeleton", "people")
    for table, column in (
        *(("chairs", "name"), ("tables", "scored"), ("tables", "rated")),
        *(("people", "hidden"), ("people", "member"), ("people", "skeleton")),
    ):
        with op.batch_alter_table(table) as batch:
            batch.drop_column(column)


def _create_tables() -> None:
    op.create_table(
        "passkeys",
        sa.Column("id", sa.String(1400), primary_key=True),
        sa.Column("person", sa.String(22), sa.ForeignKey("people.id", ondelete="CASCADE"), nullable=False),
        sa.Column("public_key", sa.String(2000), nullable=False),
        sa.Column("sign_count", sa.BigInteger, nullable=False),
        sa.Column("label", sa.String(40), nullable=False),
        sa.Column("created", schema.SECONDS, nullable=False),
        sa.Column("used", schema.SECONDS, nullable=False),
    )
    op.create_table(
        "recovery_codes",
        sa.Column("hash", sa.String(64), primary_key=True),
        sa.Column("person", sa.String(22), sa.ForeignKey("people.id", ondelete="CASCADE"), nullable=False),
        sa.Column("created", schema.SECONDS, nullable=False),
    )
    op.create_table(
        "challenges",
        sa.Column("visitor", sa.String(22), primary_key=True),
        sa.Column("purpose", sa.String(8), primary_key=True),
        sa.Column("challenge", sa.String(100), nullable=False),
        sa.Column("until", schema.SECONDS, nullable=False),
    )
    op.create_table(
        "marks",
        sa.Column("person", sa.String(22), sa.ForeignKey("people.id", ondelete="CASCADE"), primary_key=True),
        sa.Column("kind", sa.String(8), primary_key=True),
        sa.Column("mark", sa.String(32), primary_key=True),
        sa.Column("at", schema.SECONDS, nullable=False),
    )
    op.create_table(
        "friends",
        sa.Column("person", sa.String(22), sa.ForeignKey("people.id", ondelete="CASCADE"), primary_key=True),
        sa.Column("friend", sa.String(22), sa.ForeignKey("people.id", ondelete="CASCADE"), primary_key=True),
    )
    op.create_table(
        "results",
        sa.Column("table", sa.String(22), sa.ForeignKey("tables.id", ondelete="CASCADE"), primary_key=True),
        sa.Column("seat", sa.Integer, primary_key=True),
        sa.Column("person", sa.String(22), sa.ForeignKey("people.id", ondelete="SET NULL")),
        sa.Column("game", sa.String(20), nullable=False),
        sa.Column("seats", sa.Integer, nullable=False),
        sa.Column("people", sa.Integer, nullable=False),
        sa.Column("role", sa.String(40), nullable=False),
        sa.Column("share", sa.Float, nullable=False),
        sa.Column("stayed", sa.Boolean, nullable=False),
        sa.Column("ended", schema.SECONDS, nullable=False),
        sa.Column("verdict", sa.String(20), nullable=False),
        sa.Column("weight", sa.Float, nullable=False),
        sa.Column("before", sa.Float),
        sa.Column("after", sa.Float),
        sa.Column("error", sa.Float),
    )
    op.create_table(
        "ratings",
        sa.Column("person", sa.String(22), sa.ForeignKey("people.id", ondelete="CASCADE"), primary_key=True),
        sa.Column("game", sa.String(20), primary_key=True),
        sa.Column("role", sa.String(40), primary_key=True),
        sa.Column("points", sa.Float, nullable=False),
        sa.Column("error", sa.Float, nullable=False),
        sa.Column("matches", sa.Float, nullable=False),
        sa.Column("day", sa.Float, nullable=False),
    )
    op.create_table(
        "rating_flags",
        sa.Column("game", sa.String(20), primary_key=True),
        sa.Column("person", sa.String(22), sa.ForeignKey("people.id", ondelete="CASCADE"), primary_key=True),
        sa.Column("other", sa.String(22), sa.ForeignKey("people.id", ondelete="CASCADE"), primary_key=True),
        sa.Column("reason", sa.String(12), primary_key=True),
        sa.Column("at", schema.SECONDS, nullable=False),
    )
    op.create_index("passkeys_by_person", "passkeys", ["person"])
    op.create_index("recovery_codes_by_person", "recovery_codes", ["person"])
    op.create_index("marks_by_mark", "marks", ["mark"])
    op.create_index("results_by_person", "results", ["person", "ended"])


def _claim_names() -> None:
    connection = op.get_bind()
    people = sa.table("people", sa.column("id"), sa.column("name"), sa.column("seen"), sa.column("skeleton"))
    taken: dict[str, str] = {}
    for person, name in connection.execute(sa.select(people.c.id, people.c.name).order_by(people.c.seen.desc(), people.c.id)):
        if name and not is_reserved(name) and (folded := skeleton(name)):
            taken.setdefault(folded, person)
    rows = [{"claimant": person, "folded": folded} for folded, person in taken.items()]
    if rows:
        update = sa.update(people).where(people.c.id == sa.bindparam("claimant")).values(skeleton=sa.bindparam("folded"))
        connection.execute(update, rows)
