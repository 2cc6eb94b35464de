"""marshal: values and code as bytes."""
import marshal
for v in [None, True, 1, -5, 2**31, -2**100, 1.5, 1+2j, "a", "é"*300, "x"*300, b"abc", (1, (2,)), [1, [2]], {"a": 1}, {1, 2}, frozenset([3]), ..., bytearray(b"q")]:
    d = marshal.dumps(v, 2); print(marshal.loads(marshal.dumps(v)) == (bytes(v) if isinstance(v, bytearray) else v), len(d))
    print(marshal.dumps(v, 2) if not isinstance(v, str) else "")
c = compile("x = [i * 2 for i in range(5)]\ndef f(): return x", "<m>", "exec")
ns = {}; exec(marshal.loads(marshal.dumps(c)), ns); print(ns["f"]())
for bad in [b"", b"i\1", b"[\1\0\0\0", b"r\0\0\0\0"]:
    try: marshal.loads(bad)
    except (EOFError, ValueError, TypeError) as e: print(type(e).__name__)
try: marshal.dumps(object())
except ValueError as e: print(e)
