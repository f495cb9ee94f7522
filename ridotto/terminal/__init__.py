"""A table as text."""
