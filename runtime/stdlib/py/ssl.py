"""`ssl` of CPython as the crate has it, with what is commented out there."""

import _pyssl
from _ssl import MemoryBIO, SSLSession

globals().update({name: value for name, value in vars(_pyssl).items() if not name.startswith("__")})
for _value in (SSLContext, SSLObject, SSLSocket, Purpose, TLSVersion, VerifyMode, VerifyFlags, Options, AlertDescription,
               SSLErrorNumber, _SSLMethod):
    _value.__module__ = __name__
del _value
