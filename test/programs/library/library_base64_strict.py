# base64 where nothing is passed over, and % with classes derived from str on its right.
import base64
import binascii

for data in b"YWJj", b"YWI=", b"YQ==", b"=YWJj", b"YW=Jj", b"YWI=x", b"YW Jj", b"YWJ", b"Y", b"", b"YQ=", b"YQ===", b"YQ==\n", b"YWJj=", "YWJj":
    for strict in False, True:
        try:
            print(data, strict, binascii.a2b_base64(data, strict_mode=strict), base64.b64decode(data, validate=strict))
        except ValueError as e:
            print(data, strict, type(e).__name__, e)


class S(str):
    def __str__(self):
        return "STR"

    def __mod__(self, other):
        return "mod"


s = S("abc")
for i in range(40):
    shown = "%s" % s, "%s %s" % (s, 1), s % 1, "%r" % s
print(shown)
