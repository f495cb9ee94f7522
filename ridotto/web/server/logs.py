"""The log of the server: one JSON object a line.

It never has a name, a cookie, a token, or anything of a match that is not public: of a request it has the pattern of its
route, not the address that was asked for.
"""

from __future__ import annotations

import json
import logging
import time
from logging.handlers import RotatingFileHandler
from pathlib import Path
from typing import Any


class JsonLines(logging.Formatter):
    """A line of the log as a JSON object."""

    def format(self, line: logging.LogRecord) -> str:
        stamp = time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(line.created))
        entry: dict[str, Any] = {"time": f"{stamp}.{int(line.msecs):03d}Z", "level": line.levelname.lower()}
        entry["message"] = line.getMessage()
        entry |= getattr(line, "facts", {})
        if line.exc_info:
            entry["trace"] = self.formatException(line.exc_info)
        return json.dumps(entry, ensure_ascii=False)


class LogFile(RotatingFileHandler):
    """A file that is replaced when it has grown too large, by a look at it that costs little: there is one for each line."""

    def shouldRollover(self, record: logging.LogRecord) -> bool:  # noqa: N802
        return self.stream is not None and self.stream.seekable() and self.stream.tell() >= self.maxBytes


def set_up_log(where: Path | None) -> logging.Handler:
    """Write the log to a file, which is replaced when it grows too large; None: to the standard error.

    Lines that cannot be written, on a disk that is full, are lost without a word.
    """
    logging.raiseExceptions = False
    handler: logging.Handler
    if where is None:
        handler = logging.StreamHandler()
    else:
        handler = LogFile(where, maxBytes=10_000_000, backupCount=3, encoding="utf-8")
    handler.setFormatter(JsonLines())
    for name in ("ridotto.web", "uvicorn.error"):
        logger = logging.getLogger(name)
        logger.addHandler(handler)
        logger.setLevel(logging.INFO)
        logger.propagate = False
    return handler
