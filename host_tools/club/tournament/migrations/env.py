"""Runs the migrations of a tournament's database: Alembic loads this file, and store.py calls Alembic."""

from alembic import context

connection = context.config.attributes["connection"]
context.configure(connection=connection, transaction_per_migration=False)
with context.begin_transaction():
    context.run_migrations()
