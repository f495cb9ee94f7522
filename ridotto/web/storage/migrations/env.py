"""Alembic's entry: it runs the migrations that are still missing, over the connection it was handed."""

from alembic import context

from ridotto.web.storage.schema import SCHEMA

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=SCHEMA,
    render_as_batch=True,
)
with context.begin_transaction():
    context.run_migrations()
