"""Makes the certificate of a club's own broker: it signs itself, and every table gets a copy to trust."""

from __future__ import annotations

import datetime
import ipaddress
import re
import socket
from pathlib import Path

from host_tools.base import foreign
from host_tools.base.errors import UnusableInput
from host_tools.base.extras import need
from host_tools.club.wire.accounts import write_secret

CERTIFICATE, KEY = "broker.pem", "broker.key"
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9.:-]{0,252}")
DAYS = 825  # from now on
_BEGINS = datetime.datetime(1999, 12, 31, tzinfo=datetime.timezone.utc)


def make(folder: Path, names: list[str]) -> Path:
    """A new certificate for these host names and addresses, beside its key; loopback is always among them."""
    from cryptography import x509
    from cryptography.hazmat.primitives import hashes, serialization
    from cryptography.hazmat.primitives.asymmetric import ec
    from cryptography.x509.oid import NameOID

    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "cardtable broker")])
    now = datetime.datetime.now(datetime.timezone.utc)
    wanted = dict.fromkeys(["localhost", "127.0.0.1", *names])
    for one in wanted:
        if not _NAME.fullmatch(one):
            raise UnusableInput(f"{foreign.shorten(one)!r} is no name or address of a computer")
    alternatives = [_alternative(x509, one) for one in wanted]
    built = (
        x509.CertificateBuilder().subject_name(name).issuer_name(name).public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        # A board with Wi-Fi has no clock: its year is 2000.
        .not_valid_before(_BEGINS).not_valid_after(now + datetime.timedelta(days=DAYS))
        .add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
        .add_extension(x509.SubjectAlternativeName(alternatives), critical=False)
        .sign(key, hashes.SHA256())
    )
    folder.mkdir(parents=True, exist_ok=True)
    write_secret(folder / KEY, key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()).decode())
    path = folder / CERTIFICATE
    path.write_bytes(built.public_bytes(serialization.Encoding.PEM))
    return path


def make_own(folder: Path, names: list[str]) -> Path:
    """The certificate in that folder if it is for all these names and will last a month; else a new one. UnusableInput
    where the package that makes it is not installed."""
    x509 = need("cryptography.x509", "a certificate")
    try:
        found = x509.load_pem_x509_certificate(foreign.read_bytes(folder / CERTIFICATE))
        named = found.extensions.get_extension_for_class(x509.SubjectAlternativeName).value
        there = {str(one.value) for one in named}
        last = found.not_valid_after_utc
    except (UnusableInput, ValueError, x509.ExtensionNotFound):
        return make(folder, names)
    is_good = there >= set(names) and last > datetime.datetime.now(datetime.timezone.utc) + datetime.timedelta(days=30)
    return folder / CERTIFICATE if is_good and (folder / KEY).is_file() else make(folder, names)


def _alternative(x509, name: str):  # noqa: ANN001, ANN202 - types of a package that is loaded late
    try:
        return x509.IPAddress(ipaddress.ip_address(name))
    except ValueError:
        return x509.DNSName(name)


def own_names() -> list[str]:
    """What other machines may call this one, as far as a certificate can say it: not `club_laptop`, not `АННА-ПК`."""
    from host_tools.play.web.near import own_address

    return [name for name in dict.fromkeys([socket.gethostname(), own_address()]) if _NAME.fullmatch(name)]
