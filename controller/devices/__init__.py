"""Devices of a table: effects become lights and gates, signals become events."""
