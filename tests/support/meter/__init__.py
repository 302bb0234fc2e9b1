"""What tests of the meter need: brokers, meters, books, staff."""
