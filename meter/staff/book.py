"""Staff book: the directory and the secrets behind it, as one value."""

from collections.abc import Mapping

from msgspec import Struct

from common.auth.directory import Directory


class KeptSecret(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """What only the meter knows of a person: the secret of the PIN, and of the TOTP codes."""

    secret: str
    totp: str = ""


class StaffBook(Struct, frozen=True):
    """Everybody, and everybody's secrets by staff number."""

    directory: Directory = Directory()
    secrets: Mapping[str, KeptSecret] = {}
