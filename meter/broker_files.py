"""Broker files: settings and access list for Mosquitto, made from a meter's links and tables."""

from collections.abc import Iterable, Sequence
from typing import Final

from msgspec import Struct

from link.access import Access, meter_access, observer_access, table_access
from link.messages import MAX_STAFF_BYTES

OBSERVER: Final = "observer"
VERSIONS: Final = ("2.0", "2.1")
_MEMORY_BYTES: Final = 256 * 1024 * 1024
_QUEUE_BYTES: Final = 32 * 1024 * 1024
_HEADER_BYTES: Final = 1024
_STRANGERS: Final = 1000  # connections that have not shown a certificate yet count, too
_LIMITS: Final = (
    "# No message of a link is longer than the staff directory. Topics are few and named in the access list, so",
    "# retained messages are, too.",
    f"message_size_limit {MAX_STAFF_BYTES}",
    f"max_packet_size {MAX_STAFF_BYTES + _HEADER_BYTES}",
    f"memory_limit {_MEMORY_BYTES}",
    "max_queued_messages 10000",
    f"max_queued_bytes {_QUEUE_BYTES}",
    "# Nothing must survive here: tables and meter repeat what is not on disk.",
    "persistence false",
    "set_tcp_nodelay true",
)
_MADE: Final = "# Made by pitlink broker config from the meter's settings: change those and make this file anew."


class LinkTables(Struct, frozen=True):
    """A link and the tables that may join it."""

    link: str
    tables: tuple[str, ...]


class Bridge(Struct, frozen=True):
    """The broker of another property: its name, and the tables that stand there."""

    name: str
    tables: tuple[str, ...]

    @property
    def identity(self) -> str:
        """Who it is to the broker beside the meter."""
        return f"bridge-{self.name}"


class BrokerPlan(Struct, frozen=True):
    """What a broker is to be: whom it serves, which version it is, and where its files lie.

    branch is set for the broker of a branch: main_broker is then where the broker beside the meter listens.
    """

    links: tuple[LinkTables, ...]
    bridges: tuple[Bridge, ...] = ()
    branch: Bridge | None = None
    main_broker: str = ""
    version: str = VERSIONS[0]
    folder: str = "/etc/mosquitto/pitlink"
    plugins: str = "/usr/lib/mosquitto"
    port: int = 8883


def broker_settings(plan: BrokerPlan) -> str:
    """The text of mosquitto.conf."""
    parts = [_MADE, "", *_listener(plan), "", *_access_list(plan), "", *_LIMITS]
    if plan.branch is not None:
        parts += ["", *_bridge_to_main(plan, plan.branch)]
    return "\n".join(parts) + "\n"


def access_list(plan: BrokerPlan) -> str:
    """The text of the access list: a block for everybody who may connect, and nothing for anybody else."""
    blocks = [_MADE]
    for name, accesses in _everybody(plan):
        writes = [f"topic write {topic}" for access in accesses for topic in access.writes]
        reads = [f"topic read {topic}" for access in accesses for topic in access.reads]
        blocks.append("\n".join(dict.fromkeys([f"user {name}", *writes, *reads])))
    return "\n\n".join(blocks) + "\n"


def _everybody(plan: BrokerPlan) -> Iterable[tuple[str, list[Access]]]:
    if plan.branch is None:
        for each in plan.links:
            yield f"meter-{each.link}", [meter_access(each.link)]
    for table in _tables_here(plan):
        yield table, _accesses(plan.links, [table])
    for bridge in plan.bridges if plan.branch is None else ():
        yield bridge.identity, _accesses(plan.links, bridge.tables)
    yield OBSERVER, [observer_access(each.link) for each in plan.links]


def _accesses(links: Sequence[LinkTables], tables: Sequence[str]) -> list[Access]:
    return [table_access(each.link, table) for each in links for table in each.tables if table in tables]


def _tables_here(plan: BrokerPlan) -> list[str]:
    """The tables that connect to this broker, each once: not those that come over a bridge."""
    all_tables = dict.fromkeys(table for each in plan.links for table in each.tables)
    if plan.branch is not None:
        return [table for table in all_tables if table in plan.branch.tables]
    elsewhere = {table for bridge in plan.bridges for table in bridge.tables}
    return [table for table in all_tables if table not in elsewhere]


def _listener(plan: BrokerPlan) -> list[str]:
    return [
        f"listener {plan.port}",
        f"max_connections {len(list(_everybody(plan))) + _STRANGERS}",
        f"cafile {plan.folder}/ca.crt",
        f"certfile {plan.folder}/broker.crt",
        f"keyfile {plan.folder}/broker.key",
        "tls_version tlsv1.2",
        "require_certificate true",
        f"# crlfile {plan.folder}/revoked.crl",
        "# The common name of a certificate is who its owner is. Without the second line table T2 could connect under",
        "# the client id of T1 and take over its connection.",
        "use_identity_as_username true",
        "use_username_as_clientid true",
        "allow_anonymous false",
    ]


def _access_list(plan: BrokerPlan) -> list[str]:
    path = f"{plan.folder}/mosquitto.acl"
    if plan.version == "2.0":
        return [f"acl_file {path}"]
    return [f"plugin {plan.plugins}/mosquitto_acl_file.so", f"plugin_opt_acl_file {path}"]


def _bridge_to_main(plan: BrokerPlan, branch: Bridge) -> list[str]:
    """Outwards what tables say, inwards what the meter says; a line that is down loses messages: everybody repeats."""
    identity = branch.identity
    accesses = _accesses(plan.links, branch.tables)
    outwards = dict.fromkeys(topic for access in accesses for topic in access.writes)
    inwards = dict.fromkeys(topic for access in accesses for topic in access.reads)
    return [
        "# The line to the broker beside the meter.",
        "connection main-property",
        f"address {plan.main_broker}",
        f"bridge_cafile {plan.folder}/ca.crt",
        f"bridge_certfile {plan.folder}/{identity}.crt",
        f"bridge_keyfile {plan.folder}/{identity}.key",
        "bridge_tls_version tlsv1.2",
        "bridge_protocol_version mqttv311",
        f"remote_clientid {identity}",
        "cleansession true",
        "try_private true",
        "notifications false",
        "keepalive_interval 5",
        "restart_timeout 1 5",
        *(f"topic {topic} out 1" for topic in outwards),
        *(f"topic {topic} in 0" for topic in inwards),
    ]
