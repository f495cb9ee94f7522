"""Seconds since 1970 have 64 bits; reviews being made stand where every server sees them."""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"

SECONDS = {"people": ("created", "seen"), "tables": ("created", "changed"), "talk": ("at",), "reviews": ("made",)}


def upgrade() -> None:
    _become(sa.Integer(), sa.BigInteger())
    op.create_table(
        "judging",
        sa.Column("table", sa.String(22), sa.ForeignKey("tables.id", ondelete="CASCADE"), primary_key=True),
        sa.Column("total", sa.Integer(), nullable=False),
        sa.Column("done", sa.Integer(), nullable=False),
        sa.Column("failed", sa.Boolean(), nullable=False),
        sa.Column("asked", sa.BigInteger(), nullable=False),
    )


def downgrade() -> None:
    op.drop_table("judging")
    _become(sa.BigInteger(), sa.Integer())


def _become(before: sa.types.TypeEngine[int], after: sa.types.TypeEngine[int]) -> None:
    """Every column of seconds gets another type. With SQLite an integer has 64 bits whatever it is called."""
    if op.get_bind().dialect.name == "sqlite":
        return
    for table, columns in SECONDS.items():
        for column in columns:
            op.alter_column(table, column, existing_type=before, type_=after, existing_nullable=False)
