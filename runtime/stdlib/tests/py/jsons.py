# json and csv.
import json, io, csv
def show(f, *a, **k):
    try:
        print(repr(f(*a, **k)))
    except Exception as e:
        print(type(e).__name__, e)
data = {"a": 1, "b": [1.5, True, None, "x\n\"é😀\\"], "c": {}, "d": [], "e": {"z": -0.0, "y": 1e100, "w": 10**25}, 1: 2, 2.5: "f", None: 0, True: 1}
print(json.dumps(data)); print(json.dumps(data, indent=2)); print(json.dumps(data, ensure_ascii=False, separators=(",", ":"))); print(json.dumps({"b": 1, "a": [1, 2]}, sort_keys=True, indent="\t")); print(json.dumps([float("nan"), float("inf"), -float("inf")])); print(json.dumps((1, 2)), json.dumps("x"), json.dumps(None), json.dumps(1.0), json.dumps([[], {}], indent=1), json.dumps([1, [2]], indent=0))
show(json.dumps, float("nan"), allow_nan=False); show(json.dumps, {1, 2}); show(json.dumps, {(1, 2): 3}); print(json.dumps({(1, 2): 3, "a": 1}, skipkeys=True)); print(json.dumps([{1}], default=list), json.dumps({"x": object}, default=str))
l = []; l.append(l); show(json.dumps, l); show(json.dumps, object())
class E(json.JSONEncoder):
    def default(self, o):
        if isinstance(o, complex): return [o.real, o.imag]
        return super().default(o)
print(json.dumps({"c": 1 + 2j}, cls=E, indent=1)); show(json.dumps, {1}, cls=E); print(E(sort_keys=True).encode({"b": 1, "a": 2}))
for t in ['{"a": [1, 2.5, -3e2, true, false, null, "\\u00e9\\n\\ud83d\\ude00"]}', "[]", "  1  ", '"x"', "1e5", "-0", "123456789012345678901234567890", "NaN", "-Infinity", "", "{", "[1,", '{"a" 1}', '{"a": }', "[1 2]", "tru", '"abc', '"a\nb"', '{"a":1,}', "[1,]", "1 2", '"\\x"', '"\\u12"', "{'a': 1}", "01", "1.", '{"a":1, "a":2}', "[" * 3]:
    show(json.loads, t)
show(json.loads, b'{"a": 1}'); show(json.loads, 5); print(json.loads("[1.5, 2]", parse_float=str, parse_int=lambda s: s + "i"), json.loads('{"a": {"b": 1}}', object_hook=lambda d: sorted(d)), json.loads('{"a": 1}', object_pairs_hook=list))
try: json.loads('{\n "a": x}')
except json.JSONDecodeError as e: print(e.msg, e.pos, e.lineno, e.colno, isinstance(e, ValueError), e)
f = io.StringIO(); json.dump({"k": [1, 2]}, f, indent=1); f.seek(0); print(f.getvalue(), json.load(f))
import enum
class Color(enum.IntEnum): RED = 1
class MyInt(int): pass
print(json.dumps([Color.RED, MyInt(5), True]), json.dumps({Color.RED: 1}))
for s in ["a,b,c\n1,2,3\n", 'x,"y ""q"", z",\n"multi\nline",2\n', "a;b\n", "\n\na\n", 'a,"b"c,d', " a, b\n", "a\tb", '"unclosed', "", "1,2\r\n3,4\r\n"]:
    show(lambda: list(csv.reader(io.StringIO(s, newline=""))))
print(list(csv.reader(["a;'b;c'"], delimiter=";", quotechar="'")), list(csv.reader(["a\tb"], "excel-tab")), list(csv.reader(["1,\"2\",x"], quoting=csv.QUOTE_ALL)), list(csv.reader(['1.5,"a"'], quoting=csv.QUOTE_NONNUMERIC)), list(csv.reader(["a, b"], skipinitialspace=True)), list(csv.reader(["a\\,b,c"], escapechar="\\")))
out = io.StringIO(newline=""); w = csv.writer(out); print(w.writerow([1, 2.5, None, "a,b", 'q"q', "x\ny", "", True])); w.writerows([["a"], []]); print(repr(out.getvalue()))
for kw in (dict(quoting=csv.QUOTE_ALL), dict(quoting=csv.QUOTE_NONNUMERIC), dict(delimiter="\t"), dict(lineterminator="\n"), dict(quoting=csv.QUOTE_NONE, escapechar="\\"), dict(quotechar="'")):
    out = io.StringIO(newline=""); csv.writer(out, **kw).writerow(["a,b", 1, "c'd\t", 'e"f', 2.5]); print(repr(out.getvalue()))
show(csv.writer(io.StringIO(), quoting=csv.QUOTE_NONE).writerow, ["a,b"]); show(csv.writer(io.StringIO()).writerow, 5); show(csv.reader, [], delimiter="xx"); show(lambda: next(csv.reader([b"a"])))
rd = csv.DictReader(io.StringIO("a,b\n1,2\n3,4,5\n6\n")); print(rd.fieldnames, [dict(r) for r in rd], rd.line_num)
out = io.StringIO(newline=""); dw = csv.DictWriter(out, fieldnames=["x", "y"], restval="-"); dw.writeheader(); dw.writerow({"x": 1, "y": 2}); dw.writerow({"x": 3}); print(repr(out.getvalue())); show(dw.writerow, {"z": 1}); dw2 = csv.DictWriter(out, ["x"], extrasaction="ignore"); dw2.writerow({"x": 1, "q": 2})
