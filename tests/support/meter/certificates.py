"""Certificates for tests: self-signed, and strict enough for every supported Python."""

import subprocess
from pathlib import Path

_WORDS = (
    "openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 2 -subj /CN=localhost "
    "-addext keyUsage=critical,digitalSignature,keyCertSign -addext subjectAltName=DNS:localhost,IP:127.0.0.1"
)


def self_signed(folder: Path) -> tuple[str, str]:
    """Makes a certificate of localhost and its key; returns the two paths."""
    certificate, key = folder / "localhost.crt", folder / "localhost.key"
    command = [*_WORDS.split(), "-keyout", str(key), "-out", str(certificate)]
    subprocess.run(command, check=True, capture_output=True, timeout=60)
    return str(certificate), str(key)
