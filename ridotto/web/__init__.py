"""The web table: open a page and play."""
