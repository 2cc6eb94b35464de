"""How a process learns who it is and where the others are: `env://`, `tcp://` and `file://`."""

import os
from urllib.parse import parse_qs, urlsplit, urlunsplit

from ._stores import FileStore, PrefixStore, TCPStore, default_timeout

_handlers = {}


def register_rendezvous_handler(scheme, handler):
    if scheme in _handlers:
        raise RuntimeError(f"Rendezvous handler for {scheme}:// already registered")
    _handlers[scheme] = handler


def rendezvous(url, rank=-1, world_size=-1, **kwargs):
    """Yields a store, this process's rank and the number of processes."""
    if not isinstance(url, str):
        raise RuntimeError(f"`url` must be a string. {type(url)}: {url}")
    parts = urlsplit(url)
    query = {key: values[-1] for key, values in parse_qs(parts.query).items()}
    for key, value in (("rank", rank), ("world_size", world_size)):
        if value not in (None, -1):
            if key in query:
                raise AssertionError(
                    f"The url: {url} has node-specific arguments(rank, world_size) already."
                )
            query[key] = str(value)
    if parts.scheme not in _handlers:
        raise RuntimeError(f"No rendezvous handler for {parts.scheme}://")
    return _handlers[parts.scheme](parts, query, kwargs.get("timeout") or default_timeout)


def _error(scheme, text):
    return ValueError(f"Error initializing torch.distributed using {scheme}:// rendezvous: {text}")


def _number(scheme, query, key):
    if key not in query:
        name = "rank" if key == "rank" else "world size"
        raise _error(scheme, f"{name} parameter missing")
    return int(query[key])


def _served(host, port, rank, world_size, timeout):
    """A store that rank 0 serves, or that who started the processes serves already."""
    if os.environ.get("TORCHELASTIC_USE_AGENT_STORE") == "True":
        attempt = os.environ.get("TORCHELASTIC_RESTART_COUNT", "0")
        store = TCPStore(host, port, world_size, False, timeout, wait_for_workers=False)
        return PrefixStore(f"/worker/attempt_{attempt}", store)
    return TCPStore(host, port, world_size, rank == 0, timeout, wait_for_workers=False, multi_tenant=True)


def _file(parts, query, timeout):
    path = parts.path if not parts.netloc else f"/{parts.netloc}{parts.path}"
    if not path:
        raise _error("file", "path missing")
    rank, world_size = _number("file", query, "rank"), _number("file", query, "world_size")
    store = FileStore(path, world_size)
    store.set_timeout(timeout)
    yield store, rank, world_size
    raise RuntimeError("Unable to perform rerendezvous using file:// method")


def _tcp(parts, query, timeout):
    if parts.port is None:
        raise _error("tcp", "port number missing")
    rank, world_size = _number("tcp", query, "rank"), _number("tcp", query, "world_size")
    if not parts.hostname:
        raise AssertionError("hostname cannot be None")
    yield _served(parts.hostname, parts.port, rank, world_size, timeout), rank, world_size
    raise RuntimeError("Unable to perform re-rendezvous using tcp:// method")


def _environment(parts, query, timeout):
    def of(name, key):
        if key in query:
            return query[key]
        if os.environ.get(name) is None:
            raise _error("env", f"environment variable {name} expected, but not set")
        return os.environ[name]

    rank, world_size = int(of("RANK", "rank")), int(of("WORLD_SIZE", "world_size"))
    host, port = of("MASTER_ADDR", ""), int(of("MASTER_PORT", ""))
    yield _served(host, port, rank, world_size, timeout), rank, world_size
    raise RuntimeError("Unable to perform re-rendezvous using env:// method")


register_rendezvous_handler("tcp", _tcp)
register_rendezvous_handler("env", _environment)
register_rendezvous_handler("file", _file)
