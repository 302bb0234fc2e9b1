"""The floor of a meter: the page that shows every link and table, what waits for people, and takes their word."""
