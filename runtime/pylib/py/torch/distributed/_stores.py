"""Where the processes of a job find one another: keys and values."""

import datetime
import errno
import os
import struct
import threading
import time

import torch._C._distributed as _distributed

default_timeout = datetime.timedelta(seconds=300)


class DistError(RuntimeError):
    """Something of torch.distributed failed."""


class DistBackendError(DistError):
    """A backend failed."""


class DistNetworkError(DistError):
    """The network failed."""


class DistStoreError(DistError):
    """A store failed."""


class QueueEmptyError(DistStoreError):
    """A queue of a store has nothing."""


for _class in (DistError, DistBackendError, DistNetworkError, DistStoreError, QueueEmptyError):
    _class.__module__ = "torch.distributed"


def _bytes(value):
    return value if isinstance(value, bytes) else value.encode()


def _milliseconds(timeout):
    return round(timeout.total_seconds() * 1000)


class Store:
    """What all stores do, over `_put`, `_find`, `_change`, `_remove`, `_count` and `_await` of theirs."""

    _timeout = default_timeout
    # Before the keys in messages.
    _shown = ""

    @property
    def timeout(self):
        return self._timeout

    def set_timeout(self, timeout):
        self._timeout = timeout

    def set(self, key, value):
        self._put(_bytes(key), _bytes(value))

    def get(self, key):
        key = _bytes(key)
        self._wait([key], self._timeout)
        return self._find(key)

    def add(self, key, amount):
        return int(self._change(_bytes(key), lambda old: str(int(old or b"0") + amount).encode()))

    def append(self, key, value):
        self._change(_bytes(key), lambda old: (old or b"") + _bytes(value))

    def compare_set(self, key, expected_value, desired_value):
        expected, desired = _bytes(expected_value), _bytes(desired_value)
        seen = [expected]

        def change(old):
            if old is None:
                return desired if expected == b"" else None
            seen[0] = old
            return desired if old == expected else None

        changed = self._change(_bytes(key), change)
        return seen[0] if changed is None else changed

    def check(self, keys):
        return all(self._find(_bytes(key)) is not None for key in keys)

    def wait(self, keys, timeout=None):
        self._wait([_bytes(key) for key in keys], self._timeout if timeout is None else timeout)

    def _wait(self, keys, timeout):
        if not self._await(keys, timeout):
            names = ", ".join(self._shown + key.decode(errors="replace") for key in keys)
            raise DistStoreError(f"wait timeout after {_milliseconds(timeout)}ms, keys: {names}")

    def _await(self, keys, timeout):
        ends = time.monotonic() + timeout.total_seconds()
        while not all(self._find(key) is not None for key in keys):
            if time.monotonic() >= ends:
                return False
            time.sleep(0.01)
        return True

    def delete_key(self, key):
        return self._remove(_bytes(key))

    def num_keys(self):
        return self._count()

    def multi_get(self, keys):
        return [self.get(key) for key in keys]

    def multi_set(self, keys, values):
        for key, value in zip(keys, values):
            self.set(key, value)

    def has_extended_api(self):
        return True


class HashStore(Store):
    """Of the threads of this process."""

    def __init__(self):
        self._values, self._lock = {}, threading.Lock()

    def _put(self, key, value):
        with self._lock:
            self._values[key] = value

    def _find(self, key):
        return self._values.get(key)

    def _change(self, key, change):
        with self._lock:
            new = change(self._values.get(key))
            if new is not None:
                self._values[key] = new
            return new

    def _remove(self, key):
        with self._lock:
            return self._values.pop(key, None) is not None

    def _count(self):
        return len(self._values)


class PrefixStore(Store):
    """A part of another store."""

    def __init__(self, prefix, store):
        self._prefix, self._of = _bytes(prefix) + b"/", store

    @property
    def underlying_store(self):
        return self._of

    @property
    def timeout(self):
        return self._of.timeout

    def set_timeout(self, timeout):
        self._of.set_timeout(timeout)

    def set(self, key, value):
        self._of.set(self._prefix + _bytes(key), value)

    def get(self, key):
        return self._of.get(self._prefix + _bytes(key))

    def add(self, key, amount):
        return self._of.add(self._prefix + _bytes(key), amount)

    def append(self, key, value):
        self._of.append(self._prefix + _bytes(key), value)

    def compare_set(self, key, expected_value, desired_value):
        return self._of.compare_set(self._prefix + _bytes(key), expected_value, desired_value)

    def check(self, keys):
        return self._of.check([self._prefix + _bytes(key) for key in keys])

    def wait(self, keys, timeout=None):
        self._of.wait([self._prefix + _bytes(key) for key in keys], timeout)

    def delete_key(self, key):
        return self._of.delete_key(self._prefix + _bytes(key))

    def num_keys(self):
        return self._of.num_keys()


class FileStore(Store):
    """In a file that all processes see: one record after the other of what was put."""

    def __init__(self, file_name, world_size=-1):
        self._path, self._world_size = os.fspath(file_name), world_size
        self._values, self._read = {}, 0
        self._users = self._change(b"\0users", lambda old: str(int(old or b"0") + 1).encode())

    @property
    def path(self):
        return self._path

    def _locked(self, change):
        import fcntl

        file = os.open(self._path, os.O_RDWR | os.O_CREAT, 0o644)
        try:
            fcntl.flock(file, fcntl.LOCK_EX)
            if os.fstat(file).st_size < self._read:
                # Another job has begun the file anew.
                self._values, self._read = {}, 0
            os.lseek(file, self._read, os.SEEK_SET)
            parts = []
            while part := os.read(file, 1 << 20):
                parts.append(part)
            data = b"".join(parts)
            at = 0
            while at + 8 <= len(data):
                # A length below 0 tells that the key was removed.
                key_length, length = struct.unpack_from("<ii", data, at)
                end = at + 8 + key_length + max(length, 0)
                if end > len(data):
                    break
                key = data[at + 8:at + 8 + key_length]
                if length < 0:
                    self._values.pop(key, None)
                else:
                    self._values[key] = data[end - length:end]
                at = end
            self._read += at
            new = change(self._values) if change is not None else None
            if new is not None:
                key, value = new
                length = -1 if value is None else len(value)
                record = struct.pack("<ii", len(key), length) + key + (value or b"")
                os.lseek(file, self._read, os.SEEK_SET)
                while record:
                    record = record[os.write(file, record):]
        finally:
            os.close(file)

    def _put(self, key, value):
        self._locked(lambda values: (key, value))

    def _find(self, key):
        self._locked(None)
        return self._values.get(key)

    def _change(self, key, change):
        made = []

        def write(values):
            made.append(change(values.get(key)))
            return None if made[0] is None else (key, made[0])

        self._locked(write)
        return made[0]

    def _remove(self, key):
        found = []

        def write(values):
            found.append(key in values)
            return (key, None) if found[0] else None

        self._locked(write)
        return found[0]

    def _count(self):
        self._locked(None)
        return sum(not key.startswith(b"\0") for key in self._values)

    def __del__(self):
        # The last of them takes the file away.
        try:
            if self._world_size > 0 and os.path.exists(self._path):
                gone = self._change(b"\0gone", lambda old: str(int(old or b"0") + 1).encode())
                if int(gone) >= self._world_size:
                    os.remove(self._path)
        except (OSError, AttributeError, ImportError, TypeError):
            pass


class TCPStore(Store):
    """Served by one process over TCP."""

    _shown = "/"

    def __init__(
        self, host_name, port, world_size=None, is_master=False, timeout=default_timeout, wait_for_workers=True,
        multi_tenant=False, master_listen_fd=None, use_libuv=True,
    ):
        if master_listen_fd is not None:
            raise NotImplementedError("TCPStore over a socket that listens already is not implemented in janus-jit yet")
        # There is one kind of server here, whatever is said of libuv.
        self._libuv, self._timeout, self._host = use_libuv, timeout, host_name
        self._server = _shared_server(port, multi_tenant) if is_master else None
        self._port = self._server.port if is_master else port
        try:
            self._client = _distributed.connect(host_name, self._port, timeout.total_seconds())
        except TimeoutError:
            raise DistNetworkError(
                f"The client socket has timed out after {_milliseconds(timeout)}ms while trying to connect to "
                f"({host_name}, {self._port})."
            ) from None
        except (OSError, ValueError) as error:
            raise DistNetworkError(f"{error} ({host_name}, {self._port})") from None
        if world_size is not None and world_size > 0 and wait_for_workers:
            self._wait_for(world_size, is_master)

    def _wait_for(self, world_size, is_master):
        count = self.add("\0workers", 1)
        if count % world_size == 0:
            self.set(f"\0workers/{count // world_size}", b"")
        if is_master and not self._await([f"\0workers/{(count - 1) // world_size + 1}".encode()], self._timeout):
            raise DistStoreError(
                f"Timed out after {int(self._timeout.total_seconds())} seconds waiting for clients. "
                f"{self.add(chr(0) + 'workers', 0)}/{world_size} clients joined."
            )

    @property
    def host(self):
        return self._host

    @property
    def port(self):
        return self._port

    @property
    def libuvBackend(self):
        return self._libuv

    def clone(self):
        return TCPStore(self._host, self._port, timeout=self._timeout, wait_for_workers=False)

    def _ask(self, request, *args):
        try:
            return request(*args)
        except ConnectionError as error:
            raise DistNetworkError(
                f"the connection to the store at ({self._host}, {self._port}) broke: {error}"
            ) from None

    def _put(self, key, value):
        self._ask(self._client.set, key, value)

    def _find(self, key):
        return self._ask(self._client.get, key)

    def _await(self, keys, timeout):
        return self._ask(self._client.wait, keys, timeout.total_seconds())

    def add(self, key, amount):
        return self._ask(self._client.add, _bytes(key), amount)

    def append(self, key, value):
        self._ask(self._client.append, _bytes(key), _bytes(value))

    def compare_set(self, key, expected_value, desired_value):
        return self._ask(self._client.compare_set, _bytes(key), _bytes(expected_value), _bytes(desired_value))

    def _remove(self, key):
        return self._ask(self._client.delete, key)

    def _count(self):
        return self._ask(self._client.count)

    def __repr__(self):
        return f"TCPStore(host={self._host}, port={self._port}, server={self._server is not None})"


_servers = {}


def _shared_server(port, multi_tenant):
    if multi_tenant and port in _servers:
        return _servers[port]
    try:
        server = _distributed.serve(port)
    except OSError as error:
        name = errno.errorcode.get(error.errno, "unknown")
        raise DistNetworkError(
            "The server socket has failed to listen on any local network address. "
            f"port: {port}, useIpv6: false, code: -{error.errno}, name: {name}, message: {error.strerror.lower()}"
        ) from None
    if multi_tenant:
        _servers[server.port] = server
    return server
