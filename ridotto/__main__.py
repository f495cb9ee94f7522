"""`python -m ridotto`, and the command `ridotto`."""

import sys


def main() -> None:
    """Run the command; say what is missing where only the engine is installed."""
    try:
        from ridotto.cli import main as run
    except ModuleNotFoundError as error:
        if error.name not in ("click", "rich"):
            raise
        sys.exit(f"ridotto: the command needs {error.name}: pip install 'ridotto[cli]', or 'ridotto[web]' for the web table")
    run()


if __name__ == "__main__":
    main()
