"""Signing out everywhere, and takebacks: which decisions were confirmed together, and what was added to the clocks at each.

A person's generation grows when they sign out everywhere: cookies of earlier ones are void. Those of before are the first.
"""

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"


def upgrade() -> None:
    op.add_column("people", sa.Column("generation", sa.Integer(), nullable=False, server_default="0"))
    op.add_column("entries", sa.Column("joined", sa.Boolean, nullable=False, server_default=sa.false()))
    op.add_column("entries", sa.Column("added", sa.JSON(none_as_null=True), nullable=True))
    op.add_column("clocks", sa.Column("added", sa.BigInteger, nullable=False, server_default="0"))


def downgrade() -> None:
    for table, column in (("clocks", "added"), ("entries", "added"), ("entries", "joined"), ("people", "generation")):
        with op.batch_alter_table(table) as batch:
            batch.drop_column(column)
