"""Law 6 from the other side: whatever happens at a table of ours, the meter never doubts what it claims."""

from hypothesis import given, settings
from nights import Intent, happen, nights, tables
from pit import PaperTable

from controller.entries import link_entry
from games.table_rules import TableRules
from meter.link import Award
from meter.rounds import LastRound


@given(tables, nights)
@settings(max_examples=200, deadline=None)
def test_r71_the_claims_of_our_tables_are_never_doubted(rules: TableRules, night: list[Intent]) -> None:
    """Every game, shared, envied, rejected, claimed again, voided, at a lost link: each hand is lit and claims once."""
    table = PaperTable(rules)
    for intent in night:
        table.do(happen(table.book, intent, rules))
    last = LastRound()
    for order in table.entries:
        entry = link_entry(order.entry)
        assert not isinstance(entry, Award) or last.doubt(entry) == ""
        last = last.after(order.seq, entry, is_held=False)
