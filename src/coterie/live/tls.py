"""A certificate of this machine's own for a page beyond it: made once, kept, and known by its fingerprint."""

from __future__ import annotations

import contextlib
import datetime as dt
import hashlib
import ipaddress
import socket
import ssl
from collections.abc import Sequence
from pathlib import Path

from coterie.core.bounds import MB, read_bounded
from coterie.core.files import cache_dir, replace_text, writing
from coterie.core.lazy import need

DAYS, FRESH_DAYS = 365, 30  # that one holds, and that one from before must still hold


def made(names: Sequence[str]) -> tuple[Path, Path]:
    """A certificate for these names or addresses, and its key. The same names get the same one again, so that a browser
    that was told to trust it once need not be told again."""
    x509 = need("cryptography.x509", "tls", "To make a certificate one needs", "cryptography")
    from cryptography.hazmat.primitives import hashes, serialization
    from cryptography.hazmat.primitives.asymmetric import ec

    folder = cache_dir() / "tls"
    stem = hashlib.sha256("\n".join(names).encode()).hexdigest()[:16]
    cert, key = folder / f"{stem}.pem", folder / f"{stem}.key"
    now = dt.datetime.now(dt.UTC)
    if cert.is_file() and key.is_file():
        with contextlib.suppress(ValueError):  # a damaged one is made anew
            known = x509.load_pem_x509_certificate(read_bounded(cert, "certificate", MB))
            if known.not_valid_after_utc > now + dt.timedelta(days=FRESH_DAYS):
                return cert, key
    private = ec.generate_private_key(ec.SECP256R1())
    subject = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, f"Coterie at {names[0]}"[:64])])
    build = x509.CertificateBuilder().subject_name(subject).issuer_name(subject).public_key(private.public_key())
    build = build.serial_number(x509.random_serial_number()).not_valid_before(now - dt.timedelta(hours=1))
    build = build.not_valid_after(now + dt.timedelta(days=DAYS))
    build = build.add_extension(x509.SubjectAlternativeName([_name(x509, n) for n in names]), critical=False)
    build = build.add_extension(x509.BasicConstraints(ca=False, path_length=None), critical=True)
    signed, pem = build.sign(private, hashes.SHA256()), serialization.Encoding.PEM
    plain, form = serialization.NoEncryption(), serialization.PrivateFormat.PKCS8
    with writing(f"'{folder}'"):
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        for path, data in ((key, private.private_bytes(pem, form, plain)), (cert, signed.public_bytes(pem))):
            replace_text(path, data.decode("ascii"), 0o600)
    return cert, key


def _name(x509: object, name: str) -> object:
    try:
        return x509.IPAddress(ipaddress.ip_address(name))  # type: ignore[attr-defined]
    except ValueError:
        return x509.DNSName(name.encode("idna").decode())  # type: ignore[attr-defined]


def fingerprint(cert: Path) -> str:
    """The SHA-256 fingerprint of a certificate, as browsers show it."""
    text = read_bounded(cert, "certificate", MB).decode("ascii", "replace").partition(ssl.PEM_HEADER)[2]
    first = f"{ssl.PEM_HEADER}{text.partition(ssl.PEM_FOOTER)[0]}{ssl.PEM_FOOTER}"  # others are of who signed it
    return hashlib.sha256(ssl.PEM_cert_to_DER_cert(first)).digest().hex(":").upper()


def own_names() -> list[str]:
    """The address by which others of the network reach this machine, and its name."""
    found = [socket.gethostname()]
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as line, contextlib.suppress(OSError):
        line.connect(("192.0.2.1", 9))  # an address of nobody's; nothing is sent
        found.insert(0, line.getsockname()[0])
    return found
