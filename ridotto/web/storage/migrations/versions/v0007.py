"""Tables and columns get plain names, and so do the settings of a table, in which `leaving` no longer stands with the clock."""

from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"

TABLES = {"pulse": "heartbeat", "talk": "chat", "hooks": "webhooks", "judging": "review_jobs", "shares": "token_buckets"}
COLUMNS = {
    "tables": {"owing": "to_act"},
    "offers": {"by": "proposer", "anew": "redeal"},
    "review_jobs": {"asked": "requested"},
    "reviews": {"made": "created"},
    "token_buckets": {"left": "tokens"},
}
"""By the new names of the tables."""
SETTINGS = {"hushed": "only_players_chat", "shared": "shared_seats", "held": "device_holder"}


def upgrade() -> None:
    for old, new in TABLES.items():
        _rename_table(old, new)
    for table, columns in COLUMNS.items():
        for old, new in columns.items():
            _rename_column(table, old, new)
    op.drop_index("hooks_by_due", "webhooks")
    op.create_index("webhooks_by_due", "webhooks", ["due"])
    tables = sa.table("tables", sa.column("id", sa.String), sa.column("settings", sa.JSON))
    connection = op.get_bind()
    for table, settings in connection.execute(sa.select(tables.c.id, tables.c.settings)).all():
        if (renamed := _renamed(settings)) != settings:
            connection.execute(sa.update(tables).where(tables.c.id == table).values(settings=renamed))


def downgrade() -> None:
    """Give tables and columns their former names; the settings stay."""
    op.drop_index("webhooks_by_due", "webhooks")
    op.create_index("hooks_by_due", "webhooks", ["due"])
    for table, columns in COLUMNS.items():
        for old, new in columns.items():
            _rename_column(table, new, old)
    for old, new in TABLES.items():
        _rename_table(new, old)


def _rename_table(old: str, new: str) -> None:
    """Rename a table with what PostgreSQL has named after it: constraints, with their indexes, and sequences."""
    op.rename_table(old, new)
    connection = op.get_bind()
    if connection.dialect.name != "postgresql":
        return
    constraints = sa.text("SELECT conname FROM pg_constraint WHERE conrelid = CAST(:table AS regclass)")
    for name in connection.execute(constraints, {"table": new}).scalars().all():
        if name.startswith(f"{old}_"):
            op.execute(f"ALTER TABLE {new} RENAME CONSTRAINT {name} TO {new}{name.removeprefix(old)}")
    sequences = sa.text(
        "SELECT relname FROM pg_class JOIN pg_depend ON pg_depend.objid = pg_class.oid "
        "WHERE relkind = 'S' AND refobjid = CAST(:table AS regclass)"
    )
    for name in connection.execute(sequences, {"table": new}).scalars().all():
        op.execute(f"ALTER SEQUENCE {name} RENAME TO {new}{name.removeprefix(old)}")


def _rename_column(table: str, old: str, new: str) -> None:
    # Not by Alembic, which would copy the table with SQLite.
    op.execute(f'ALTER TABLE {table} RENAME COLUMN "{old}" TO "{new}"')


def _renamed(settings: dict[str, Any]) -> dict[str, Any]:
    """Settings with plain names.

    >>> _renamed({"clock": {"kind": "match", "seconds": 60, "added": 5, "flag": "bot"}, "held": 1})
    {'clock': {'kind': 'match', 'seconds': 60, 'added': 5}, 'device_holder': 1, 'leaving': 'bot'}
    """
    renamed = {SETTINGS.get(name, name): value for name, value in settings.items()}
    if "flag" in (clock := renamed.get("clock") or {}):
        renamed["clock"] = {name: value for name, value in clock.items() if name != "flag"}
        renamed.setdefault("leaving", clock["flag"])
    return renamed
