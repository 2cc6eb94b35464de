"""The C part under `ssl`: all that a script sets up beforehand is there; a connection is refused when it begins."""


# OpenSSL's numbers, by the prefix of their names.
_NUMBERS = {
    "ALERT_DESCRIPTION_": {
        "ACCESS_DENIED": 49, "BAD_CERTIFICATE": 42, "BAD_CERTIFICATE_HASH_VALUE": 114,
        "BAD_CERTIFICATE_STATUS_RESPONSE": 113, "BAD_RECORD_MAC": 20, "CERTIFICATE_EXPIRED": 45,
        "CERTIFICATE_REVOKED": 44, "CERTIFICATE_UNKNOWN": 46, "CERTIFICATE_UNOBTAINABLE": 111, "CLOSE_NOTIFY": 0,
        "DECODE_ERROR": 50, "DECOMPRESSION_FAILURE": 30, "DECRYPT_ERROR": 51, "HANDSHAKE_FAILURE": 40,
        "ILLEGAL_PARAMETER": 47, "INSUFFICIENT_SECURITY": 71, "INTERNAL_ERROR": 80, "NO_RENEGOTIATION": 100,
        "PROTOCOL_VERSION": 70, "RECORD_OVERFLOW": 22, "UNEXPECTED_MESSAGE": 10, "UNKNOWN_CA": 48,
        "UNKNOWN_PSK_IDENTITY": 115, "UNRECOGNIZED_NAME": 112, "UNSUPPORTED_CERTIFICATE": 43,
        "UNSUPPORTED_EXTENSION": 110, "USER_CANCELLED": 90,
    },
    "SSL_ERROR_": {
        "EOF": 8, "INVALID_ERROR_CODE": 10, "SSL": 1, "SYSCALL": 5, "WANT_CONNECT": 7, "WANT_READ": 2, "WANT_WRITE":
        3, "WANT_X509_LOOKUP": 4, "ZERO_RETURN": 6,
    },
    "VERIFY_": {
        "ALLOW_PROXY_CERTS": 64, "CRL_CHECK_CHAIN": 12, "CRL_CHECK_LEAF": 4, "DEFAULT": 0, "X509_PARTIAL_CHAIN":
        524288, "X509_STRICT": 32, "X509_TRUSTED_FIRST": 32768,
    },
    "CERT_": {
        "NONE": 0, "OPTIONAL": 1, "REQUIRED": 2,
    },
    "HOSTFLAG_": {
        "ALWAYS_CHECK_SUBJECT": 1, "MULTI_LABEL_WILDCARDS": 8, "NEVER_CHECK_SUBJECT": 32, "NO_PARTIAL_WILDCARDS": 4,
        "NO_WILDCARDS": 2, "SINGLE_LABEL_SUBDOMAINS": 16,
    },
    "OP_": {
        "ALL": 2147483728, "CIPHER_SERVER_PREFERENCE": 4194304, "ENABLE_MIDDLEBOX_COMPAT": 1048576,
        "IGNORE_UNEXPECTED_EOF": 128, "NO_COMPRESSION": 131072, "NO_RENEGOTIATION": 1073741824, "NO_SSLv2": 0,
        "NO_SSLv3": 33554432, "NO_TICKET": 16384, "NO_TLSv1": 67108864, "NO_TLSv1_1": 268435456, "NO_TLSv1_2":
        134217728, "NO_TLSv1_3": 536870912, "SINGLE_DH_USE": 0, "SINGLE_ECDH_USE": 0,
    },
    "PROTOCOL_": {
        "SSLv23": 2, "TLS": 2, "TLS_CLIENT": 16, "TLS_SERVER": 17, "TLSv1": 3, "TLSv1_1": 4, "TLSv1_2": 5,
    },
    "PROTO_": {
        "MAXIMUM_SUPPORTED": -1, "MINIMUM_SUPPORTED": -2, "SSLv3": 768, "TLSv1": 769, "TLSv1_1": 770, "TLSv1_2":
        771, "TLSv1_3": 772,
    },
    "ENCODING_": {
        "DER": 2, "PEM": 1,
    },
}
globals().update({prefix + name: value for prefix, names in _NUMBERS.items() for name, value in names.items()})

# The version whose numbers these are.
OPENSSL_VERSION_NUMBER = 0x30000000
OPENSSL_VERSION_INFO = _OPENSSL_API_VERSION = (3, 0, 0, 0, 0)
OPENSSL_VERSION = "OpenSSL 3.0.0 (its numbers alone: no TLS in janus-jit)"
_DEFAULT_CIPHERS = "@SECLEVEL=2:ALL:!COMPLEMENTOFDEFAULT:!eNULL"
HAS_SNI = HAS_ECDH = HAS_ALPN = HAS_TLSv1_2 = HAS_TLSv1_3 = True
HAS_NPN = HAS_SSLv2 = HAS_SSLv3 = HAS_TLSv1 = HAS_TLSv1_1 = False


class SSLError(OSError):
    """An error occurred in the SSL implementation."""

    def __str__(self):
        return str(self.strerror) if self.strerror is not None else super().__str__()


class SSLZeroReturnError(SSLError):
    """SSL/TLS session closed cleanly."""


class SSLWantReadError(SSLError):
    """Non-blocking SSL socket needs to read more data."""


class SSLWantWriteError(SSLError):
    """Non-blocking SSL socket needs to write more data."""


class SSLSyscallError(SSLError):
    """System error when attempting SSL operation."""


class SSLEOFError(SSLError):
    """SSL/TLS connection terminated abruptly."""


class SSLCertVerificationError(SSLError, ValueError):
    """A certificate could not be verified."""


for _class in (SSLError, SSLZeroReturnError, SSLWantReadError, SSLWantWriteError, SSLSyscallError, SSLEOFError,
               SSLCertVerificationError):
    _class.__module__ = "ssl"


def _refuse(what):
    return SSLError(SSL_ERROR_SSL, f"{what}: TLS is not implemented in janus-jit yet")


def RAND_status():
    return True


def RAND_add(string, entropy, /):
    """The system's generator needs no more entropy."""
    if not isinstance(entropy, (int, float)):
        raise TypeError(f"must be real number, not {type(entropy).__name__}")
    memoryview(string.encode() if isinstance(string, str) else string)


def RAND_bytes(n, /):
    import os

    if n < 0:
        raise ValueError("num must be positive")
    return os.urandom(n)


def RAND_pseudo_bytes(n, /):
    return RAND_bytes(n), True


# The objects that `ssl` itself names, by their numbers in OpenSSL.
_OBJECTS = {
    129: ("serverAuth", "TLS Web Server Authentication", "1.3.6.1.5.5.7.3.1"),
    130: ("clientAuth", "TLS Web Client Authentication", "1.3.6.1.5.5.7.3.2"),
}


def nid2obj(nid, /):
    if nid not in _OBJECTS:
        raise ValueError(f"unknown NID {nid}")
    return (nid, *_OBJECTS[nid])


def txt2obj(txt, name=False):
    for nid, (short, long, oid) in _OBJECTS.items():
        if txt == oid or name and txt in (short, long):
            return nid, short, long, oid
    raise ValueError(f"unknown object '{txt}'")


def get_default_verify_paths():
    return "SSL_CERT_FILE", "/usr/lib/ssl/cert.pem", "SSL_CERT_DIR", "/usr/lib/ssl/certs"


class MemoryBIO:
    """Bytes on their way."""

    def __init__(self):
        self._data, self.eof_written = bytearray(), False

    @property
    def pending(self):
        return len(self._data)

    @property
    def eof(self):
        return self.eof_written and not self._data

    def read(self, size=-1, /):
        size = len(self._data) if size < 0 else size
        taken = bytes(self._data[:size])
        del self._data[:size]
        return taken

    def write(self, b, /):
        if self.eof_written:
            raise _refuse("cannot write() after write_eof()")
        self._data += b
        return len(b)

    def write_eof(self):
        self.eof_written = True


class SSLSession:
    def __new__(cls, *args, **kwargs):
        raise TypeError("cannot create '_ssl.SSLSession' instances")


class _SSLSocket:
    """A connection that did not begin."""

    def __init__(self, context, server_side, server_hostname, owner, session):
        self.context, self.server_side, self.server_hostname = context, server_side, server_hostname
        self.owner, self.session, self.session_reused = owner, session, False

    def do_handshake(self):
        raise _refuse("do_handshake()")

    def read(self, len, buffer=None):
        raise _refuse("read()")

    def write(self, b):
        raise _refuse("write()")

    def shutdown(self):
        raise _refuse("shutdown()")

    def get_unverified_chain(self):
        raise _refuse("get_unverified_chain()")

    def get_verified_chain(self):
        raise _refuse("get_verified_chain()")

    def verify_client_post_handshake(self):
        raise _refuse("verify_client_post_handshake()")

    def getpeercert(self, binary_mode=False):
        raise ValueError("handshake not done yet")

    def get_channel_binding(self, cb_type="tls-unique"):
        return None

    def cipher(self):
        return None

    def shared_ciphers(self):
        return None

    def compression(self):
        return None

    def version(self):
        return None

    def selected_alpn_protocol(self):
        return None

    def selected_npn_protocol(self):
        return None

    def pending(self):
        return 0


def _setting(name):
    def set(self, value):
        if name == "verify_mode" and value == CERT_NONE and self.check_hostname:
            raise ValueError("Cannot set verify_mode to CERT_NONE when check_hostname is enabled.")
        if name == "check_hostname":
            value = not not value
            if value and self._settings["verify_mode"] == CERT_NONE:
                self._settings["verify_mode"] = CERT_REQUIRED
        self._settings[name] = value

    return property(lambda self: self._settings[name], set)


class _SSLContext:
    """What a script sets up for connections."""

    def __new__(cls, protocol=2, *args, **kwargs):
        self = object.__new__(cls)
        of_client = protocol == PROTOCOL_TLS_CLIENT
        self._settings = {
            "options": OP_ALL | OP_NO_SSLv3 | OP_CIPHER_SERVER_PREFERENCE | OP_NO_COMPRESSION,
            "verify_flags": VERIFY_X509_TRUSTED_FIRST, "verify_mode": CERT_REQUIRED if of_client else CERT_NONE,
            "check_hostname": of_client, "minimum_version": PROTO_MINIMUM_SUPPORTED,
            "maximum_version": PROTO_MAXIMUM_SUPPORTED, "_host_flags": HOSTFLAG_NO_PARTIAL_WILDCARDS,
            "post_handshake_auth": False, "keylog_filename": None, "sni_callback": None, "num_tickets": 2,
            "_msg_callback": None, "protocol": protocol,
        }
        self._trusted = []
        return self

    options, verify_flags, verify_mode = _setting("options"), _setting("verify_flags"), _setting("verify_mode")
    check_hostname, num_tickets = _setting("check_hostname"), _setting("num_tickets")
    minimum_version, maximum_version = _setting("minimum_version"), _setting("maximum_version")
    _host_flags, post_handshake_auth = _setting("_host_flags"), _setting("post_handshake_auth")
    keylog_filename, sni_callback, _msg_callback = map(_setting, ("keylog_filename", "sni_callback", "_msg_callback"))
    protocol = property(lambda self: self._settings["protocol"])
    security_level = property(lambda self: 2)

    def set_ciphers(self, cipherlist, /):
        self._settings["ciphers"] = cipherlist

    def _set_alpn_protocols(self, protos, /):
        self._settings["alpn"] = bytes(protos)

    def set_default_verify_paths(self):
        self._trusted.append(("default", None))

    def load_verify_locations(self, cafile=None, capath=None, cadata=None):
        if cafile is None and capath is None and cadata is None:
            raise TypeError("cafile, capath and cadata cannot be all omitted")
        if cafile is not None:
            with open(cafile, "rb") as file:
                self._trusted.append(("file", file.read()))
        if capath is not None:
            self._trusted.append(("path", capath))
        if cadata is not None:
            self._trusted.append(("data", cadata))

    def load_cert_chain(self, certfile, keyfile=None, password=None):
        raise _refuse("load_cert_chain()")

    def load_dh_params(self, path, /):
        raise _refuse("load_dh_params()")

    def set_ecdh_curve(self, name, /):
        raise _refuse("set_ecdh_curve()")

    def cert_store_stats(self):
        raise _refuse("cert_store_stats()")

    def get_ca_certs(self, binary_form=False):
        raise _refuse("get_ca_certs()")

    def get_ciphers(self):
        raise _refuse("get_ciphers()")

    def session_stats(self):
        raise _refuse("session_stats()")

    def _wrap_socket(self, sock, server_side, server_hostname=None, *, owner=None, session=None):
        return _SSLSocket(self, server_side, server_hostname, owner, session)

    def _wrap_bio(self, incoming, outgoing, server_side, server_hostname=None, *, owner=None, session=None):
        if not isinstance(incoming, MemoryBIO) or not isinstance(outgoing, MemoryBIO):
            raise TypeError("wrap_bio() takes two MemoryBIOs")
        return _SSLSocket(self, server_side, server_hostname, owner, session)
