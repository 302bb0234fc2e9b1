"""pitlink check: settings of tables and meters against the rules, each by itself and together (docs/check.md)."""

import argparse
import json
from collections.abc import Iterable, Sequence
from math import isfinite
from pathlib import Path
from typing import Any, Final

from common.settings import SettingsError, SettingsFault
from controller.settings.floor_check import FloorSettingsCheck, check_together, survey

FAULTY: Final = 1


def arguments(parser: argparse.ArgumentParser) -> None:
    """Which files to check, and how to write what is wrong with them."""
    parser.add_argument(
        "files", nargs="+", type=Path, metavar="FILE", help="settings of tables and of a meter, any mix"
    )
    parser.add_argument("--json", action="store_true", help="write JSON")


def run(args: argparse.Namespace) -> int:
    """Prints every fault, or what was checked; returns the exit code."""
    surveys, unreadable = _read(args.files)
    check_together(surveys)
    faults = [*unreadable, *(fault for each in surveys for fault in each.all_faults())]
    if args.json:
        print(json.dumps({"faults": [_written(fault) for fault in faults]}, indent=2))
    else:
        print("\n".join(map(str, faults)) or _praise(surveys))
    return FAULTY if faults else 0


def _read(paths: Iterable[Path]) -> tuple[list[FloorSettingsCheck], list[SettingsFault]]:
    surveys: list[FloorSettingsCheck] = []
    unreadable: list[SettingsFault] = []
    for path in paths:
        try:
            surveys.append(survey(path))
        except SettingsError as error:
            unreadable += error.faults
    return surveys, unreadable


def _written(fault: SettingsFault) -> dict[str, Any]:
    return {
        "file": fault.file,
        "key": fault.key,
        "value": _plain(fault.value),
        "problem": fault.problem,
        "rule": fault.rule,
    }


def _plain(value: Any) -> Any:
    """A value of TOML as JSON knows it; dates and what is no number become text."""
    match value:
        case dict():
            return {key: _plain(each) for key, each in value.items()}
        case list() | tuple():
            return [_plain(each) for each in value]
        case float() if not isfinite(value):
            return str(value)
        case None | bool() | int() | float() | str():
            return value
        case _:
            return str(value)


def _praise(surveys: Sequence[FloorSettingsCheck]) -> str:
    tables = [each.table.table for each in surveys if each.table]
    links = [link.name for each in surveys for link in each.links]
    said = [
        f"{len(names)} {kind}{'s' if len(names) > 1 else ''} ({', '.join(names)})"
        for kind, names in (("table", tables), ("link", links))
        if names
    ]
    return f"checked: {' and '.join(said)}; no fault"
