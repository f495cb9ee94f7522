"""Tables around a match: clocks, talk, offers, notices of a turn, reviews; and where a table came from."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    op.add_column("tables", sa.Column("origin", sa.JSON(none_as_null=True), nullable=True))
    op.create_table(
        "clocks",
        sa.Column("table", sa.String(22), sa.ForeignKey("tables.id", ondelete="CASCADE"), primary_key=True),
        sa.Column("seat", sa.Integer(), primary_key=True),
        sa.Column("left", sa.BigInteger(), nullable=False),
        sa.Column("until", sa.BigInteger(), nullable=True),
    )
    op.create_index("clocks_by_until", "clocks", ["until"])
    op.create_table(
        "pulse",
        sa.Column("id", sa.Integer(), primary_key=True),
        sa.Column("at", sa.BigInteger(), nullable=False),
    )
    op.create_table(
        "offers",
        sa.Column("table", sa.String(22), sa.ForeignKey("tables.id", ondelete="CASCADE"), primary_key=True),
        sa.Column("kind", sa.String(8), nullable=False),
        sa.Column("seat", sa.Integer(), nullable=False),
        sa.Column("by", sa.Integer(), nullable=False),
        sa.Column("ply", sa.Integer(), nullable=False),
        sa.Column("anew", sa.Boolean(), nullable=False),
        sa.Column("agreed", sa.Integer(), nullable=False),
    )
    op.create_table(
        "talk",
        sa.Column("table", sa.String(22), sa.ForeignKey("tables.id", ondelete="CASCADE"), primary_key=True),
        sa.Column("line", sa.Integer(), primary_key=True),
        sa.Column("at", sa.Integer(), nullable=False),
        sa.Column("kind", sa.String(10), nullable=False),
        sa.Column("person", sa.String(22), sa.ForeignKey("people.id", ondelete="CASCADE"), nullable=True),
        sa.Column("seat", sa.Integer(), nullable=True),
        sa.Column("text", sa.String(400), nullable=False),
        sa.Column("reports", sa.Integer(), nullable=False),
        sa.Column("removed", sa.Boolean(), nullable=False),
    )
    op.create_table(
        "mutes",
        sa.Column("person", sa.String(22), sa.ForeignKey("people.id", ondelete="CASCADE"), primary_key=True),
        sa.Column("muted", sa.String(22), sa.ForeignKey("people.id", ondelete="CASCADE"), primary_key=True),
    )
    op.create_table(
        "hooks",
        sa.Column("table", sa.String(22), sa.ForeignKey("tables.id", ondelete="CASCADE"), primary_key=True),
        sa.Column("person", sa.String(22), sa.ForeignKey("people.id", ondelete="CASCADE"), primary_key=True),
        sa.Column("url", sa.String(500), nullable=False),
        sa.Column("link", sa.String(300), nullable=False),
        sa.Column("due", sa.BigInteger(), nullable=True),
        sa.Column("tries", sa.Integer(), nullable=False),
    )
    op.create_index("hooks_by_due", "hooks", ["due"])
    op.create_table(
        "reviews",
        sa.Column("table", sa.String(22), sa.ForeignKey("tables.id", ondelete="CASCADE"), primary_key=True),
        sa.Column("bot", sa.String(40), nullable=False),
        sa.Column("ply", sa.Integer(), nullable=False),
        sa.Column("made", sa.Integer(), nullable=False),
        sa.Column("document", sa.JSON(none_as_null=True), nullable=False),
    )
    if op.get_bind().dialect.name == "postgresql":
        op.execute(
            "CREATE FUNCTION ridotto_changed() RETURNS trigger LANGUAGE plpgsql AS "
            "$$ BEGIN PERFORM pg_notify('ridotto', 'changed ' || NEW.id || ' ' || NEW.version); RETURN NULL; END $$"
        )
        op.execute(
            "CREATE TRIGGER tables_changed AFTER UPDATE OF version ON tables FOR EACH ROW EXECUTE FUNCTION ridotto_changed()"
        )


def downgrade() -> None:
    if op.get_bind().dialect.name == "postgresql":
        op.execute("DROP TRIGGER tables_changed ON tables")
        op.execute("DROP FUNCTION ridotto_changed()")
    op.drop_index("hooks_by_due", "hooks")
    op.drop_index("clocks_by_until", "clocks")
    for name in ("reviews", "hooks", "mutes", "talk", "offers", "pulse", "clocks"):
        op.drop_table(name)
    with op.batch_alter_table("tables") as batch:
        batch.drop_column("origin")
