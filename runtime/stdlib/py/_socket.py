"""Sockets over the system's."""

import os as _os
import _sockets

globals().update(_sockets.constants)
has_ipv6 = True
INADDR_ANY, INADDR_BROADCAST, INADDR_LOOPBACK = 0, 0xffffffff, 0x7f000001
error = OSError
timeout = TimeoutError
_default_timeout = None


def CMSG_LEN(length, /):
    return _sockets.message_length(length, False)


def CMSG_SPACE(length, /):
    return _sockets.message_length(length, True)


class gaierror(OSError):
    __module__ = "socket"


class herror(OSError):
    __module__ = "socket"


class socket:
    __slots__ = ("_fd", "_timeout", "_family", "_type", "_proto")

    def __new__(cls, *args, **kwargs):
        made = object.__new__(cls)
        made._fd, made._timeout = -1, None
        return made

    def __init__(self, family=-1, type=-1, proto=-1, fileno=None):
        if fileno is None:
            family, type = AF_INET if family == -1 else family, SOCK_STREAM if type == -1 else type
            fileno = _sockets.open(int(family), int(type), 0 if proto == -1 else proto)
        elif fileno < 0:
            raise ValueError("negative file descriptor")
        self._fd = fileno
        if family == -1:
            name = _sockets.name(fileno)
            family = AF_UNIX if isinstance(name, (str, bytes)) else AF_INET if len(name) == 2 else AF_INET6
        if type == -1:
            type = _sockets.option(fileno, SOL_SOCKET, SO_TYPE)
        self._family, self._type, self._proto = int(family), int(type), max(proto, 0)
        nonblocking = self._type & SOCK_NONBLOCK
        self._type &= ~(SOCK_NONBLOCK | SOCK_CLOEXEC)
        self.settimeout(0 if nonblocking else _default_timeout)

    family = property(lambda self: self._family)
    type = property(lambda self: self._type)
    proto = property(lambda self: self._proto)
    timeout = property(lambda self: self._timeout)

    def __repr__(self):
        return (f"<socket object, fd={self._fd}, family={self._family}, type={self._type}, proto={self._proto}>")

    def fileno(self):
        return self._fd

    def detach(self):
        fd, self._fd = self._fd, -1
        return fd

    def close(self):
        if self._fd >= 0:
            fd, self._fd = self._fd, -1
            _sockets.close(fd)

    def settimeout(self, value, /):
        if value is not None:
            value = float(value)
            if value < 0:
                raise ValueError("Timeout value out of range")
        self._timeout = value
        _sockets.set_blocking(self._fd, value is None)

    def gettimeout(self):
        return self._timeout

    def setblocking(self, flag, /):
        self.settimeout(None if flag else 0.0)

    def getblocking(self):
        return self._timeout != 0

    def _wait(self, events, act, *arguments):
        """Does it, waiting for its turn as long as the timeout says."""
        while True:
            try:
                return act(self._fd, *arguments)
            except BlockingIOError:
                if not self._timeout or not _sockets.poll([(self._fd, events)], self._timeout):
                    if self._timeout:
                        raise TimeoutError("timed out") from None
                    raise

    def bind(self, address, /):
        _sockets.bind(self._fd, self._family, address)

    def listen(self, backlog=128, /):
        _sockets.listen(self._fd, max(backlog, 0))

    def _accept(self):
        return self._wait(1, _sockets.accept)

    def connect_ex(self, address, /):
        number = _sockets.connect(self._fd, self._family, address)
        if number in (4, 115) and self._timeout != 0:
            if not _sockets.poll([(self._fd, 4)], self._timeout):
                raise TimeoutError("timed out")
            number = _sockets.option(self._fd, SOL_SOCKET, SO_ERROR)
        return number

    def connect(self, address, /):
        number = self.connect_ex(address)
        if number:
            raise OSError(number, _os.strerror(number))

    def getsockname(self):
        return _sockets.name(self._fd)

    def getpeername(self):
        return _sockets.peer(self._fd)

    def recv(self, bufsize, flags=0, /):
        return self._wait(1, _sockets.receive, bufsize, flags)[0]

    def recvfrom(self, bufsize, flags=0, /):
        return self._wait(1, _sockets.receive, bufsize, flags)

    def recv_into(self, buffer, nbytes=0, flags=0):
        return self.recvfrom_into(buffer, nbytes, flags)[0]

    def recvfrom_into(self, buffer, nbytes=0, flags=0):
        if nbytes < 0:
            raise ValueError("negative buffersize in recv_into")
        data, address = self._wait(1, _sockets.receive, nbytes or len(buffer), flags)
        buffer[:len(data)] = data
        return len(data), address

    def send(self, data, flags=0, /):
        return self._wait(4, _sockets.send, data, flags)

    def sendall(self, data, flags=0, /):
        data = bytes(data)
        while data:
            data = data[self.send(data, flags):]

    def sendto(self, data, flags, address=None, /):
        if address is None:
            flags, address = 0, flags
        return self._wait(4, _sockets.send, data, flags, self._family, address)

    def sendmsg(self, buffers, ancdata=(), flags=0, address=None, /):
        data = b"".join(buffers)
        to = () if address is None else (self._family, address)
        return self._wait(4, _sockets.send_message, data, ancdata, flags, *to)

    def recvmsg(self, bufsize, ancbufsize=0, flags=0, /):
        return self._wait(1, _sockets.receive_message, bufsize, ancbufsize, flags)

    def recvmsg_into(self, buffers, ancbufsize=0, flags=0, /):
        views = [memoryview(buffer).cast("B") for buffer in buffers]
        data, *rest = self.recvmsg(sum(len(view) for view in views), ancbufsize, flags)
        at = 0
        for view in views:
            part = data[at:at + len(view)]
            view[:len(part)] = part
            at += len(part)
        return len(data), *rest

    def shutdown(self, how, /):
        _sockets.shutdown(self._fd, how)

    def getsockopt(self, level, optname, buflen=0, /):
        return _sockets.option(self._fd, level, optname, buflen)

    def setsockopt(self, level, optname, value, optlen=None, /):
        _sockets.set_option(self._fd, level, optname, bytes(optlen) if value is None else value)


SocketType = socket


def socketpair(family=None, type=1, proto=0, /):
    family = AF_UNIX if family is None else int(family)
    made = _sockets.pair(family, int(type), proto)
    return tuple(socket(family, type, proto, fd) for fd in made)


def close(fd, /):
    _sockets.close(fd)


def dup(fd, /):
    return _sockets.duplicate(fd)


def getdefaulttimeout():
    return _default_timeout


def setdefaulttimeout(timeout, /):
    global _default_timeout
    if timeout is not None and timeout < 0:
        raise ValueError("Timeout value out of range")
    _default_timeout = None if timeout is None else float(timeout)


def gethostname():
    return _os.uname().nodename


_SERVICES = {"echo": 7, "ftp": 21, "ssh": 22, "telnet": 23, "smtp": 25, "domain": 53, "http": 80, "pop3": 110, "ntp": 123,
             "imap2": 143, "https": 443}


def getservbyname(servicename, protocolname=None, /):
    if servicename not in _SERVICES or protocolname not in (None, "tcp", "udp"):
        raise OSError("service/proto not found")
    return _SERVICES[servicename]


def getservbyport(port, protocolname=None, /):
    for name, number in _SERVICES.items():
        if number == port and protocolname in (None, "tcp", "udp"):
            return name
    raise OSError("port/proto not found")


def _found(host, port):
    try:
        return _sockets.addresses(host, port)
    except OSError as e:
        raise gaierror(*e.args) from None


def getaddrinfo(host, port, family=0, type=0, proto=0, flags=0):
    if isinstance(host, bytes):
        host = host.decode()
    if isinstance(port, (str, bytes)):
        port = port.decode() if isinstance(port, bytes) else port
        if port.isdigit():
            port = int(port)
        elif port in _SERVICES:
            port = _SERVICES[port]
        else:
            raise gaierror(EAI_SERVICE, "Servname not supported for ai_socktype")
    if not host:
        found = [(AF_INET6, ("::" if flags & AI_PASSIVE else "::1", port or 0, 0, 0)),
                 (AF_INET, ("0.0.0.0" if flags & AI_PASSIVE else "127.0.0.1", port or 0))]
        if flags & AI_PASSIVE:
            found.reverse()
    else:
        if flags & AI_NUMERICHOST and not all(char in "0123456789abcdefABCDEF.:" for char in host):
            raise gaierror(EAI_NONAME, "Name or service not known")
        found = _found(host, port or 0)
    kinds = [(kind, protocol) for kind, protocol in ((SOCK_STREAM, IPPROTO_TCP), (SOCK_DGRAM, IPPROTO_UDP), (SOCK_RAW, 0))
             if type in (0, kind) and proto in (0, protocol)]
    rows = [(each, kind, protocol, host if flags & AI_CANONNAME and host else "", address)
            for each, address in found if family in (0, each) for kind, protocol in kinds]
    if not rows:
        raise gaierror(EAI_NONAME, "Name or service not known")
    return rows


def gethostbyname(hostname, /):
    return getaddrinfo(hostname, 0, AF_INET, SOCK_STREAM)[0][4][0] if hostname else "0.0.0.0"


def gethostbyname_ex(hostname, /):
    rows = getaddrinfo(hostname, 0, AF_INET, SOCK_STREAM)
    return hostname, [], [row[4][0] for row in rows]


def gethostbyaddr(ip_address, /):
    # There is no reverse look-up: a numeric address is its own name.
    rows = getaddrinfo(ip_address, 0, 0, SOCK_STREAM)
    return ip_address, [], [row[4][0] for row in rows]


NI_NUMERICHOST, NI_NUMERICSERV = 1, 2
_NUMERIC = NI_NUMERICHOST | NI_NUMERICSERV


def getnameinfo(sockaddr, flags, /):
    if flags & _NUMERIC != _NUMERIC:
        raise NotImplementedError("getnameinfo() that looks names up is not implemented in janus-jit yet")
    return sockaddr[0], str(sockaddr[1])


def inet_aton(ip_string, /):
    parts = ip_string.split(".")
    if len(parts) != 4 or not all(part.isdigit() and int(part) < 256 for part in parts):
        raise OSError("illegal IP address string passed to inet_aton")
    return bytes(map(int, parts))


def inet_ntoa(packed_ip, /):
    if len(packed_ip) != 4:
        raise OSError("packed IP wrong length")
    return ".".join(map(str, packed_ip))


def inet_pton(address_family, ip_string, /):
    import ipaddress
    try:
        made = (ipaddress.IPv4Address if address_family == AF_INET else ipaddress.IPv6Address)(ip_string)
    except ValueError:
        raise OSError("illegal IP address string passed to inet_pton") from None
    return made.packed


def inet_ntop(address_family, packed_ip, /):
    import ipaddress
    if len(packed_ip) != (4 if address_family == AF_INET else 16):
        raise ValueError("invalid length of packed IP address string")
    return str(ipaddress.ip_address(bytes(packed_ip)))


def htons(x, /):
    return int.from_bytes(x.to_bytes(2, "big"), "little")


def htonl(x, /):
    return int.from_bytes(x.to_bytes(4, "big"), "little")


ntohs, ntohl = htons, htonl
