"""Tables while they are played: actions, clocks, bots, presence, messages between servers."""
