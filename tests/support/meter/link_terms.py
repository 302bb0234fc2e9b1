"""Any terms of a link, for the laws that hold for all of them."""

from hypothesis import strategies as st
from msgspec.structs import replace

from meter.ledger.balances import LinkTerms

CENTS = st.integers(0, 10_000_000)
PLAIN_TERMS = st.builds(LinkTerms, rate_bp=st.integers(1, 10_000), base_cents=CENTS, reset_cents=CENTS)


@st.composite
def all_terms(draw: st.DrawFn) -> LinkTerms:
    """Terms with and without a limit, a reset meter and an overflow that seeds."""
    plain = draw(PLAIN_TERMS)
    least = max(plain.base_cents, plain.reset_cents)
    return replace(
        plain,
        reset_rate_bp=draw(st.sampled_from([0, 1, 333, 10_000 - plain.rate_bp])),
        limit_cents=draw(st.one_of(st.just(0), st.integers(least, least + 3_000))),
        overflow_seeds_next=draw(st.booleans()),
    )
