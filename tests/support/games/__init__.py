"""What tests of rules and rounds need: cards, tables of the text, random rounds."""
