"""One web kit for table and meter: requests, guards, sign-in, server-sent events, static files."""
