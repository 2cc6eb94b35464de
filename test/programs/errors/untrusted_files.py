"""Files that are cut, changed or made to harm: each is refused with an exception, and nothing in them is run."""

import ast
import io
import os
import pickle
import struct
import zipfile

import numpy as np
import torch


def tried(name, function, *args, says=True):
    try:
        found = function(*args)
        print(name, "->", repr(found))
    except Exception as error:
        print(name, type(error).__name__, str(error) if says else "")


print("pickles")
tried("text that looks like code", pickle.loads, b"S'' + __import__('os').getcwd() + ''\n.")
tried("escapes", pickle.loads, b"S'a\\n\\x41\\101\\q\\\\'\n.")
tried("escape cut", pickle.loads, b"S'a\\x4'\n.", says=False)
tried("without quotes", pickle.loads, b"Sabc\n.")
for data in (b"(.", b"((tt.", b"0.", b"1.", b"a.", b"2.", b"R.", b"\x86.", b"K\1\x86.", b"t.", b"}(K\1u.", b"(K\1d.",
             b"\x8b\xff\xff\xff\xff.", b"T\xff\xff\xff\xffabc.", b"h\5.", b"g5\n.", b"p-1\n.", b"]K\1.", b"NN\x93.",
             b"\x80\x09N.", b"\x8b\xff\xff\xff\x7fabc.", b"X\xff\xff\xff\xffa.", b"K\1K\2\x81.", b""):
    tried(data, pickle.loads, data)
whole = pickle.dumps({"a": [1, 2.5, "x", b"y", (None, True)], "b": {1, 2}}, 2)


def caught(function, data):
    try:
        function(data)
    except Exception as error:
        return type(error).__name__
    return "read"


print(sorted({caught(pickle.loads, whole[:n]) for n in range(len(whole))}))

print("weights")


def load(data):
    return torch.load(io.BytesIO(data))


def archive(text):
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w") as z:
        z.writestr("a/data.pkl", text)
        z.writestr("a/version", "3\n")
        z.writestr("a/byteorder", "little")
    return made.getvalue()


class Harm:
    def __reduce__(self):
        return (os.putenv, ("UNTRUSTED", "yes"))


for name, text in {
    "a call": pickle.dumps(Harm(), 2),
    "code in text": b"\x80\x02S'' + __import__('os').getcwd() + ''\n.",
    "a class is changed": b"\x80\x02ctorch\nTensor\nN}X\x04\x00\x00\x00sizeK\x01s\x86b.",
    "a function is changed": b"\x80\x02c_codecs\nencode\n}X\x01\x00\x00\x00aK\x01sb.",
    "a text is called": b"\x80\x02X\x01\x00\x00\x00a)R.",
    "an int is made": b"\x80\x02K\x01)\x81.",
    "protocol 4": pickle.dumps("x", 4),
    "huge": b"\x80\x02cbuiltins\nbytearray\n\x8a\x08\0\0\0\0\0\0\0\x10\x85R.",
}.items():
    print(name, caught(load, archive(text)))
print(torch.Tensor.size is not None, torch.ones(2).size())
saved = io.BytesIO()
torch.save({"a": torch.arange(6.0), "b": [1, "x"]}, saved)
saved = saved.getvalue()
print("cut:", sum(caught(load, saved[:n]) == "read" for n in range(len(saved))))

print("arrays")


def npy(header, data=bytes(16)):
    text = header.encode()
    return b"\x93NUMPY\x01\x00" + struct.pack("<H", len(text)) + text + data


def array(data):
    return np.load(io.BytesIO(data))


HEADER = "{'descr': %s, 'fortran_order': %s, 'shape': %s, }          \n"
for fields in (("'<f8'", "False", "(2,)"), ("'<f8'", "False", "(1,)"), ("'<f8'", "False", "(3,)"),
               ("'<f8'", "False", "(-1,)"), ("'<f8'", "False", "3"), ("'<f8'", "5", "(2,)"), ("'x'", "False", "(2,)"),
               ("5", "False", "(2,)")):
    tried(fields, array, npy(HEADER % fields))
for fields in (("'<f8'", "False", "(1000000000000000000,)"), ("'<f8'", "False", "(4294967296, 4294967296)"),
               ("'<f8' rf'{1}'", "False", "(2,)"), ("'<f8'", "False", "(10**18,)")):
    print(fields, caught(array, npy(HEADER % fields)) in ("ValueError", "MemoryError", "SyntaxError"))
for data in (b"\x93NUMPY", b"\x93NUMPY\x01\x00", b"\x93NUMPY\x09\x00aaaaaa", b"\x93NUMPY\x01\x00\xff\xffaaaaaa", b"",
             npy("[]\n"), npy("{'a': 1}\n")):
    tried(data[:20], array, data)
two = io.BytesIO()
np.save(two, np.arange(3))
np.save(two, np.arange(2.0))
two.seek(0)
print(np.load(two), np.load(two), caught(np.load, two))

print("archives")


def archived(name, data):
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as z:
            print(name, [z.read(info) for info in z.infolist()])
    except Exception as error:
        print(name, type(error).__name__, error if "encrypted" not in str(error) else "")


two = io.BytesIO()
with zipfile.ZipFile(two, "w") as z:
    z.writestr("a.txt", "hello" * 5)
    z.writestr("d/b", b"")
two = two.getvalue()
end, entry = two.rfind(b"PK\x05\x06"), two.find(b"PK\x01\x02")


def with_number(at, number):
    return two[:at] + struct.pack("<I", number) + two[at + 4:]


archived("whole", two)
archived("a large directory", with_number(end + 12, 10**6))
archived("a small directory", with_number(end + 12, 60))
archived("no directory", two.replace(b"PK\x01\x02", b"PK\x01\x03", 1))
archived("another name", two.replace(b"a.txt", b"b.txt", 1))
archived("no header", two.replace(b"PK\x03\x04", b"PK\x03\x05", 1))
archived("encrypted", two[:entry + 8] + b"\x01" + two[entry + 9:])
archived("a header elsewhere", with_number(entry + 42, 10**6))
archived("a large size", with_number(entry + 20, 10**6))
archived("a small size", with_number(entry + 24, 10))
archived("a size that is not there", two.replace(struct.pack("<II", 25, 25), b"\xff" * 8))
archived("an unknown method", two[:entry + 10] + b"\x63" + two[entry + 11:])
archived("other bytes", two.replace(b"hello", b"hellx", 1))
archived("nothing", b"")
print(sorted({caught(lambda data: zipfile.ZipFile(io.BytesIO(data)), two[:n]) for n in range(len(two))}))

print("literals")
for text in ("'a' rf'{1}'", "'a' f'{1}'", "'abc", "'\\", "'a' 'b' r'\\n'", "u'a' 'b'", "b'a' b'b'", "'a' u", "'a' b", "['a'"):
    try:
        print(text, repr(ast.literal_eval(text)))
    except (ValueError, SyntaxError):
        print(text, "is refused")

print("sizes")
huge = 10**18
for text in ("bytes(huge)", "bytearray(huge)", "[0] * huge", "'x'.ljust(huge)", "'5'.zfill(huge)", "b'x'.center(huge)",
             "(5).to_bytes(huge, 'little')", "'a\\tb'.expandtabs(huge)", "struct.pack(f'{huge}x')", "os.urandom(huge)",
             "len('%.70000f' % 0.1)", "('%.70000e' % 0.1)[60:70]", "len(format(2.5, '.70000g'))"):
    try:
        print(text, eval(text))
    except (MemoryError, OverflowError):
        print(text, "MemoryError")

print("bytes")
print(b"abab".replace(b"a", b"x", 1), b"ab".replace(b"", b"-"), b"ab".replace(b"", b"-", 2), b"ab".replace(b"b", b"-", 0),
      bytearray(b"").replace(b"", b"x"), b"aab".replace(b"a", b"", -1))
print(b" a b  c ".split(None, 1), b"a\x0bb".split(), b" a b ".split(None, 0), b"".split(), b"a b".split(maxsplit=-1))
