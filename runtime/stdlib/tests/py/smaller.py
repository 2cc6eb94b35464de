# string, textwrap, struct, hashlib, datetime, time, logging, warnings, inspect, statistics, pprint, weakref, threading, queue, typing odds.
import string, textwrap, struct, hashlib, datetime as dt, time, logging, warnings, inspect, statistics, pprint, weakref, threading, queue, sys, traceback, io, base64, binascii, uuid, errno, gc, platform, keyword, shlex, signal, numbers, itertools, secrets, unicodedata, fractions, html, ast, getpass, calendar, locale, codecs, importlib, atexit, contextlib
def show(f, *a, **k):
    try:
        print(repr(f(*a, **k)))
    except Exception as e:
        print(type(e).__name__, e)
print(string.ascii_letters, string.digits, string.punctuation, repr(string.whitespace), string.capwords("hello wORLD"), string.Template("$a ${b} $$").substitute(a=1, b=2), string.Template("$x $y").safe_substitute(x=1)); show(string.Template("$x").substitute)
t = "The quick brown fox jumped over the lazy dog and-then some hyphen-ated words."
print(textwrap.fill(t, 20)); print(textwrap.wrap(t, 30, initial_indent="* ", subsequent_indent="  ")); print(repr(textwrap.dedent("\n    a\n      b\n    c\n"))); print(textwrap.indent("a\n\nb\n", "> ")); print(textwrap.shorten(t, 30)); print(textwrap.wrap("aaaaaaaaaaaaaaaaaaaaa b", 5))
print(struct.pack("<IhB", 1, -2, 255), struct.unpack("<IhB", b"\x01\x00\x00\x00\xfe\xff\xff"), struct.calcsize("iqb"), struct.calcsize("<iqb"), struct.pack(">d", 1.5), struct.pack("3s2x?", b"ab", True), struct.unpack("!HH", b"\x00\x01\x00\x02"), struct.pack("e", 1.5), struct.unpack("f", struct.pack("f", 0.1)), struct.pack("bhl", 1, 2, 3), list(struct.iter_unpack("<H", b"\x01\x00\x02\x00")), struct.unpack_from("<H", b"xx\x05\x00", 2), struct.Struct("<I").pack(7)); show(struct.pack, "B", 256); show(struct.unpack, "I", b"a"); show(struct.pack, "I"); show(struct.pack, "zz"); show(struct.pack, "i", "x"); ba = bytearray(6); struct.pack_into("<H", ba, 2, 513); print(ba)
print(hashlib.md5(b"abc").hexdigest(), hashlib.sha256(b"").hexdigest(), hashlib.sha1(b"x").digest(), hashlib.new("sha512", b"q").hexdigest()[:16], hashlib.sha3_256(b"a").hexdigest()[:16]); h = hashlib.md5(); h.update(b"a"); h2 = h.copy(); h.update(b"b"); print(h.hexdigest(), h2.hexdigest(), h.name, h.digest_size, h.block_size); show(hashlib.md5, "x"); show(hashlib.new, "nope")
print(base64.b64encode(b"hello\xff"), base64.b64decode("aGVsbG8="), base64.urlsafe_b64encode(b"\xfb\xff"), base64.b16encode(b"\x1f"), base64.b32encode(b"hi"), binascii.hexlify(b"\x01\xff"), binascii.unhexlify("01ff"), binascii.crc32(b"hello")); show(base64.b64decode, "a")
d = dt.datetime(2024, 2, 29, 13, 5, 9, 123456); print(d, repr(d), d.isoformat(), d.date(), d.time(), d + dt.timedelta(days=1, hours=12), d - dt.datetime(2024, 1, 1), d.strftime("%Y-%m-%d %H:%M:%S.%f %j %a %b %p %I %y %%"), d.weekday(), d.isoweekday(), d.isocalendar(), d.replace(year=2023, day=1), d.timetuple()[:6], d.toordinal(), d.ctime(), d < dt.datetime(2025, 1, 1), f"{d:%d/%m}", d.timestamp())
print(dt.datetime.strptime("2024-03-01 10:20:30", "%Y-%m-%d %H:%M:%S"), dt.datetime.strptime("5 Jan 21 3PM", "%d %b %y %I%p"), dt.datetime.fromisoformat("2024-01-02T03:04:05+02:00"), dt.date.fromisoformat("2024-01-02"), dt.datetime.fromtimestamp(0, dt.timezone.utc), dt.datetime.utcfromtimestamp(1.5), dt.timezone(dt.timedelta(hours=5, minutes=30)), dt.datetime(2024, 1, 1, tzinfo=dt.timezone.utc).isoformat(), dt.date(2024, 12, 31) - dt.date(2024, 1, 1), dt.date.fromordinal(738000), dt.time(1, 2, 3), dt.time.fromisoformat("01:02"), dt.datetime.combine(dt.date(2020, 1, 1), dt.time(5)), dt.datetime.min, dt.date.max)
for a in (dict(days=1, seconds=5), dict(hours=-1), dict(weeks=2, microseconds=3), dict(seconds=1.5), dict(milliseconds=1500), dict(days=0.5), {}): td = dt.timedelta(**a); print(td, repr(td), td.total_seconds(), td * 2, td / 2, -td, abs(td), bool(td))
print(dt.timedelta(days=3) // dt.timedelta(hours=5), dt.timedelta(days=3) % dt.timedelta(hours=5), dt.timedelta(1) > dt.timedelta(0), divmod(dt.timedelta(1), dt.timedelta(hours=7)), dt.timedelta(1) * 1.5); show(dt.date, 2023, 2, 29); show(dt.datetime, 2023, 13, 1); show(dt.datetime.strptime, "x", "%Y"); show(dt.datetime.strptime, "2024x", "%Y"); show(lambda: d - 5); show(dt.date.fromisoformat, "zz"); show(dt.timedelta, "x"); print(dt.datetime(2024, 1, 1, tzinfo=dt.timezone.utc).astimezone(dt.timezone(dt.timedelta(hours=2))), hash(d) == hash(dt.datetime(2024, 2, 29, 13, 5, 9, 123456)))
print(time.strftime("%Y-%m-%d %H:%M:%S", time.gmtime(0)), time.gmtime(86400)[:9], time.gmtime(0).tm_year, time.mktime((2024, 1, 1, 0, 0, 0, 0, 0, 0)) > 0, time.strptime("2024", "%Y").tm_yday, time.asctime(time.gmtime(0)), time.perf_counter() < time.perf_counter(), time.time() > 1e9, time.monotonic() >= 0, time.process_time() >= 0, time.gmtime(0))
buf = io.StringIO(); logging.basicConfig(stream=buf, level=logging.INFO, format="%(levelname)s|%(name)s|%(message)s|%(funcName)s|%(lineno)d"); logging.info("hi %s %d", "x", 3); logging.debug("no"); lg = logging.getLogger("a.b"); lg.warning("w"); lg.setLevel("ERROR"); lg.info("no"); lg.error("e")
def inner(): lg.critical("deep")
inner()
try: 1 / 0
except ZeroDivisionError: logging.exception("exc")
print(buf.getvalue().replace(__file__, "FILE")); print(logging.getLevelName(20), lg.getEffectiveLevel(), lg.isEnabledFor(20), logging.getLogger("a.b") is lg, lg.parent is logging.root, logging.root.handlers[0].__class__.__name__, lg)
hd = logging.StreamHandler(sys.stdout); hd.setFormatter(logging.Formatter("{levelname}:{message}", style="{")); l2 = logging.getLogger("z"); l2.addHandler(hd); l2.propagate = False; l2.info("via handler"); l2.debug("x")
sys.stderr = sys.stdout
with warnings.catch_warnings(record=True) as w:
    warnings.simplefilter("always"); warnings.warn("careful", UserWarning); warnings.warn("dep", DeprecationWarning); print(len(w), w[0].message, w[1].category.__name__, w[0].lineno)
with warnings.catch_warnings():
    warnings.simplefilter("error"); show(warnings.warn, "boom")
warnings.filterwarnings("ignore", message=".*quiet.*"); warnings.warn("be quiet"); warnings.filterwarnings("ignore"); warnings.warn("nothing")
def sig(a, b: int = 2, /, c=3, *args, d, e: str = "x", **kw) -> int: pass
print(inspect.signature(sig), list(inspect.signature(sig).parameters), inspect.signature(sig).parameters["e"].default, inspect.signature(lambda x, *, y=1: 0), inspect.isfunction(sig), inspect.isclass(int), inspect.ismodule(inspect), inspect.isbuiltin(len), inspect.isgeneratorfunction(sig), inspect.getfullargspec(sig).args, inspect.signature(sig).bind(1, 2, d=3).arguments, inspect.Parameter.empty in [p.default for p in inspect.signature(sig).parameters.values()])
class K:
    "Doc.\n\n    more"
    def __init__(self, x, y=1): pass
    def m(self, z): "mdoc"
print(inspect.signature(K), inspect.signature(K(1).m), inspect.getdoc(K), [n for n, _ in inspect.getmembers(K, inspect.isfunction)], inspect.getmro(bool), inspect.ismethod(K(1).m)); show(inspect.signature, 5)
import statistics as st
print(st.mean([1, 2, 3, 4]), st.mean([1.5, 2.5]), st.median([3, 1, 2]), st.median([1, 2, 3, 4]), st.mode("aab"), st.stdev([1, 2, 3, 4]), st.pstdev([1, 2, 3]), st.variance([2.75, 1.75, 1.25, 0.25]), st.pvariance([1, 2]), st.fmean([1, 2]), st.harmonic_mean([40, 60]), st.geometric_mean([54, 24, 36]), st.multimode("aabb"), st.quantiles([1, 2, 3, 4, 5]), st.median_low([1, 2]), st.median_high([1, 2])); show(st.mean, []); show(st.variance, [1])
pprint.pprint({"b": list(range(30)), "a": {"x": "y" * 40, "z": ["long string number %d" % i for i in range(3)]}}); pprint.pprint([1, 2]); print(pprint.pformat({"k": (1,), "s": {3, 1, 2}}, width=10)); pprint.pprint({"a": 1, "c": 2, "b": 3}, sort_dicts=False)
class Obj: pass
o = Obj(); r = weakref.ref(o); print(r() is o, r == weakref.ref(o)); wv = weakref.WeakValueDictionary(); wv["k"] = o; wk = weakref.WeakKeyDictionary(); wk[o] = 5; ws = weakref.WeakSet([o]); print(len(wv), wk[o], o in ws); pr = weakref.proxy(o); o.attr = 5; print(pr.attr); del o; print(r(), len(wv), len(wk), len(ws)); show(weakref.ref, 5); show(lambda: pr.attr)
lk = threading.Lock()
with lk: print(lk.locked(), lk.acquire(blocking=False))
th = threading.Thread(target=lambda a, b=1: print("in thread", a, b), args=(5,), kwargs={"b": 6}); th.start(); th.join(); print(th.is_alive(), threading.current_thread().name, threading.active_count()); ev = threading.Event(); ev.set(); print(ev.is_set(), ev.wait()); q = queue.Queue(); q.put(1); q.put(2); print(q.get(), q.qsize(), q.empty(), q.full()); pq = queue.PriorityQueue(); pq.put(3); pq.put(1); print(pq.get()); show(queue.Queue().get_nowait)
def tb():
    try: {}["k"]
    except KeyError: return traceback.format_exc()
print(tb().replace(__file__, "F").splitlines()[-1], traceback.format_exception_only(ValueError("v")))
print(gc.collect() >= 0, gc.isenabled(), platform.system(), isinstance(platform.python_version(), str), platform.python_implementation() != "", keyword.iskeyword("for"), shlex.split("a 'b c' \"d e\" f\\ g"), shlex.quote("a b"), errno.ENOENT, errno.errorcode[2], isinstance(3, numbers.Integral), isinstance(1.5, numbers.Number), isinstance(True, numbers.Real), len(secrets.token_hex(4)), unicodedata.normalize("NFC", "e\u0301") == "é", unicodedata.normalize("NFD", "é") == "e\u0301", unicodedata.category("a"), unicodedata.category("é"), unicodedata.category("\u0301"), unicodedata.name("é"), html.escape("<a&'\">"), html.unescape("&lt;&amp;&#39;"), ast.literal_eval("[1, {'a': (2.5, None)}, -3, b'x', {1}]"), codecs.lookup("utf8").name)

try: ast.literal_eval("1 + f()")
except ValueError as e: print(str(e).split(":")[0])
u = uuid.uuid4(); print(len(str(u)), u.version, uuid.UUID("12345678123456781234567812345678"), uuid.uuid5(uuid.NAMESPACE_DNS, "x")); print(calendar.monthrange(2024, 2), calendar.isleap(2024), importlib.import_module("os.path").join("a", "b"))
F = fractions.Fraction; print(F(1, 3) + F(1, 6), F("0.5"), F(3, 4) * 2, F(1, 3) < 0.5, float(F(1, 4)), F(0.5), repr(F(2, 4)), F(7, 3) // 1, round(F(7, 3)), F(3).numerator, F(1, 2) ** 2, abs(F(-1, 2)), int(F(7, 2)), F("1/3").limit_denominator(10)); show(F, 1, 0)
atexit.register(print, "at exit", 1); atexit.register(lambda: print("first"))
