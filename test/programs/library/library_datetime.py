"""Dates and times: naive and aware ones, local time, texts."""
from datetime import *
from fractions import Fraction
def show(*fs):
    for f in fs:
        try: r = f()
        except Exception as e: r = (type(e).__name__, str(e))
        print(repr(r))
n = datetime(2020,1,1); a = datetime(2020,1,1,tzinfo=timezone.utc); a2 = datetime(2020,1,1,2,tzinfo=timezone(timedelta(hours=2)))
show(lambda: n < a, lambda: n == a, lambda: n != a, lambda: a == a2, lambda: a < a2, lambda: a - a2, lambda: n - a, lambda: a - n, lambda: hash(a)==hash(a2),
 lambda: a <= n, lambda: sorted([n,a]), lambda: max(n,a), lambda: a >= a2, lambda: n in [a], lambda: {n:1}.get(a))
t, u, v = time(1), time(1,tzinfo=timezone.utc), time(3,tzinfo=timezone(timedelta(hours=2)))
show(lambda: t < u, lambda: t == u, lambda: u == v, lambda: u < v, lambda: hash(u)==hash(v), lambda: t - u)
d = date(2020,1,1)
show(lambda: d < n, lambda: d == n, lambda: n == d, lambda: n > d, lambda: d - n, lambda: n - d, lambda: d + timedelta(1,5), lambda: d < 3, lambda: d == 3, lambda: timedelta(1) < 3, lambda: timedelta(1) == 1, lambda: n + 1, lambda: n - 1, lambda: 1 + d, lambda: timedelta(1) / timedelta(0), lambda: timedelta(1)//0, lambda: timedelta(3) % timedelta(2), lambda: divmod(timedelta(5), timedelta(2)), lambda: timedelta(1) * 1.5, lambda: timedelta(1) * Fraction(1,2), lambda: timedelta(1)/2.5, lambda: n + timedelta.max, lambda: -timedelta.max, lambda: timedelta.max + timedelta(1), lambda: timedelta.min, lambda: abs(timedelta(-1)), lambda: n.astimezone(timezone.utc).tzinfo, lambda: a.astimezone(timezone(timedelta(hours=-5))), lambda: a.replace(tzinfo=None) == n, lambda: a.utcoffset(), lambda: n.utcoffset(), lambda: a.timetuple(), lambda: n.utctimetuple(), lambda: datetime.fromtimestamp(0, timezone.utc), lambda: datetime.utcfromtimestamp(1e9), lambda: a.timestamp(), lambda: datetime.fromisoformat('2020-01-01T00:00:00+05:30'), lambda: datetime.fromisoformat('2020-W01-1'), lambda: datetime.fromisoformat('20200101T101010Z'), lambda: datetime.fromisoformat('x'), lambda: datetime.strptime('2020-01-02 +0530', '%Y-%m-%d %z'), lambda: a.strftime('%Z %z %j %U %W'), lambda: datetime(2020,13,1), lambda: datetime(2020,2,30), lambda: datetime(0,1,1), lambda: time(25), lambda: timezone(timedelta(hours=24)), lambda: timezone(3), lambda: timezone(timedelta(hours=1), 'X'), lambda: timezone.utc == timezone(timedelta(0)), lambda: datetime.combine(d, u), lambda: a.isocalendar(), lambda: a.isoformat(timespec='milliseconds'), lambda: str(timedelta(days=-1, seconds=5)), lambda: n.replace(fold=1), lambda: n.replace(fold=1) == n, lambda: datetime(2020,1,1,tzinfo=3))
class TZ(tzinfo):
    def __repr__(self): return "TZ()"
    def utcoffset(self, dt): return timedelta(minutes=90)
    def dst(self, dt): return timedelta(0)
    def tzname(self, dt): return 'TZ'
z = datetime(2021,5,5,tzinfo=TZ())
show(lambda: z, lambda: z.isoformat(), lambda: z - a, lambda: z.astimezone(timezone.utc), lambda: a.astimezone(z.tzinfo), lambda: z.tzname())
class None_(tzinfo):
    def utcoffset(self, dt): return None
w = datetime(2020,1,1,tzinfo=None_())
show(lambda: w == n, lambda: w < n, lambda: w - n, lambda: w == a, lambda: w < a, lambda: w - a, lambda: w.tzname(), lambda: w.dst())
class Bad(tzinfo):
    def utcoffset(self, dt): return 5
show(lambda: datetime(2020,1,1,tzinfo=Bad()).utcoffset(), lambda: datetime(2020,1,1,tzinfo=Bad()) == a)
class DD(datetime): pass
x = DD(2020,1,1)
show(lambda: x + timedelta(1), lambda: x == n, lambda: type(x.replace(year=2021)), lambda: type(x - n), lambda: DD.fromisoformat('2020-01-01'), lambda: DD.now().__class__)
import time, os
def show(*fs):
    for f in fs:
        try: r = f()
        except Exception as e: r = (type(e).__name__, str(e))
        print(repr(r))
for z in ['EST5EDT,M3.2.0,M11.1.0', 'IST-5:30', 'AEST-10AEDT,M10.1.0,M4.1.0/3', 'UTC0']:
    os.environ['TZ'] = z; time.tzset()
    print(time.tzname, time.timezone, time.altzone, time.daylight)
    for t in [0, 1.6e9, 1593600000.5, 1606780800, -1e9, 1604210400, 1604214000]:
        l = time.localtime(t)
        show(lambda: l, lambda: (l.tm_zone, l.tm_gmtoff), lambda: time.mktime(l), lambda: time.strftime('%Y-%m-%d %H:%M:%S %Z %z %j %U %W %a %A %b %B %p %I %y %c %x %X %%', l), lambda: datetime.fromtimestamp(t), lambda: datetime.fromtimestamp(t).timestamp(), lambda: datetime.fromtimestamp(t, timezone.utc).astimezone(), lambda: datetime.fromtimestamp(t).astimezone(timezone.utc), lambda: time.ctime(t), lambda: time.asctime(l), lambda: datetime.fromtimestamp(t).fold)
    show(lambda: time.mktime((2020, 7, 1, 0, 0, 0, 0, 0, -1)), lambda: time.mktime((2020, 3, 8, 2, 30, 0, 0, 0, -1)), lambda: time.mktime((2020, 13, 1, 0, 0, 0, 0, 0, 0)))
show(lambda: time.strftime('%Y', (2020, 13, 1, 0, 0, 0, 0, 0, 0)), lambda: time.strftime('', time.gmtime(0)), lambda: time.strftime('%d', (2020,)*3), lambda: time.gmtime(1e20), lambda: time.gmtime(float('nan')), lambda: time.strftime('%Q %', time.gmtime(0)),
 lambda: time.strptime('2020-01-02 03:04:05', '%Y-%m-%d %H:%M:%S'), lambda: time.strptime('1 Jan 20', '%d %b %y'), lambda: time.strptime('x', '%Y'), lambda: time.strptime('2020 5 1', '%Y %U %w'), lambda: datetime.strptime('12:30 PM', '%I:%M %p'), lambda: datetime.strptime('2020-06-01T01:02:03.5Z', '%Y-%m-%dT%H:%M:%S.%f%z'), lambda: datetime.strptime('29 Feb 2021', '%d %b %Y'), lambda: datetime.strptime('2020', '%Y-%m'), lambda: datetime.strptime('2020x', '%Y'), lambda: datetime.strptime('Monday', '%A'), lambda: datetime(2020,1,1).strftime('%G-W%V-%u %s'), lambda: date(2020,5,17).strftime('%d/%m/%y'), lambda: datetime(2020,1,1,1,2,3,45).strftime('%f %H:%M'), lambda: f'{datetime(2020,1,1):%Y/%m/%d}', lambda: time.struct_time(range(9)), lambda: time.struct_time(range(11)).tm_gmtoff, lambda: time.struct_time(range(3)), lambda: time.struct_time(range(12)), lambda: date(999,1,1).strftime('%Y'), lambda: date(5,1,1).isoformat())
import pickle, copy
for o in [datetime(2020,1,2,3,4,5,6), datetime(2020,1,1,tzinfo=timezone.utc,fold=1), time.gmtime(0), date(2020,1,1), timedelta(1,2,3), timezone(timedelta(hours=1),'A')]:
    show(lambda: pickle.loads(pickle.dumps(o)), lambda: copy.deepcopy(o) == o)
d = datetime(2020,1,1)
show(lambda: hash(d) == hash(datetime(2020,1,1)), lambda: {d: 1}[datetime(2020,1,1)], lambda: datetime(2020,1,1) - datetime(2019,1,1), lambda: (datetime(2020,1,1) - datetime(2019,1,1)).total_seconds(), lambda: datetime.min, lambda: datetime.max, lambda: date.today() <= date.today(), lambda: type(datetime.now(timezone.utc).tzinfo), lambda: datetime(2020, 1), lambda: datetime('x'), lambda: datetime(2020.5,1,1), lambda: datetime(2020,1,1).date(), lambda: datetime(2020,1,1).time(), lambda: d.isocalendar().week, lambda: date.fromisocalendar(2020,53,7), lambda: date.fromisocalendar(2021,53,7), lambda: date.fromordinal(0), lambda: datetime.__module__, lambda: datetime.__name__, lambda: str(datetime), lambda: datetime.fromtimestamp(1e18), lambda: timedelta(days=1.5, hours=-3, weeks=2), lambda: timedelta(microseconds=0.5), lambda: timedelta(microseconds=1.5), lambda: timedelta(float('nan')), lambda: str(timedelta(5, 7, 9)), lambda: repr(timedelta()), lambda: timedelta(1) // timedelta(hours=5), lambda: round(timedelta(1)/timedelta(hours=7), 6), lambda: timedelta(seconds=1) == timedelta(milliseconds=1000), lambda: bool(timedelta(0)))
