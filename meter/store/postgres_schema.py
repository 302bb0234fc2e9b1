"""The tables of a PostgreSQL store, and what an older one lacks of them."""

from typing import Final

SCHEMA_VERSION: Final = 1
# By bytes: an index that sorts as a language does is broken by the server's next C library.
SCHEMA: Final = """
CREATE TABLE IF NOT EXISTS ledger (
    link text COLLATE "C" NOT NULL, number bigint NOT NULL,
    table_id text COLLATE "C", journal text COLLATE "C", seq bigint,
    body bytea NOT NULL, seal bytea NOT NULL,
    PRIMARY KEY (link, number)
);
CREATE UNIQUE INDEX IF NOT EXISTS ledger_once ON ledger (link, table_id, journal, seq) WHERE table_id IS NOT NULL;
CREATE TABLE IF NOT EXISTS head (link text COLLATE "C" PRIMARY KEY, body bytea NOT NULL, stamp bytea NOT NULL);
CREATE TABLE IF NOT EXISTS member (
    link text COLLATE "C" NOT NULL, table_id text COLLATE "C" NOT NULL, body bytea NOT NULL, stamp bytea NOT NULL,
    PRIMARY KEY (link, table_id)
);
CREATE TABLE IF NOT EXISTS meter (
    one boolean PRIMARY KEY CHECK (one), version integer NOT NULL,
    epoch bigint NOT NULL, beat bigint NOT NULL, doubt text COLLATE "C" NOT NULL
);
CREATE TABLE IF NOT EXISTS floor_book (
    number bigint PRIMARY KEY, kind text COLLATE "C" NOT NULL, link text COLLATE "C" NOT NULL,
    body bytea NOT NULL, seal bytea NOT NULL
);
CREATE INDEX IF NOT EXISTS floor_book_kind ON floor_book (kind, link, number);
"""
FLOOR_END: Final = """
ALTER TABLE meter ADD COLUMN floor_number bigint NOT NULL DEFAULT 0, ADD COLUMN floor_seal bytea NOT NULL DEFAULT '';
UPDATE meter SET floor_number = coalesce((SELECT max(number) FROM floor_book), 0),
    floor_seal = coalesce((SELECT seal FROM floor_book ORDER BY number DESC LIMIT 1), '');
"""
FLOOR_COLUMN: Final = "SELECT 1 FROM pg_attribute WHERE attrelid = 'meter'::regclass AND attname = 'floor_number'"
