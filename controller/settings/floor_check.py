"""Settings of a floor read together: which table belongs to which link, and whether they fit."""

import importlib
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final, Protocol, cast

from common.settings import Section, SettingsError, SettingsFault, SettingsFile, open_settings
from controller.settings.table import TableSettings
from controller.settings.table import survey as survey_table
from games.compliance import LinkCase, RuleFault, joining_faults, linked_faults

# A table's code knows nothing of the meter but its link: like the command line, this finds the meter's reader by name.
_METER_READER: Final = "meter.settings"
_WHO_PLAYS_WHAT: Final = ("table.id", "table.game", "table.pay_table", "table.stake_cents", "link.name")


class MeterLinkSettings(Protocol):
    """What is asked of a link in a meter's settings."""

    @property
    def name(self) -> str: ...

    @property
    def tables(self) -> tuple[str, ...]: ...

    @property
    def rehearsal(self) -> bool: ...

    @property
    def case(self) -> LinkCase: ...


class _MeterSettings(Protocol):
    @property
    def links(self) -> tuple[MeterLinkSettings, ...]: ...


class _MeterReader(Protocol):
    def survey(self, file: SettingsFile) -> _MeterSettings: ...


class FloorSettingsCheck:
    """One file as far as it could be read: a table, or the links of a meter."""

    def __init__(self, file: SettingsFile, table: TableSettings | None, links: tuple[MeterLinkSettings, ...]) -> None:
        self._file, self.root, self.table, self.links = file, file.root, table, links
        # A fault without a clause is the reader's: what stands under such a key is not what the file says.
        self._garbled = tuple(fault.key for fault in file.faults if not fault.rule)

    @property
    def is_clear(self) -> bool:
        """Whether the table says clearly enough what it deals to be held against others."""
        return self.table is not None and not set(self._garbled) & set(_WHO_PLAYS_WHAT)

    def clear_link(self, place: int) -> MeterLinkSettings | None:
        """The link that stands there first, second … in the file, or None if it is not clear what it is."""
        garbled = any(key.startswith(f"link[{place}].") for key in self._garbled)
        return None if garbled else self.links[place - 1]

    def all_faults(self) -> Sequence[SettingsFault]:
        """Everything wrong with the file, unknown keys included; asked once, at the end."""
        try:
            self._file.finish()
        except SettingsError as error:
            return error.faults
        return ()


def survey(path: Path) -> FloorSettingsCheck:
    """Reads a file of either kind; raises SettingsError if it is neither."""
    file = open_settings(path)
    if file.root.has("table"):
        return FloorSettingsCheck(file, survey_table(file), ())
    if file.root.has("link") or file.root.has("store"):
        meter = cast("_MeterReader", importlib.import_module(_METER_READER))
        return FloorSettingsCheck(file, None, meter.survey(file).links)
    problem = "is neither a table's settings (with [table]) nor a meter's (with store and [[link]])"
    raise SettingsError([SettingsFault(str(path), "file", problem)])


def check_together(surveys: Sequence[FloorSettingsCheck]) -> None:
    """Records in each table's file what is wrong with it beside the other files."""
    links = _links(surveys)
    tables = [each for each in surveys if each.is_clear and each.table]
    for each in tables:
        assert each.table is not None
        peers = [other.table for other in tables if other.table and other.table.link.name == each.table.link.name]
        _check_twins(each.root, each.table, peers)
        _check_membership(each.root, each.table, links)
        for fault in _on_link(each.table, peers, links.get(each.table.link.name)):
            _record(each.root, fault)


def _links(surveys: Sequence[FloorSettingsCheck]) -> dict[str, MeterLinkSettings | None]:
    """Every link of the meters given, by name; a name that another meter has is a fault of the later one."""
    links: dict[str, MeterLinkSettings | None] = {}
    for each in surveys:
        for place, link in enumerate(each.links, start=1):
            if link.name in links:
                each.root.fault(f"link[{place}].name", f'another meter has a link "{link.name}"; name it otherwise')
        links = {link.name: each.clear_link(place) for place, link in enumerate(each.links, start=1)} | links
    return links


def _check_twins(root: Section, table: TableSettings, peers: Sequence[TableSettings]) -> None:
    if any(other is not table and other.table == table.table for other in peers):
        root.fault("table.id", f"link {table.link.name} has two tables {table.table}; name one otherwise")


def _check_membership(root: Section, table: TableSettings, links: Mapping[str, MeterLinkSettings | None]) -> None:
    """The meter lets this table join."""
    if links and table.link.name not in links:
        root.fault("link.name", f"no meter has a link {table.link.name!r}; write one of {', '.join(links)}")
    link = links.get(table.link.name)
    if link is None:
        return
    if table.table not in link.tables:
        root.fault("table.id", f"link {link.name} lets {', '.join(link.tables)} join, not {table.table}")
    if table.rehearsal != link.rehearsal:
        root.fault("table.rehearsal", f"link {link.name} is {'a rehearsal' if link.rehearsal else 'live'}; be the same")
    for fault in joining_faults(table.case, link.case):
        _record(root, fault)


def _on_link(
    table: TableSettings, peers: Sequence[TableSettings], link: MeterLinkSettings | None
) -> Iterator[RuleFault]:
    """What the rules forbid of this table on this link; a table alone on its meter is not linked."""
    tables, allowed = (len(link.tables), link.case.games) if link else (0, ())
    if max(tables, len(peers)) > 1:
        games = {*(peer.game for peer in peers), *(game.game for game in allowed)}
        yield from linked_faults(table.case, [peers[0].case], games)


def _record(root: Section, fault: RuleFault) -> None:
    root.fault(f"table.{fault.key}", str(fault), fault.rule)
