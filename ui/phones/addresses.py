"""The addresses at which other devices in the same network reach this computer."""

from __future__ import annotations

import contextlib
import ipaddress
import socket

_PROBES = ("192.0.2.1", "192.168.255.254", "10.255.255.254", "172.31.255.254", "169.254.255.254")
"""One outside, and one in each range of home networks. Nothing is sent to them."""


def local_addresses() -> list[str]:
    """Return this computer's own addresses, the one that most traffic takes first; none without a network.

    The system is asked by which of its addresses it would reach others; no packet leaves for that.
    """
    found: list[str] = []
    for probe in _PROBES:
        with contextlib.suppress(OSError), socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as asking:
            asking.connect((probe, 9))
            own = asking.getsockname()[0]
            address = ipaddress.ip_address(own)
            if own not in found and not (address.is_loopback or address.is_unspecified):
                found.append(own)
    return found
