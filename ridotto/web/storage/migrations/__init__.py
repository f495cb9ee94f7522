"""The schema of the store, change by change."""
