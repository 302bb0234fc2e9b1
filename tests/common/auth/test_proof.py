"""PIN proofs and the signed directory."""

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from msgspec.structs import fields, replace

from common.auth.directory import (
    Directory,
    DirectoryFault,
    Person,
    badge_digest,
    new_salt,
    pin_check,
    pin_secret,
    read_directory,
    sign_directory,
    weakness,
)
from common.auth.proof import ProvedOrder, is_proved, prove, prover, seal_pin, sealed_pin
from common.auth.roles import Role

ORDER = ProvedOrder("validate", "main", "T1", "j1", 7, 3, "royal flush", 1_000_351)


def someone(number: str = "1204", pin: str = "135791") -> Person:
    salt = new_salt()
    check = pin_check(pin_secret(pin, salt, 2))
    return Person(number, "Sue", Role.SUPERVISOR, salt, check, badge_digest("B-77"), cost=2)


def test_only_the_right_pin_opens_the_secret() -> None:
    sue = someone()
    assert sue.secret("135792") is None
    assert sue.secret("135791") == pin_secret("135791", sue.salt, 2)


@pytest.mark.parametrize("name", [field.name for field in fields(ProvedOrder)])
def test_a_proof_is_for_one_order_only(name: str) -> None:
    secret = someone().secret("135791")
    assert secret is not None
    proof = prove("1204", secret, ORDER)
    was = getattr(ORDER, name)
    other = replace(ORDER, **{name: was + 1 if isinstance(was, int) else was + "x"})
    assert prover(proof) == "1204"
    assert is_proved(proof, secret, ORDER)
    assert not is_proved(proof, secret, other)
    assert not is_proved(proof, b"another secret", ORDER)


@pytest.mark.parametrize("proof", ["", "1204", "1204:zz", "12:" + "0" * 64, "1204:" + "0" * 64 + "\n"])
def test_what_is_no_proof_proves_nothing(proof: str) -> None:
    assert not is_proved(proof, b"secret", ORDER)
    assert prover(proof) == ""


def test_a_directory_counts_only_with_its_meters_signature() -> None:
    key, other = Ed25519PrivateKey.generate(), Ed25519PrivateKey.generate()
    directory = Directory(3, (someone(),))
    signed = sign_directory(directory, key)
    assert read_directory(signed, key.public_key()) == directory
    with pytest.raises(DirectoryFault, match="not signed by the meter"):
        read_directory(signed, other.public_key())
    with pytest.raises(DirectoryFault, match="not signed by the meter"):
        read_directory(signed.replace(b"Sue", b"Eve"), key.public_key())
    with pytest.raises(DirectoryFault, match="cannot be read"):
        read_directory(signed[:-9], key.public_key())


def test_people_are_found_by_number_and_by_badge() -> None:
    directory = Directory(1, (someone(),))
    assert directory.person("1204") is directory.holder("B-77")
    assert directory.person("1205") is directory.holder("") is None


@pytest.mark.parametrize("pin", ["12345", "1111111", "234567", "987654", "12a456", "1234567890123"])
def test_an_easy_pin_will_not_do(pin: str) -> None:
    assert weakness(pin)
    assert not weakness("135791")


@pytest.mark.parametrize("name", [field.name for field in fields(ProvedOrder)])
def test_a_new_pin_is_opened_by_the_old_ones_secret_for_one_order_only(name: str) -> None:
    """Whoever carries it learns nothing, and cannot put another one in its place."""
    secret = b"s" * 32
    sealed = seal_pin("318207", secret, ORDER)
    was = getattr(ORDER, name)
    other = replace(ORDER, **{name: was + 1 if isinstance(was, int) else was + "x"})
    assert sealed_pin(sealed, secret, ORDER) == "318207"
    assert "318207" not in bytes.fromhex(sealed).decode("latin-1")
    for lie in (
        sealed_pin(sealed, secret, other),
        sealed_pin(sealed, b"x" * 32, ORDER),
        sealed_pin("zz", secret, ORDER),
    ):
        assert lie is None
