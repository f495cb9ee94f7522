"""The table in a tab: the same program as on a server, in a worker of the reader's browser."""
