"""What keeps a table off a meter that was set up for others."""

from games.compliance.cases import Fault, Faults, GameOnLink, LinkCase, TableCase
from games.compliance.offer import offer_of, usual_decks
from games.compliance.similarity import ALIKE, unlike_prize


def joining_faults(case: TableCase, link: LinkCase) -> tuple[Fault, ...]:
    """Why this table may not join this link."""
    on_link = next((game for game in link.games if game.game == case.game), None)
    if on_link is None:
        names = ", ".join(game.game for game in link.games)
        return (Fault("game", case.game, f"the link has no {case.game}", f"choose among {names}", ALIKE),)
    return (*_choices(case, on_link), *_prizes(case, on_link))


def _choices(case: TableCase, on_link: GameOnLink) -> Faults:
    if case.pay_table not in on_link.pay_tables:
        problem = f"the link does not allow pay table {case.pay_table} of {case.game}"
        yield Fault("pay_table", case.pay_table, problem, f"choose among {', '.join(on_link.pay_tables)}", ALIKE)
    if case.stake_cents not in on_link.stakes_cents:
        problem = f"the link takes no wager of {case.stake_cents} cents in {case.game}"
        remedy = f"choose among {', '.join(map(str, on_link.stakes_cents))}"
        yield Fault("stake_cents", case.stake_cents, problem, remedy, ALIKE)
    decks, agreed = usual_decks(case.game, case.decks), usual_decks(on_link.game, on_link.decks)
    if decks != agreed:
        yield Fault("decks", decks, f"the link deals {case.game} from {agreed} deck(s)", f"write {agreed}", ALIKE)


def _prizes(case: TableCase, on_link: GameOnLink) -> Faults:
    """What the house pays from the meter beyond the least is the same at the table and on the link."""
    offer = offer_of(case)
    agreed = offer_of(
        TableCase(case.game, case.pay_table, case.stake_cents, decks=on_link.decks, pays={"progressive": on_link.pays})
    )
    why = unlike_prize(agreed, offer, "at this table", "on the link") if offer and agreed else None
    if why:
        yield Fault("pays.progressive", None, why, "let the link's pays and the table's be the same", ALIKE)
