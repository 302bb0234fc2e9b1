"""The bundle: one signed file with everything a version is; nothing in it is read before its signature is good.

Layout: magic, two lengths, key and signature of the release, key and signature that permit a downgrade (or noughts);
then the manifest (JSON), then the parts it names, end to end.
"""

import hashlib
import re
import struct
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Final

import msgspec
from msgspec import Struct

from flashing.errors import FlashError, flash_errors
from flashing.keys import PrivateKey, Role, Trust

FORMAT: Final = 1
LARGEST_MANIFEST: Final = 16 * 2**20
LARGEST_BODY: Final = 512 * 2**20
_MAGIC: Final = b"PITLINK\x01"
_HEADER: Final = struct.Struct(">8sQQ16s64s16s64s")
_CHUNK: Final = 2**20
_PART_NAME: Final = re.compile(r"(?:[A-Za-z0-9_@][A-Za-z0-9._+@-]*/)*[A-Za-z0-9_@][A-Za-z0-9._+@-]*")


class BundleFile(Struct, frozen=True):
    """One file in a bundle."""

    name: str
    size: int
    sha256: str


class Manifest(Struct, frozen=True):
    """What a bundle is: for which boards, what lies in it, and the hash of every program file it becomes."""

    version: str
    platform: str
    parts: tuple[BundleFile, ...]
    program: dict[str, str]  # path below site-packages: SHA-256
    format: int = FORMAT

    @property
    def program_hash(self) -> str:
        """One hash for the whole program, to be written down wherever it matters which program ran."""
        return hashlib.sha256(msgspec.json.encode(self.program, order="sorted")).hexdigest()


class SignedRelease(Struct, frozen=True):
    """A manifest whose signature was good, with what proves that without the rest of the bundle."""

    manifest: Manifest
    permits_downgrade: bool
    proof: bytes


class OpenBundle:
    """A bundle whose whole content is what its key's owner has signed."""

    def __init__(self, release: SignedRelease, source: IO[bytes], start: int) -> None:
        self.release, self._source, self._start = release, source, start

    @property
    def manifest(self) -> Manifest:
        """What the bundle is."""
        return self.release.manifest

    def unpack(self, folder: Path) -> None:
        """Writes every part below a folder, each as its own hash says."""
        self._source.seek(self._start)
        for part in self.manifest.parts:
            target = folder / part.name
            with flash_errors(target):
                target.parent.mkdir(parents=True, exist_ok=True)
                target.write_bytes(_read(self._source, part))


def write_bundle(
    target: IO[bytes],
    manifest: Manifest,
    folder: Path,
    *,
    release: PrivateKey,
    downgrade: PrivateKey | None = None,
) -> None:
    """Writes a bundle of the parts below a folder."""
    head = msgspec.json.encode(manifest, order="sorted")
    body = hashlib.sha256()
    for part in manifest.parts:
        body.update((folder / part.name).read_bytes())
    words = hashlib.sha256(head).digest() + body.digest()
    length = sum(part.size for part in manifest.parts)
    second = (downgrade.id, downgrade.sign("downgrade", words)) if downgrade else (b"", b"")
    target.write(_HEADER.pack(_MAGIC, len(head), length, release.id, release.sign("release", words), *second))
    target.write(head)
    for part in manifest.parts:
        target.write((folder / part.name).read_bytes())


@contextmanager
def open_bundle(path: Path, trust: Trust, *, known_as: Path | None = None) -> Iterator[OpenBundle]:
    """A bundle that is whole and signed by a trusted key; anything else is a FlashError that says why, by name."""
    name = known_as or path
    with flash_errors(path):
        source = path.open("rb")
    with source:
        with flash_errors(path):
            header, size = source.read(_HEADER.size), path.stat().st_size
        _, head_length, body_length, *_ = _header(name, header)
        _check_length(name, size, head_length, body_length)
        with flash_errors(path):
            head = source.read(head_length)
            digest = _hash(source, body_length)
        release = _release(name, header + head + digest, trust)
        yield OpenBundle(release, source, _HEADER.size + head_length)


def permit_downgrade(path: Path, key: PrivateKey) -> None:
    """Adds the second signature to a finished bundle; the first one does not cover it and stays good."""
    with flash_errors(path), path.open("r+b") as file:
        header = file.read(_HEADER.size)
        magic, head_length, body_length, first_id, first, *_ = _header(path, header)
        _check_length(path, path.stat().st_size, head_length, body_length)
        words = _hash(file, head_length) + _hash(file, body_length)
        file.seek(0)
        second = key.sign("downgrade", words)
        file.write(_HEADER.pack(magic, head_length, body_length, first_id, first, key.id, second))


def read_proof(path: Path, trust: Trust) -> SignedRelease:
    """The release that an installed version was made of, from the proof kept beside it."""
    with flash_errors(path):
        return _release(path, path.read_bytes(), trust)


def _header(path: Path, header: bytes) -> tuple[bytes, int, int, bytes, bytes, bytes, bytes]:
    if header[: len(_MAGIC)] != _MAGIC[: len(header)]:
        raise FlashError(f"{path}: not a bundle of Pitlink; build one with `pitlink bundle build`")
    if len(header) < _HEADER.size:
        raise FlashError(f"{path}: truncated after {len(header)} bytes; copy it again")
    magic, head_length, body_length, *rest = _HEADER.unpack(header)
    first_id, first, second_id, second = rest
    return magic, head_length, body_length, first_id, first, second_id, second


def _check_length(path: Path, size: int, head_length: int, body_length: int) -> None:
    wanted = _HEADER.size + head_length + body_length
    if head_length > LARGEST_MANIFEST or body_length > LARGEST_BODY:
        raise FlashError(f"{path}: no bundle is that large ({wanted:,} bytes); copy it again")
    if size < wanted:
        raise FlashError(f"{path}: truncated, {size:,} bytes of {wanted:,}; copy it again")
    if size > wanted:
        raise FlashError(f"{path}: {size - wanted:,} bytes too many; copy it again")


def _release(path: Path, proof: bytes, trust: Trust) -> SignedRelease:
    """Checks the signatures first and reads the manifest only then."""
    _, head_length, _, first_id, first, second_id, second = _header(path, proof[: _HEADER.size])
    head, digest = proof[_HEADER.size : _HEADER.size + head_length], proof[_HEADER.size + head_length :]
    words = hashlib.sha256(head).digest() + digest
    if not any(first_id) or not any(first):
        raise FlashError(f"{path}: not signed; build it again with --key")
    _check_signature(path, trust, "release", first_id, signature=first, words=words)
    if any(second_id + second):
        _check_signature(path, trust, "downgrade", second_id, signature=second, words=words)
    return SignedRelease(_manifest(path, head), any(second_id), proof)


def _check_signature(path: Path, trust: Trust, role: Role, key: bytes, *, signature: bytes, words: bytes) -> None:
    known = trust.find(role, key)
    if known is None:
        raise FlashError(
            f"{path}: signed by key {key.hex()[:8]}, which this board does not trust for a {role}; it trusts {trust}"
        )
    if not known.has_signed(signature, words):
        raise FlashError(f"{path}: not what {known} has signed: damaged or altered; copy it again from the workshop")


def _manifest(path: Path, head: bytes) -> Manifest:
    try:
        manifest = msgspec.json.decode(head, type=Manifest)
    except msgspec.DecodeError as error:
        raise FlashError(f"{path}: built by a Pitlink this board does not understand ({error})") from error
    if manifest.format != FORMAT or not all(_PART_NAME.fullmatch(part.name) for part in manifest.parts):
        raise FlashError(f"{path}: built by a Pitlink this board does not understand (format {manifest.format})")
    return manifest


def _hash(source: IO[bytes], length: int) -> bytes:
    digest = hashlib.sha256()
    while length > 0 and (chunk := source.read(min(_CHUNK, length))):
        digest.update(chunk)
        length -= len(chunk)
    return digest.digest()


def _read(source: IO[bytes], part: BundleFile) -> bytes:
    data = source.read(part.size)
    if hashlib.sha256(data).hexdigest() != part.sha256:
        raise FlashError(f"{part.name}: changed while it was unpacked; copy the bundle again")
    return data


def parts_of(folder: Path) -> tuple[BundleFile, ...]:
    """Every file below a folder as parts of a bundle, in the order of their names."""
    files = sorted(path for path in folder.rglob("*") if path.is_file())
    return tuple(
        BundleFile(
            path.relative_to(folder).as_posix(), path.stat().st_size, hashlib.sha256(path.read_bytes()).hexdigest()
        )
        for path in files
    )
