"""Files that their owner alone may read: whatever a server keeps has names, talk, hidden entries or secrets in it."""

from __future__ import annotations

import os
import re
import stat
from contextlib import suppress
from pathlib import Path
from typing import Final

OURS: Final = re.compile(
    r"ridotto\.db(-wal|-shm|-journal|\.lock)?|(secret|host)\.key|server(-\d+)?\.log(\.\d+)?|metrics-\d+\.(prom|part)"
)
"""The files in a data folder."""


def keep_private() -> None:
    """Let everything that this process makes from now on, and those that it starts, be for its owner alone."""
    os.umask(0o077)


def open_data_folder(folder: Path) -> None:
    """Make a data folder. If it is there, shut out others from what an earlier version has let them read.

    That is the files of ours, and the folder itself if nothing else is in it: it may be somebody's home.
    """
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    if os.name != "posix":
        return
    with suppress(OSError):  # a file system that knows no modes, or is read-only
        entries = list(folder.iterdir())
        for entry in entries:
            if OURS.fullmatch(entry.name):
                _shut(entry, 0o600)
        if folder.resolve() != Path.home() and all(OURS.fullmatch(entry.name) for entry in entries):
            _shut(folder, 0o700)


def _shut(path: Path, mode: int) -> None:
    """Give something of our own this mode, if others may do anything with it."""
    status = path.lstat()
    is_plain = stat.S_ISREG(status.st_mode) or stat.S_ISDIR(status.st_mode)
    is_common = status.st_mode & stat.S_ISVTX  # as /tmp is
    if is_plain and not is_common and status.st_mode & 0o077 and os.geteuid() in (0, status.st_uid):
        path.chmod(mode)


def create(path: Path) -> int:
    """Create a file in a data folder, for the owner of the folder alone; its descriptor. Raises FileExistsError."""
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    if hasattr(os, "geteuid") and os.geteuid() == 0:  # the server that is to use it may not be root
        owner = path.parent.stat()
        os.fchown(descriptor, owner.st_uid, owner.st_gid)
    return descriptor


def sync_folder(folder: Path) -> None:
    """Have the names in a folder on disk."""
    if os.name == "posix":
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
