"""The command as the tests run it."""

from poolscope import cli


def run(*words: object) -> int:
    """Run the command; a wrong one ends with its own status."""
    try:
        return cli.main([str(word) for word in words])
    except SystemExit as end:
        return end.code if isinstance(end.code, int) else -1
