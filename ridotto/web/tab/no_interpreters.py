"""Stands for `anyio.to_interpreter` in a browser, whose Python has no further interpreters: the true one fails there."""
