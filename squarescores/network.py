"""This machine's own names and addresses: what `make run` prints and what the server answers to."""

from __future__ import annotations

import socket

import ifaddr


def hostname() -> str:
    """Return this machine's short name, as it is announced on the local network."""
    return socket.gethostname().split(".")[0].lower()


def addresses() -> list[str]:
    """Return the IPv4 address of every interface: the server listens on no others."""
    return [str(ip.ip) for adapter in ifaddr.get_adapters() for ip in adapter.ips if ip.is_IPv4]


def own_hosts() -> list[str]:
    """Return every Host header that means this machine, in the form ALLOWED_HOSTS takes."""
    names = ["localhost", hostname(), f"{hostname()}.local", socket.gethostname().lower()]
    return [*names, "127.0.0.1", *addresses()]


def lan_address() -> str:
    """Return the IPv4 address phones on the same network reach; 127.0.0.1 where there is none."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            # Connecting a UDP socket sends nothing; it only asks the system for the way out.
            probe.connect(("192.0.2.1", 9))
            return str(probe.getsockname()[0])
        except OSError:
            pass
    outside = [ip for ip in addresses() if not ip.startswith("127.")]
    return outside[0] if outside else "127.0.0.1"
