"""Exact odds: every hand counted, none dealt."""
