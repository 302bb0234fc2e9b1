"""Certificates of a house's own authority, made in memory: an authority, a server and boards."""

import datetime
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from cryptography.x509.oid import NameOID

_NOW = datetime.datetime.now(datetime.UTC)


class Authority:
    """Signs certificates, strict enough for every supported Python."""

    def __init__(self, folder: Path, name: str) -> None:
        self._folder, self._name = folder, _name(name)
        self._key = ec.generate_private_key(ec.SECP256R1())
        folder.mkdir()
        self.file = folder / "ca.crt"
        self._certificate = self._sign(self._name, self._key, is_authority=True)
        self.file.write_bytes(self._certificate.public_bytes(Encoding.PEM))

    def issue(self, name: str) -> tuple[str, str]:
        """A certificate for this name, good for localhost, too; returns its path and its key's."""
        key = ec.generate_private_key(ec.SECP256R1())
        certificate, private = self._folder / f"{name}.crt", self._folder / f"{name}.key"
        certificate.write_bytes(self._sign(_name(name), key).public_bytes(Encoding.PEM))
        private.write_bytes(key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()))
        return str(certificate), str(private)

    def _sign(
        self, subject: x509.Name, key: ec.EllipticCurvePrivateKey, *, is_authority: bool = False
    ) -> x509.Certificate:
        usage = dict.fromkeys(
            [
                "content_commitment",
                "key_encipherment",
                "data_encipherment",
                "key_agreement",
                "encipher_only",
                "decipher_only",
            ],
            False,
        )
        return (
            x509.CertificateBuilder()
            .subject_name(subject)
            .issuer_name(self._name)
            .public_key(key.public_key())
            .serial_number(x509.random_serial_number())
            .not_valid_before(_NOW - datetime.timedelta(days=1))
            .not_valid_after(_NOW + datetime.timedelta(days=2))
            .add_extension(x509.BasicConstraints(ca=is_authority, path_length=None), critical=True)
            .add_extension(
                x509.KeyUsage(digital_signature=True, key_cert_sign=is_authority, crl_sign=is_authority, **usage),
                critical=True,
            )
            .add_extension(x509.SubjectKeyIdentifier.from_public_key(key.public_key()), critical=False)
            .add_extension(x509.AuthorityKeyIdentifier.from_issuer_public_key(self._key.public_key()), critical=False)
            .add_extension(x509.SubjectAlternativeName([x509.DNSName("localhost")]), critical=False)
            .sign(self._key, hashes.SHA256())
        )


def _name(common_name: str) -> x509.Name:
    return x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, common_name)])
