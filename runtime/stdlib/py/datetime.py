"""Dates and times: CPython's version in Python, with the messages and the names of its version in C."""

import _pydatetime
import _types
from _pydatetime import MAXYEAR, MINYEAR, UTC, date, datetime, time, timedelta, timezone, tzinfo
from operator import index as _index
import time as _time

__all__ = ["date", "datetime", "time", "timedelta", "timezone", "tzinfo", "MINYEAR", "MAXYEAR", "UTC"]

_RANGE = "offset must be a timedelta strictly between -timedelta(hours=24) and timedelta(hours=24)"
_ISO_DATE = _pydatetime._IsoCalendarDate
_CLASSES = (timedelta, tzinfo, timezone, date, time, datetime, _ISO_DATE)


def _name_of(cls):
    """The name of a class in a message: with the module, if it is one of ours."""
    return f"datetime.{cls.__name__}" if cls in _CLASSES else cls.__name__


def _check_date_fields(year, month, day):
    if (type(year) is type(month) is type(day) is int
            and MINYEAR <= year <= MAXYEAR and 1 <= month <= 12 and 1 <= day <= 28):
        return year, month, day
    year = _index(year)
    for number, (name, value) in enumerate((("month", month), ("day", day)), 2):
        if value is None:
            raise TypeError(f"function missing required argument '{name}' (pos {number})")
    month, day = _index(month), _index(day)
    if not MINYEAR <= year <= MAXYEAR:
        raise ValueError(f"year {year} is out of range")
    if not 1 <= month <= 12:
        raise ValueError("month must be in 1..12")
    if not 1 <= day <= _pydatetime._days_in_month(year, month):
        raise ValueError("day is out of range for month")
    return year, month, day


def _check_time_fields(hour, minute, second, microsecond, fold):
    if (type(hour) is type(minute) is type(second) is type(microsecond) is int and fold == 0
            and 0 <= hour <= 23 and 0 <= minute <= 59 and 0 <= second <= 59 and 0 <= microsecond <= 999999):
        return hour, minute, second, microsecond, fold
    fields = _index(hour), _index(minute), _index(second), _index(microsecond)
    for name, value, limit in zip(("hour", "minute", "second", "microsecond"), fields, (23, 59, 59, 999999)):
        if not 0 <= value <= limit:
            raise ValueError(f"{name} must be in 0..{limit}")
    if fold not in (0, 1):
        raise ValueError("fold must be either 0 or 1")
    return *fields, fold


def _check_tzinfo_arg(tz):
    if tz is not None and not isinstance(tz, tzinfo):
        raise TypeError(f"tzinfo argument must be None or of a tzinfo subclass, not type '{_name_of(type(tz))}'")


def _check_utc_offset(name, offset):
    if offset is None:
        return
    if not isinstance(offset, timedelta):
        raise TypeError(f"tzinfo.{name}() must return None or timedelta, not '{_name_of(type(offset))}'")
    if not timedelta(-1) < offset < timedelta(1):
        raise ValueError(f"{_RANGE}.")


def _cmperror(x, y):
    raise TypeError(f"can't compare {_name_of(type(x))} to {_name_of(type(y))}")


for _check in (_check_date_fields, _check_time_fields, _check_tzinfo_arg, _check_utc_offset, _cmperror):
    setattr(_pydatetime, _check.__name__, _check)


def _with_text(cls, name, kind, said, says):
    """Lets a method's exception of that kind say what the version in C says of what follows `said`, by which it is known.

    Several of these are a tuple, of which nothing follows.
    """
    inner = getattr(cls, name)

    def method(*args, **kwargs):
        try:
            return inner(*args, **kwargs)
        except kind as e:
            if not str(e).startswith(said):
                raise
            text = says(str(e)[len(said):] if isinstance(said, str) else None)
        raise kind(text)

    method.__name__, method.__qualname__, method.__doc__ = name, f"{cls.__name__}.{name}", inner.__doc__
    setattr(cls, name, method)


for _cls in (datetime, time):
    _with_text(_cls, "_cmp", TypeError, "cannot compare naive and aware ",
               lambda kind: f"can't compare offset-naive and offset-aware {kind}")
_with_text(datetime, "__sub__", TypeError, "cannot mix naive and timezone-aware time",
           lambda _: "can't subtract offset-naive and offset-aware datetimes")


def _datetime_add(self, other):
    if not isinstance(other, timedelta):
        return NotImplemented
    carry, microsecond = divmod(self._microsecond + other._microseconds, 1_000_000)
    seconds = (self._hour * 60 + self._minute) * 60 + self._second + other._seconds + carry
    carry, seconds = divmod(seconds, 86_400)
    days = self.toordinal() + other._days + carry
    if not 0 < days <= _pydatetime._MAXORDINAL:
        raise OverflowError("date value out of range")
    minutes, second = divmod(seconds, 60)
    hour, minute = divmod(minutes, 60)
    return type(self)(*_pydatetime._ord2ymd(days), hour, minute, second, microsecond, tzinfo=self._tzinfo)


for _name in ("__add__", "__radd__"):
    _datetime_add.__name__, _datetime_add.__qualname__ = "__add__", "datetime.__add__"
    setattr(datetime, _name, _datetime_add)
_TOO_LARGE = "result out of range", "timedelta # of days is too large", "days="
for _cls, _name in ((date, "__add__"), (date, "__radd__"), (date, "__sub__"), (datetime, "__sub__")):
    _with_text(_cls, _name, OverflowError, _TOO_LARGE, lambda _: "date value out of range")
_TIMEDELTA_FIELDS = "days", "seconds", "microseconds", "milliseconds", "minutes", "hours", "weeks"


def _new_timedelta(cls, days=0, seconds=0, microseconds=0, milliseconds=0, minutes=0, hours=0, weeks=0, *,
                   _new=timedelta.__new__):
    fields = days, seconds, microseconds, milliseconds, minutes, hours, weeks
    if type(days) is type(seconds) is type(microseconds) is int and fields[3:] == (0, 0, 0, 0):
        carry, microseconds = divmod(microseconds, 1_000_000)
        carry, seconds = divmod(seconds + carry, 86_400)
        days += carry
        if -999_999_999 <= days <= 999_999_999:
            self = object.__new__(cls)
            self._days, self._seconds, self._microseconds, self._hashcode = days, seconds, microseconds, -1
            return self
    for name, value in zip(_TIMEDELTA_FIELDS, fields):
        if not isinstance(value, (int, float)):
            raise TypeError(f"unsupported type for timedelta {name} component: {_name_of(type(value))}")
    return _new(cls, *fields)


_new_timedelta.__name__, _new_timedelta.__qualname__ = "__new__", "timedelta.__new__"
timedelta.__new__ = _new_timedelta
_with_text(timedelta, "__new__", OverflowError, "timedelta # of days is too large: ",
           lambda days: f"days={days}; must have magnitude <= 999999999")


def _date_sub(self, other, _sub=date.__sub__):
    return NotImplemented if isinstance(other, datetime) else _sub(self, other)


date.__sub__ = _date_sub


def _new_timezone(cls, offset, name=timezone._Omitted, _new=timezone.__new__):
    if not isinstance(offset, timedelta):
        raise TypeError(f"timezone() argument 1 must be datetime.timedelta, not {type(offset).__name__}")
    if not timedelta(-1) < offset < timedelta(1):
        raise ValueError(f"{_RANGE}, not {offset!r}.")
    return _new(cls, offset, name)


timezone.__new__ = _new_timezone


def _to_be_implemented(name):
    def method(self, dt, /):
        raise NotImplementedError(f"a tzinfo subclass must implement {name}()")

    method.__name__, method.__qualname__ = name, f"tzinfo.{name}"
    return method


for _name in ("tzname", "utcoffset", "dst"):
    setattr(tzinfo, _name, _to_be_implemented(_name))


@classmethod
def _fromordinal(cls, n, /):
    if n < 1:
        raise ValueError("ordinal must be >= 1")
    return cls(*_pydatetime._ord2ymd(n))


@classmethod
def _utcfromtimestamp(cls, timestamp, /):
    return cls._fromtimestamp(timestamp, True, None)


@classmethod
def _utcnow(cls, /):
    return cls._fromtimestamp(_time.time(), True, None)


date.fromordinal = _fromordinal
# They warn from 3.12 on.
datetime.utcfromtimestamp, datetime.utcnow = _utcfromtimestamp, _utcnow


def _named_as_in_c(cls):
    shown = cls.__repr__

    def __repr__(self):
        its, text = type(self), shown(self)
        if getattr(self, "tzinfo", None) is not None and text.endswith(", fold=1)"):
            zone = f", tzinfo={self.tzinfo!r}"
            text = f"{text.removesuffix(f'{zone}, fold=1)')}, fold=1{zone})"
        return text if its is cls else its.__name__ + text[text.index("("):]

    cls.__repr__ = __repr__


for _cls in (timedelta, date, time, datetime):
    _named_as_in_c(_cls)
_ISO_DATE.__repr__ = lambda self: f"datetime.IsoCalendarDate(year={self[0]}, week={self[1]}, weekday={self[2]})"
for _cls in _CLASSES:
    _cls.__module__ = "datetime"
_types.qualified(*_CLASSES)
del _check, _cls, _name
