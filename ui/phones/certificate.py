"""The certificate with which a browser gives its camera to our page: made on this computer, and kept."""

from __future__ import annotations

import contextlib
import ipaddress
import os
import ssl
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

FILE_NAME = "phones.pem"
VALID_DAYS = 365
"""Browsers refuse certificates that are valid for more than 398 days, even after a warning."""
_RENEW_DAYS = 14


def certificate_file(folder: Path, hosts: Sequence[str]) -> Path:
    """Return a file with a certificate for these addresses and its key, which the owner alone may read.

    The one that lies there is kept as long as it fits: a phone that was told to trust it goes on doing so.

    Raises:
        OSError: It cannot be written.
    """
    path = folder / FILE_NAME
    if not _fits(path, hosts):
        folder.mkdir(parents=True, exist_ok=True)
        beside = path.with_suffix(".new")
        with contextlib.suppress(FileNotFoundError):
            beside.unlink()
        descriptor = os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(descriptor, "wb") as file:
            file.write(_made(hosts))
        os.replace(beside, path)
    return path


def tls_context(path: Path) -> ssl.SSLContext:
    """Return what a server offers https with."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.minimum_version = ssl.TLSVersion.TLSv1_2
    context.load_cert_chain(path)
    return context


def _fits(path: Path, hosts: Sequence[str]) -> bool:
    """Return whether a certificate lies there that is valid for a while, and for all addresses."""
    try:
        found = x509.load_pem_x509_certificate(path.read_bytes())
        names = found.extensions.get_extension_for_class(x509.SubjectAlternativeName).value
    except (OSError, ValueError, x509.ExtensionNotFound):
        return False
    addresses = {str(address) for address in names.get_values_for_type(x509.IPAddress)}
    is_fresh = found.not_valid_after_utc > datetime.now(UTC) + timedelta(days=_RENEW_DAYS)
    return is_fresh and set(hosts) <= addresses


def _made(hosts: Sequence[str]) -> bytes:
    """Return a new certificate, signed by its own key, and the key: PEM."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "Pyramid Referee on this computer")])
    now = datetime.now(UTC)
    certificate = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(days=VALID_DAYS))
        .add_extension(
            x509.SubjectAlternativeName([x509.IPAddress(ipaddress.ip_address(host)) for host in hosts]),
            critical=False,
        )
        .add_extension(x509.BasicConstraints(ca=False, path_length=None), critical=True)
        .add_extension(x509.ExtendedKeyUsage([ExtendedKeyUsageOID.SERVER_AUTH]), critical=False)
        .sign(key, hashes.SHA256())
    )
    private = key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
    return private + certificate.public_bytes(Encoding.PEM)
