"""The rules of a game as fast code: declarations, builds for each target, dice, playouts and search."""
