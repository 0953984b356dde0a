"""The certificate that lies in the player's folder."""

from __future__ import annotations

import stat
from pathlib import Path

import pytest
from cryptography import x509

from ui.phones import certificate
from ui.phones.certificate import certificate_file, tls_context

HOST = "192.168.1.5"


def names(path: Path) -> list[str]:
    found = x509.load_pem_x509_certificate(path.read_bytes())
    held = found.extensions.get_extension_for_class(x509.SubjectAlternativeName).value
    return [str(address) for address in held.get_values_for_type(x509.IPAddress)]


def test_it_is_for_these_addresses_and_the_owner_alone(tmp_path: Path) -> None:
    path = certificate_file(tmp_path / "new", [HOST, "10.0.0.7"])
    assert names(path) == [HOST, "10.0.0.7"]
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert tls_context(path).minimum_version.name == "TLSv1_2"
    assert [each.name for each in path.parent.iterdir()] == ["phones.pem"]


def test_it_is_kept_so_that_a_phone_goes_on_trusting_it(tmp_path: Path) -> None:
    first = certificate_file(tmp_path, [HOST, "10.0.0.7"]).read_bytes()
    assert certificate_file(tmp_path, [HOST]).read_bytes() == first


def test_another_address_or_age_or_damage_makes_a_new_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = certificate_file(tmp_path, [HOST]).read_bytes()
    second = certificate_file(tmp_path, ["10.0.0.7"]).read_bytes()
    assert second != first
    (tmp_path / "phones.pem").write_bytes(second[:100])
    third = certificate_file(tmp_path, ["10.0.0.7"]).read_bytes()
    assert third != second
    monkeypatch.setattr(certificate, "_RENEW_DAYS", certificate.VALID_DAYS)
    assert certificate_file(tmp_path, ["10.0.0.7"]).read_bytes() != third
