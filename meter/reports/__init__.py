"""Reports for accounting: statements, awards, liability, export, verification."""
