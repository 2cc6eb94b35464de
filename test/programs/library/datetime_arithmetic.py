import datetime as D
from datetime import *
def t(f):
    try: return f()
    except Exception as e: return f'{type(e).__name__}: {e}'
class Sub(datetime):
    def __new__(cls, *a, **k): return super().__new__(cls, *a, **k)
tz = timezone(timedelta(hours=2))
for f in [lambda: timedelta(1, 2, 3), lambda: timedelta(-1, 5), lambda: timedelta(days=1.5), lambda: timedelta(weeks=1), lambda: timedelta(hours=True), lambda: timedelta(True), lambda: timedelta(0, 10**10, -1),
    lambda: timedelta(999999999, 86400), lambda: timedelta('a'), lambda: timedelta(seconds='a'), lambda: timedelta(milliseconds=1, minutes=2), lambda: timedelta(microseconds=0.5), lambda: timedelta(microseconds=1.5),
    lambda: datetime(2020, 2, 29) + timedelta(366), lambda: datetime(2020, 12, 31, 23, 59, 59, 999999) + timedelta(microseconds=1), lambda: datetime(1, 1, 1) + timedelta(-1), lambda: datetime(9999, 12, 31) + timedelta(1), lambda: timedelta(1) + datetime(2020, 1, 1, tzinfo=tz),
    lambda: datetime(9999, 12, 31) - timedelta(-1), lambda: datetime(2020, 1, 1) - timedelta(1, 5), lambda: datetime(2020, 1, 1) - datetime(2019, 1, 1, 3), lambda: date(1, 1, 1) - timedelta(1), lambda: date(9999, 12, 31) + timedelta(1), lambda: datetime(2020, 1, 1) + 1, lambda: 1 + datetime(2020, 1, 1), lambda: datetime(2020, 1, 1) + date(2020, 1, 1),
    lambda: Sub(2020, 1, 1) + timedelta(1), lambda: type(Sub(2020, 1, 1) + timedelta(1)).__name__, lambda: datetime(2020, 1, 1, fold=1) + timedelta(0), lambda: (datetime(2020, 1, 1, fold=1) + timedelta(0)).fold,
    lambda: datetime(2020, 13, 1), lambda: datetime(2020, 2, 30), lambda: datetime(0, 1, 1), lambda: datetime(2020, 1, 1, 24), lambda: datetime(2020, 1, 1, 1, 60), lambda: datetime(2020, 1, 1, 1, 1, 60), lambda: datetime(2020, 1, 1, 1, 1, 1, 10**6), lambda: datetime(2020, 1, 1, fold=2), lambda: datetime(2020, 1.0, 1), lambda: datetime('a', 1, 1), lambda: datetime(True, True, True),
    lambda: date(2020, 1, 31), lambda: date(2021, 2, 29), lambda: time(1, 2, 3), lambda: datetime(2020, 1, 29) + timedelta(hours=30), lambda: hash(timedelta(1)) == hash(timedelta(hours=24)), lambda: timedelta(1) * 2 + timedelta(1) / 3, lambda: sum((timedelta(i) for i in range(5)), timedelta()),
    lambda: datetime.__add__.__name__, lambda: timedelta(1) == timedelta(hours=24), lambda: [datetime(2020, 1, 1) + timedelta(days=i) for i in range(0, 800, 200)]]:
    print(t(f))
