"""The open protocol between tables and the meter; sees nobody."""
