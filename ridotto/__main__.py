"""`python -m ridotto`: the same as the command `ridotto`."""

from ridotto.cli import main

main()
