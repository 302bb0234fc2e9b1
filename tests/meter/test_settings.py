"""The meter's settings file: every fault at once, with what to write instead."""

import re
from pathlib import Path

import pytest
from msgspec import UNSET

from common.settings import SettingsError
from games.catalogue import GAMES
from games.game import Game
from meter.settings import MeterSettings, read_meter_settings
from tests.support.meter.meter_settings import GOOD


def without(*keys: str) -> str:
    """Good settings that do not say these."""
    lines = GOOD.splitlines(keepends=True)
    return "".join(line for line in lines if line.partition(" ")[0] not in keys)


def read(folder: Path, text: str) -> MeterSettings:
    """Reads this text as a settings file."""
    path = folder / "meter.toml"
    path.write_text(text)
    return read_meter_settings(path)


def faults(folder: Path, text: str) -> str:
    """What is wrong with this text."""
    with pytest.raises(SettingsError) as caught:
        read(folder, text)
    return str(caught.value)


def test_the_example_is_good() -> None:
    """What stands in config/ can be used as it is."""
    settings = read_meter_settings(Path(__file__).parents[2] / "config" / "meter.toml")
    assert [link.name for link in settings.links] == ["main"]


def test_a_small_file_is_enough(tmp_path: Path) -> None:
    """The broker is on this machine unless the file says otherwise."""
    settings = read(tmp_path, GOOD)
    assert settings.broker.address == "127.0.0.1:1883"
    assert settings.links[0].identity == "meter-main"


def test_28_11_h_a_rate_below_the_rule_is_refused_with_its_clause(tmp_path: Path) -> None:
    """Hold 'em bonus needs 70 %."""
    words = faults(tmp_path, GOOD.replace("7000", "6999"))
    assert "at least 7000 basis points" in words
    assert "[28.11(h)]" in words


CASES = [
    pytest.param(game, table, stake, id=f"{game.name}-{table}-{stake}")
    for game in GAMES.values()
    if game.progressive
    for table in game.progressive.pay_table_names
    for stake in game.progressive.stakes
    if game.progressive.pay_table(table, stake)
]


@pytest.mark.parametrize(("game", "pay_table", "stake"), CASES)
def test_r15_every_game_has_its_least_rate_and_reset(tmp_path: Path, game: Game, pay_table: str, stake: int) -> None:
    """At the law's least the link stands; a basis point or a cent below it does not, and the clause is named (R18)."""
    least = game.minimum_rate_bp(pay_table, stake)
    alone = GOOD.replace('["T1", "T2"]', '["T1"]')  # some pay tables may not be linked
    text = alone.replace("texas-holdem-bonus", game.name).replace('["A"]', f'["{pay_table}"]')
    text = text.replace("[100]", f"[{stake}]")

    def terms(rate_bp: int, reset_cents: int) -> str:
        return text.replace("7000", str(rate_bp)).replace("500000", str(reset_cents))

    assert read(tmp_path, terms(least, game.minimum_reset_cents)).links[0].terms.rate_bp == least
    assert f"[{game.clauses['minimum_rates']}]" in faults(tmp_path, terms(least - 1, game.minimum_reset_cents))
    if game.minimum_reset_cents:
        words = faults(tmp_path, terms(least, game.minimum_reset_cents - 1))
        assert f"[{game.clauses['minimum_reset_cents']}]" in words


def test_ten_faults_are_found_in_one_reading(tmp_path: Path) -> None:
    """Nobody fixes a file one message at a time."""
    words = faults(
        tmp_path,
        """
colour = "green"
[broker]
port = 70000
keepalive_s = "often"
[broker.tls]
ca = "nowhere.pem"
[[link]]
name = "the main link"
rate_bp = 0.7
base_cents = -1
tables = ["T1", "T1"]
[[link.game]]
name = "texas-holdem-bonus"
pay_tables = ["Z"]
stakes_cents = [250]
[[link]]
""",
    )
    for key in (
        "store: missing",
        "colour: unknown key",
        "broker.port: 70000",
        "broker.keepalive_s: 'often'",
        "broker.tls.ca: there is no file nowhere.pem",
        "broker.tls.key: missing",
        "link[1].name: 'the main link'",
        "link[1].rate_bp: 0.7",
        "link[1].base_cents: -1",
        "link[1].reset_cents: missing",
        "link[1].tables: ['T1', 'T1']",
        "link[1].game[1].pay_tables: ['Z']",
        "link[1].game[1].stakes_cents: texas-holdem-bonus has no progressive wager of $2.50",
        "link[2].game: missing",
    ):
        assert key in words, words


def test_two_links_of_one_name_are_refused(tmp_path: Path) -> None:
    """A link is known by its name."""
    assert '"main" stands twice' in faults(tmp_path, GOOD + GOOD.replace('store = "ledger.sqlite"', ""))


def two_links(tables: str, more: str = "") -> str:
    """Settings with link main of T1 and T2, and link side of these tables."""
    side = GOOD.replace('store = "ledger.sqlite"', "").replace('"main"', '"side"')
    return GOOD + side.replace('["T1", "T2"]', f"{tables}{more}")


def test_r21_a_table_plays_for_one_live_link(tmp_path: Path) -> None:
    """Both links are named, once for each such table; a rehearsal beside the live link is none."""
    (fault,) = faults(tmp_path, two_links('["T2", "T3"]')).splitlines()
    assert "link[2].tables: table T2 is on link main and on link side; take it off one" in fault
    assert fault.endswith("take it off one of them")
    assert len(read(tmp_path, two_links('["T3"]')).links) == 2
    assert len(read(tmp_path, two_links('["T1", "T2"]', "\nrehearsal = true")).links) == 2


def test_r45_no_table_has_a_name_that_is_another_to_the_broker(tmp_path: Path) -> None:
    """Its certificate would have that one's rights, as the access lists give them."""
    config = Path(__file__).parents[2] / "config"
    lists = [path.read_text() for path in (config / "mosquitto.acl", *(config / "properties").glob("*.acl"))]
    users = sorted({name for text in lists for name in re.findall(r"^user (.*)$", text, re.MULTILINE)})
    others = [name for name in users if name not in {"T1", "T2", "T3", "T4", "B1"}]
    assert others == ["bridge-branch1", "meter-main", "observer"]
    names = [*others, "meter-side"]
    found = faults(tmp_path, GOOD.replace('"T1"', ", ".join(f'"{name}"' for name in names))).splitlines()
    for name, words in zip(names, found, strict=True):
        assert f'link[1].tables: "{name}" is' in words
        assert words.endswith("a table of that name would have its rights; name it otherwise")
    assert read(tmp_path, GOOD.replace('"T1"', '"meter", "observer2", "Observer"')).links[0].tables[0] == "meter"


def test_a_meter_without_a_link_is_refused(tmp_path: Path) -> None:
    """It would have nothing to do."""
    assert "[[link]]" in faults(tmp_path, 'store = "x"')


def test_certificates_are_found_for_every_link(tmp_path: Path) -> None:
    """Each link connects as itself: {identity} in a path is meter-NAME."""
    tls = '[broker.tls]\nca = "{0}/ca"\ncertificate = "{0}/{{identity}}.crt"\nkey = "{0}/{{identity}}.key"\n'
    for name in ("ca", "meter-main.crt"):
        (tmp_path / name).touch()
    text = GOOD.replace("[[link]]", tls.format(tmp_path) + "[[link]]", 1)
    assert f"there is no file {tmp_path}/meter-main.key" in faults(tmp_path, text)
    (tmp_path / "meter-main.key").touch()
    broker = read(tmp_path, text).broker
    assert broker.port == 8883
    known = broker.known_as("meter-main")
    assert known.tls is not None
    assert known.tls.key == f"{tmp_path}/meter-main.key"


def test_a_password_needs_a_name(tmp_path: Path) -> None:
    """A password file without a user name would never be used."""
    (tmp_path / "secret").touch()
    text = GOOD.replace("[[link]]", f'[broker]\npassword_file = "{tmp_path}/secret"\n[[link]]', 1)
    assert "broker.username: missing" in faults(tmp_path, text)


def test_r1_every_parameter_of_a_level_can_be_said(tmp_path: Path) -> None:
    """Base, reset, rate, limit, hidden rate and the threshold of what is unreasonable."""
    more = """
limit_cents = 2000000
reset_rate_bp = 500
overflow_seeds_next = true
shortest_round_ms = 20000
tables ="""
    link = read(tmp_path, without("limit_cents", "reset_rate_bp").replace("\ntables =", more)).links[0]
    assert (link.terms.limit_cents, link.terms.reset_rate_bp, link.terms.overflow_seeds_next) == (2_000_000, 500, True)
    assert link.shortest_round_ms == 20_000


def test_r1_what_is_unreasonable_is_the_games_own_unless_the_file_says_otherwise(tmp_path: Path) -> None:
    """No link is without a threshold: the shortest round of each of its games, or the house's own, be it none."""
    said = GOOD.replace("\ntables =", "\nshortest_round_ms = 0\ntables =")
    for text, least in ((GOOD, 4_500), (said, 0)):
        assert read(tmp_path, text).links[0].shortest_round_of("texas-holdem-bonus") == least


def test_a_link_that_says_nothing_has_the_least_times_of_its_game(tmp_path: Path) -> None:
    """From registered wagers to a claim nine cards are dealt; from a claim to its payout two persons sign in."""
    silent = GOOD.replace("shortest_claim_ms = 0\n", "").replace("shortest_payout_ms = 0\n", "")
    (link, *_) = read(tmp_path, silent).links
    assert link.shortest_claim_of("texas-holdem-bonus") == 4_500
    assert link.shortest_payout_of("texas-holdem-bonus") == 5_000
    assert (link.offer.shortest_claim_ms, link.offer.shortest_payout_ms) == (UNSET, UNSET)


@pytest.mark.parametrize("key", ["base_cents", "reset_cents", "rate_bp", "limit_cents", "reset_rate_bp"])
def test_r1_a_level_without_one_of_its_parameters_is_refused(tmp_path: Path, key: str) -> None:
    """Nothing is nothing only where the file says so: no limit, no reset meter are decisions, too."""
    (fault,) = faults(tmp_path, without(key)).splitlines()
    assert f"link[1].{key}: missing;" in fault


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("limit_cents = 999999", "limit_cents: below base_cents or reset_cents"),
        ("reset_rate_bp = 3001", "reset_rate_bp: meter and reset meter together take more than the wager"),
        ("shortest_round_ms = -1", "shortest_round_ms: -1"),
        ('approved = ["5F2C"]', "approved: ['5F2C']"),
    ],
)
def test_parameters_that_cannot_be_are_named(tmp_path: Path, line: str, words: str) -> None:
    """R15, R84: before anything is opened."""
    others = without(line.partition(" ")[0])
    assert words in faults(tmp_path, others.replace("\ntables =", f"\n{line}\ntables ="))


def test_2_19_i_meter_and_reset_meter_count_together_where_the_rule_says_so(tmp_path: Path) -> None:
    """S-58: blackjack's 70 % may be split between the two."""
    text = GOOD.replace('["T1", "T2"]', '["T1"]').replace("texas-holdem-bonus", "blackjack")
    wager = GAMES["blackjack"].progressive
    assert wager is not None
    text = text.replace('["A"]', f'["{wager.pay_table_names[0]}"]')
    split = text.replace("rate_bp = 7000", "rate_bp = 6000").replace("reset_rate_bp = 0", "reset_rate_bp = 1000")
    assert read(tmp_path, split).links[0].terms.reset_rate_bp == 1_000
    assert "[2.19(i)]" in faults(tmp_path, split.replace("= 1000\n", "= 999\n"))


def test_the_control_interface_and_the_gaming_day_are_settings(tmp_path: Path) -> None:
    """No port unless asked for; the day begins at six unless told otherwise."""
    settings = read(tmp_path, GOOD)
    assert (settings.floor_port, settings.day_starts) == (0, "06:00")
    asked = read(tmp_path, 'floor_port = 8090\nday_starts = "05:30"\n' + GOOD)
    assert (asked.floor_port, asked.day_starts) == (8090, "05:30")
    words = faults(tmp_path, 'floor_port = 70000\nday_starts = "24:00"\n' + GOOD)
    assert "floor_port: 70000" in words
    assert "day_starts: '24:00'" in words


def test_a_tables_settings_are_known_as_such(tmp_path: Path) -> None:
    """One line that says which command wants them, not a fault for each key."""
    text = (Path(__file__).parents[2] / "config" / "table.toml").read_text()
    assert faults(tmp_path, text).endswith("meter.toml: table: this looks like a table's settings; use pitlink table")
    assert "\n" not in faults(tmp_path, text)
