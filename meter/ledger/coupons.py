"""Coupon register of a link: which serial numbers are redeemed, where and when."""

from collections.abc import Callable

from msgspec import UNSET, Struct, UnsetType

from link.messages import Coupon, CouponAnswer, CouponReturn, Envelope, Redemption
from meter.ledger.records import Cause, Entered, Record


class RedeemedCoupon(Struct, frozen=True, gc=False):
    """The entry that redeemed a coupon: only its own table gives that coupon back."""

    journal: str
    seq: int
    where: Redemption


def moved_serial(record: Record) -> str | None:
    """The serial number that this record redeems or frees, or None."""
    if record.coupon is UNSET or not record.coupon.accepted:
        return None
    match record.cause:
        case Entered(envelope=Envelope(entry=Coupon(serial=serial) | CouponReturn(serial=serial))):
            return serial
        case _:
            return None


class CouponRegister:
    """The register after the records that it took; what stood before them is looked up in the store, by serial number.

    An audit begins with the first record and needs no store. Whoever books keeps only what is not on disk yet.
    """

    def __init__(self, newest: Callable[[str], Record | None] = lambda _: None) -> None:
        self._newest = newest
        self._moved: dict[str, RedeemedCoupon | None] = {}

    def answer(self, cause: Cause) -> CouponAnswer | UnsetType:
        """What a coupon's entry does, by the register alone; UNSET for any other cause."""
        match cause:
            case Entered(envelope=Envelope(entry=Coupon(serial=serial), seq=seq)):
                held = self._find(serial)
                return CouponAnswer(seq, accepted=held is None, first=held.where if held else None)
            case Entered(envelope=Envelope(entry=CouponReturn(coupon_seq=redeemed_seq, serial=serial)) as envelope):
                held, key = self._find(serial), (envelope.table, envelope.journal, redeemed_seq)
                is_its_own = held is not None and (held.where.table, held.journal, held.seq) == key
                return CouponAnswer(envelope.seq, accepted=is_its_own)
            case _:
                return UNSET

    def take(self, record: Record) -> None:
        """Takes a record into the register."""
        serial = moved_serial(record)
        if serial is not None:
            self._moved[serial] = _redeemed_by(record)

    def were_written(self) -> None:
        """The records that it took are in the store: they are found there from now on."""
        self._moved.clear()

    def _find(self, serial: str) -> RedeemedCoupon | None:
        if serial in self._moved:
            return self._moved[serial]
        newest = self._newest(serial)
        return _redeemed_by(newest) if newest else None


def _redeemed_by(record: Record) -> RedeemedCoupon | None:
    """Who has the coupon that this record moved; None: it is free."""
    match record.cause:
        case Entered(envelope=Envelope(entry=Coupon(round=number, seat=seat)) as envelope):
            where = Redemption(envelope.table, number, seat, record.booked_ms)
            return RedeemedCoupon(envelope.journal, envelope.seq, where)
        case _:
            return None
