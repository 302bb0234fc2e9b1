"""Three ledgers that a meter wrote by the first rules of booking, as it exported them, and its last figures."""

import gzip
import json
from pathlib import Path

import msgspec
from msgspec.structs import replace

from meter.ledger.balances import LinkTerms
from meter.ledger.records import SealedRecord, read_record
from meter.store.base import Saved
from tests.support.meter_bench import MemoryStore, link

BOOKS = Path(__file__).with_name("books_by_the_first_rules.jsonl.gz")
TERMS = {
    "main": LinkTerms(7_037, 1_015_00, 500_00, reset_rate_bp=1_537, limit_cents=1_020_00, overflow_seeds_next=True),
    "side": LinkTerms(7_050, 10_000_00, 5_000_00),
    "end": LinkTerms(7_000, 999_00, 500_00, limit_cents=1_000_00, overflow_seeds_next=True),
}
LINKS = tuple(replace(link(terms, name), shortest_round_ms=None) for name, terms in TERMS.items())


def first_books() -> MemoryStore:
    """A store that holds these ledgers, byte for byte: main with percentages open, side with amounts, end closed."""
    store = MemoryStore()
    for line in gzip.decompress(BOOKS.read_bytes()).splitlines():
        told = json.loads(line)
        if "figures" in told:
            store.saved[told["link"]] = msgspec.convert(told["figures"], Saved)
        else:
            body = line[line.index(b'"record":') + len(b'"record":') : -1]
            record = read_record(body)
            store.rows.setdefault(record.link, []).append((record, SealedRecord(body, bytes.fromhex(told["seal"]))))
    return store
