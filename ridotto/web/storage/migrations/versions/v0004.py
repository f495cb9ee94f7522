"""Shares that all servers count together; what the host of a server has decided about people; reports of what was said."""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"

SECONDS = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    op.create_table(
        "shares",
        sa.Column("key", sa.String(60), primary_key=True),
        sa.Column("left", sa.Float(), nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
    )
    op.create_table(
        "bans",
        sa.Column("person", sa.String(22), sa.ForeignKey("people.id", ondelete="CASCADE"), primary_key=True),
        sa.Column("kind", sa.String(4), primary_key=True),
        sa.Column("at", SECONDS, nullable=False),
    )
    op.create_table(
        "reports",
        sa.Column("table", sa.String(22), sa.ForeignKey("tables.id", ondelete="CASCADE"), primary_key=True),
        sa.Column("line", sa.Integer(), primary_key=True),
        sa.Column("person", sa.String(22), sa.ForeignKey("people.id", ondelete="CASCADE"), nullable=True),
        sa.Column("at", SECONDS, nullable=False),
        sa.Column("text", sa.String(400), nullable=False),
    )


def downgrade() -> None:
    for table in ("reports", "bans", "shares"):
        op.drop_table(table)
