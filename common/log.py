"""The log: JSON lines for the journal of a service, readable lines for a person at a terminal."""

import logging
import sys
from typing import Final, TextIO, TypeAlias

import structlog
from structlog.typing import FilteringBoundLogger, Processor

Log: TypeAlias = FilteringBoundLogger
"""What a part is handed: log.info("chip_placed", seat=3); bind() what stays the same."""

_COMMON: Final[tuple[Processor, ...]] = (
    structlog.processors.add_log_level,
    structlog.processors.TimeStamper(fmt="iso", utc=True),
    structlog.processors.format_exc_info,
)


def open_log(stream: TextIO | None = None, *, readable: bool | None = None) -> Log:
    """A log that writes to this stream, by default to stderr; readable by default where that is a terminal."""
    stream = stream or sys.stderr
    if readable is None:
        readable = stream.isatty()
    last: Processor = (
        structlog.dev.ConsoleRenderer(colors=stream.isatty(), exception_formatter=structlog.dev.plain_traceback)
        if readable
        else structlog.processors.JSONRenderer()
    )
    log: Log = structlog.wrap_logger(
        structlog.WriteLogger(stream),
        processors=[*(_COMMON[:2] if readable else _COMMON), last],
        wrapper_class=structlog.make_filtering_bound_logger(logging.INFO),
        cache_logger_on_first_use=True,
    )
    return log


def adopt_libraries(log: Log) -> None:
    """Brings what libraries say through the standard logging module into this log."""
    logging.basicConfig(level=logging.WARNING, handlers=[_Adopted(log)], force=True)


class _Adopted(logging.Handler):
    def __init__(self, log: Log) -> None:
        super().__init__()
        self._log = log

    def emit(self, record: logging.LogRecord) -> None:
        error = record.exc_info[1] if record.exc_info else None
        self._log.log(
            record.levelno, "library_spoke", library=record.name, text=record.getMessage(), exc_info=error or None
        )
