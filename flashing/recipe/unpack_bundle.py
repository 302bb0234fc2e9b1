"""unpack_bundle.py BUNDLE KEY.pub FOLDER: unpacks what this key's owner has signed, where no program of ours is yet.

A plain Debian has no cryptography for Python, but the library below Python's own ssl. The format: flashing/bundle.py.
"""

import base64
import ctypes
import hashlib
import json
import platform
import re
import struct
import sys
from pathlib import Path
from typing import IO, Any, Final

HEADER: Final = struct.Struct(">8sQQ16s64s16s64s")
MAGIC: Final = b"PITLINK\x01"
LARGEST_MANIFEST: Final = 16 * 2**20
PART_NAME: Final = re.compile(r"(?:[A-Za-z0-9_@][A-Za-z0-9._+@-]*/)*[A-Za-z0-9_@][A-Za-z0-9._+@-]*")
_ED25519: Final = 1087  # NID_ED25519 of OpenSSL
_CHUNK: Final = 2**20


def unpack(bundle: Path, trust: Path, folder: Path) -> str:
    """Writes every part below a folder and returns the version; not one byte of it before the signature is good."""
    with bundle.open("rb") as source:
        manifest = _signed_manifest(source, _key(trust), bundle.stat().st_size)
        if manifest["platform"] != (this := _this_platform()):
            _, machine, python = this.split("-")
            order = f"`pitlink bundle build --platform {machine} --python {python.removeprefix('py')}`"
            sys.exit(f"{bundle}: for {manifest['platform']}, and this board is {this}; build one with {order}")
        for name in (manifest["version"], *(part["name"] for part in manifest["parts"])):
            if not PART_NAME.fullmatch(name):
                sys.exit(f"{bundle}: {name!r} is no name for a part of a bundle")
        for part in manifest["parts"]:
            _write(folder / part["name"], source.read(part["size"]), part["sha256"])
    return str(manifest["version"])


def _this_platform() -> str:
    return f"linux-{platform.machine()}-py{sys.version_info.major}.{sys.version_info.minor}"


def _key(trust: Path) -> bytes:
    words = trust.read_text(encoding="utf-8").split()
    if words[:2] != ["pitlink-ed25519", "release"] or len(words) < 3:
        sys.exit(f"{trust}: not the public half of a release key; take the .pub file of `pitlink bundle key`")
    return base64.b64decode(words[2], validate=True)


def _signed_manifest(source: IO[bytes], key: bytes, size: int) -> dict[str, Any]:
    """The manifest, with the source at the first part; exits unless the key has signed manifest and parts."""
    header = source.read(HEADER.size)
    if len(header) < HEADER.size or not header.startswith(MAGIC):
        sys.exit(f"{source.name}: not a bundle of Pitlink")
    _, head_length, body_length, _, signature, *_ = HEADER.unpack(header)
    if head_length > LARGEST_MANIFEST or size != HEADER.size + head_length + body_length:
        sys.exit(f"{source.name}: truncated or too long; copy it again")
    head, body = source.read(head_length), hashlib.sha256()
    while chunk := source.read(_CHUNK):
        body.update(chunk)
    words = b"pitlink release 1\0" + hashlib.sha256(head).digest() + body.digest()
    if not _has_signed(key, signature, words):
        sys.exit(f"{source.name}: not what the owner of this key has signed; take it from the workshop again")
    source.seek(HEADER.size + head_length)
    manifest: dict[str, Any] = json.loads(head)
    return manifest


def _has_signed(key: bytes, signature: bytes, words: bytes) -> bool:
    crypto = ctypes.CDLL("libcrypto.so.3")
    crypto.EVP_PKEY_new_raw_public_key.restype = crypto.EVP_MD_CTX_new.restype = ctypes.c_void_p
    public = ctypes.c_void_p(crypto.EVP_PKEY_new_raw_public_key(_ED25519, None, key, ctypes.c_size_t(len(key))))
    context = ctypes.c_void_p(crypto.EVP_MD_CTX_new())
    if not public or not context or crypto.EVP_DigestVerifyInit(context, None, None, None, public) != 1:
        return False
    lengths = ctypes.c_size_t(len(signature)), ctypes.c_size_t(len(words))
    return bool(crypto.EVP_DigestVerify(context, signature, lengths[0], words, lengths[1]) == 1)


def _write(place: Path, data: bytes, sha256: str) -> None:
    if hashlib.sha256(data).hexdigest() != sha256:
        sys.exit(f"{place.name}: changed while it was unpacked; copy the bundle again")
    place.parent.mkdir(parents=True, exist_ok=True)
    place.write_bytes(data)


if __name__ == "__main__":
    print(unpack(*(Path(word) for word in sys.argv[1:])))
