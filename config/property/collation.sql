-- Once, as its owner, in a database whose tables an earlier version made, while no meter runs: names sort by bytes.
ALTER TABLE ledger ALTER link TYPE text COLLATE "C", ALTER table_id TYPE text COLLATE "C", ALTER journal TYPE text COLLATE "C";
ALTER TABLE head ALTER link TYPE text COLLATE "C";
ALTER TABLE member ALTER link TYPE text COLLATE "C", ALTER table_id TYPE text COLLATE "C";
ALTER TABLE floor_book ALTER kind TYPE text COLLATE "C", ALTER link TYPE text COLLATE "C";
ALTER TABLE meter ALTER doubt TYPE text COLLATE "C";
