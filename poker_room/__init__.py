"""The poker room: a page for tables without acceptor, meter and light."""
