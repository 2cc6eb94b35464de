# Searching in bytes, from both ends, in ranges, for numbers and for parts; and without copying what is searched.
import time

for kind in (bytes, bytearray):
    data = kind(b"abcabcab")
    print(data.find(b"ca"), data.rfind(b"ca"), data.index(b"b"), data.rindex(b"b"), data.find(98, 2), data.rfind(97, 0, 6))
    print(data.find(b""), data.rfind(b""), data.find(b"", 8), data.find(b"", 9), data.rfind(b"", 2, 4), data.rindex(b""))
    print(data.find(b"x"), data.rfind(b"abcabcabc"), data.index(b"a", -3), data.rindex(memoryview(b"ab"), None, -1))
    print(data.count(b"ab"), data.count(b""), data.count(97, 1), data.startswith((b"x", b"bc"), 1), data.endswith(b"ca", 0, 7))
    for wrong in (lambda: data.index(b"x"), lambda: data.rindex(b"x"), lambda: data.index(300), lambda: data.rfind("a"),
                  lambda: data.index(2**70), lambda: data.find(), lambda: data.rindex(b"a", "x")):
        try:
            print(wrong())
        except (ValueError, TypeError) as error:
            print(type(error).__name__)

large = bytearray(1_000_000)
begun = time.process_time()
for _ in range(5000):
    large.find(1, 999_990)
    large.startswith(b"\x01", 999_990)
    large.count(1, 999_990)
    large.rfind(1, 999_990)
print(time.process_time() - begun < 1)
