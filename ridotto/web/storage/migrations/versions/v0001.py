"""The first schema: people, tables, chairs, keys, entries."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None


def upgrade() -> None:
    op.create_table(
        "people",
        sa.Column("id", sa.String(22), primary_key=True),
        sa.Column("name", sa.String(40), nullable=False),
        sa.Column("language", sa.String(2), nullable=False),
        sa.Column("theme", sa.String(5), nullable=False),
        sa.Column("motion", sa.Boolean(), nullable=False),
        sa.Column("created", sa.Integer(), nullable=False),
        sa.Column("seen", sa.Integer(), nullable=False),
    )
    op.create_table(
        "tables",
        sa.Column("id", sa.String(22), primary_key=True),
        sa.Column("game", sa.String(20), nullable=False),
        sa.Column("rules", sa.Integer(), nullable=False),
        sa.Column("box", sa.String(64), nullable=False),
        sa.Column("seats", sa.Integer(), nullable=False),
        sa.Column("options", sa.JSON(none_as_null=True), nullable=False),
        sa.Column("private", sa.Boolean(), nullable=False),
        sa.Column("host", sa.String(22), sa.ForeignKey("people.id", ondelete="SET NULL"), nullable=True),
        sa.Column("language", sa.String(2), nullable=False),
        sa.Column("settings", sa.JSON(none_as_null=True), nullable=False),
        sa.Column("salt", sa.String(32), nullable=False),
        sa.Column("created", sa.Integer(), nullable=False),
        sa.Column("changed", sa.Integer(), nullable=False),
        sa.Column("state", sa.String(8), nullable=False),
        sa.Column("owing", sa.Integer(), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("result", sa.JSON(none_as_null=True), nullable=True),
        sa.Column("rematch", sa.String(22), sa.ForeignKey("tables.id", ondelete="SET NULL"), nullable=True),
    )
    op.create_index("tables_by_state", "tables", ["state", "changed"])
    op.create_table(
        "chairs",
        sa.Column("table", sa.String(22), sa.ForeignKey("tables.id", ondelete="CASCADE"), primary_key=True),
        sa.Column("seat", sa.Integer(), primary_key=True),
        sa.Column("kind", sa.String(8), nullable=False),
        sa.Column("open", sa.Boolean(), nullable=False),
        sa.Column("person", sa.String(22), sa.ForeignKey("people.id", ondelete="SET NULL"), nullable=True),
        sa.Column("bot", sa.String(40), nullable=True),
        sa.Column("salt", sa.String(32), nullable=False),
    )
    op.create_table(
        "keys",
        sa.Column("table", sa.String(22), sa.ForeignKey("tables.id", ondelete="CASCADE"), primary_key=True),
        sa.Column("person", sa.String(22), sa.ForeignKey("people.id", ondelete="CASCADE"), primary_key=True),
        sa.Column("seat", sa.Integer(), nullable=True),
    )
    op.create_index("keys_by_person", "keys", ["person"])
    op.create_table(
        "entries",
        sa.Column("table", sa.String(22), sa.ForeignKey("tables.id", ondelete="CASCADE"), primary_key=True),
        sa.Column("ply", sa.Integer(), primary_key=True),
        sa.Column("seat", sa.Integer(), nullable=True),
        sa.Column("do", sa.String(2000), nullable=False),
        sa.Column("draws", sa.JSON(none_as_null=True), nullable=False),
        sa.Column("time", sa.String(20), nullable=False),
        sa.Column("salt", sa.String(32), nullable=False),
        sa.Column("position", sa.JSON(none_as_null=True), nullable=True),
        sa.Column("hash", sa.String(64), nullable=False),
    )


def downgrade() -> None:
    for name in ("entries", "keys", "chairs", "tables", "people"):
        op.drop_table(name)
