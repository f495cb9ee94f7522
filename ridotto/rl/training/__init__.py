"""Learning to play a game by self-play: what `ridotto train` does. docs/training.md explains it. It needs PyTorch."""
