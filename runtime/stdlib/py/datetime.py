"""Dates and times."""

from _refused import refused
import time as _time
import _types
from _time import format as _format, parse as _parse

__all__ = ["date", "datetime", "time", "timedelta", "timezone", "tzinfo", "MINYEAR", "MAXYEAR", "UTC"]

MINYEAR, MAXYEAR = 1, 9999
_DAYS = (31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)
_BEFORE = (0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334)


def _is_leap(year):
    return year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)


def _days_in_month(year, month):
    return 29 if month == 2 and _is_leap(year) else _DAYS[month - 1]


def _days_before_year(year):
    y = year - 1
    return y * 365 + y // 4 - y // 100 + y // 400


def _to_ordinal(year, month, day):
    return _days_before_year(year) + _BEFORE[month - 1] + (month > 2 and _is_leap(year)) + day


def _from_ordinal(n):
    # A first guess that is never too small by more than a year.
    year = n * 400 // 146097 + 1
    while _days_before_year(year) >= n:
        year -= 1
    n -= _days_before_year(year)
    month = 1
    while n > _days_in_month(year, month):
        n -= _days_in_month(year, month)
        month += 1
    return year, month, n


def _check_date(year, month, day):
    from operator import index
    year, month, day = index(year), index(month), index(day)
    if not MINYEAR <= year <= MAXYEAR:
        raise ValueError(f"year {year} is out of range")
    if not 1 <= month <= 12:
        raise ValueError("month must be in 1..12")
    if not 1 <= day <= _days_in_month(year, month):
        raise ValueError("day is out of range for month")
    return year, month, day


def _check_time(hour, minute, second, microsecond, fold=0):
    for value, low, high, name in ((hour, 0, 23, "hour"), (minute, 0, 59, "minute"), (second, 0, 59, "second"),
                                   (microsecond, 0, 999999, "microsecond")):
        if not low <= value <= high:
            raise ValueError(f"{name} must be in {low}..{high}")


def _round_half_even(x):
    return round(x)


class timedelta:
    __slots__ = ("_days", "_seconds", "_microseconds")

    def __new__(cls, days=0, seconds=0, microseconds=0, milliseconds=0, minutes=0, hours=0, weeks=0):
        for value in (days, seconds, microseconds, milliseconds, minutes, hours, weeks):
            if not isinstance(value, (int, float)):
                raise TypeError(f"unsupported type for timedelta days component: {type(value).__name__}")
        days += weeks * 7
        seconds += minutes * 60 + hours * 3600
        microseconds += milliseconds * 1000
        # Whole parts are exact; fractions go down to the next smaller unit.
        fraction = 0.0
        if isinstance(days, float):
            whole = int(days // 1)
            fraction = (days - whole) * 86400.0
            days = whole
        if isinstance(seconds, float):
            whole = int(seconds // 1)
            fraction += seconds - whole
            seconds = whole
        micro = microseconds
        if fraction or isinstance(micro, float):
            whole_seconds = int(fraction // 1)
            seconds += whole_seconds
            micro = _round_half_even(micro + (fraction - whole_seconds) * 1e6)
        carry, micro = divmod(micro, 1000000)
        carry, seconds = divmod(seconds + carry, 86400)
        days += carry
        return cls._make(days, seconds, micro)

    @classmethod
    def _make(cls, days, seconds, microseconds):
        if abs(days) > 999999999:
            raise OverflowError(f"days={days}; must have magnitude <= 999999999")
        self = object.__new__(cls)
        self._days, self._seconds, self._microseconds = days, seconds, microseconds
        return self

    @classmethod
    def _of_microseconds(cls, total):
        seconds, micro = divmod(total, 1000000)
        days, seconds = divmod(seconds, 86400)
        return cls._make(days, seconds, micro)

    days = property(lambda self: self._days)
    seconds = property(lambda self: self._seconds)
    microseconds = property(lambda self: self._microseconds)

    def _total(self):
        return (self._days * 86400 + self._seconds) * 1000000 + self._microseconds

    def total_seconds(self):
        return self._total() / 1000000

    def __repr__(self):
        parts = [f"{name}={getattr(self, name)}" for name in ("days", "seconds", "microseconds") if getattr(self, name)]
        return f"datetime.timedelta({', '.join(parts) or 0})"

    def __str__(self):
        minutes, seconds = divmod(self._seconds, 60)
        hours, minutes = divmod(minutes, 60)
        text = f"{hours}:{minutes:02d}:{seconds:02d}"
        if self._days:
            text = f"{self._days} day{'' if abs(self._days) == 1 else 's'}, {text}"
        if self._microseconds:
            text += f".{self._microseconds:06d}"
        return text

    def __add__(self, other):
        if not isinstance(other, timedelta):
            return NotImplemented
        return timedelta._of_microseconds(self._total() + other._total())

    __radd__ = __add__

    def __sub__(self, other):
        if not isinstance(other, timedelta):
            return NotImplemented
        return timedelta._of_microseconds(self._total() - other._total())

    def __rsub__(self, other):
        if not isinstance(other, timedelta):
            return NotImplemented
        return other - self

    def __neg__(self):
        return timedelta._of_microseconds(-self._total())

    def __pos__(self):
        return self

    def __abs__(self):
        return -self if self._days < 0 else self

    def __mul__(self, other):
        if isinstance(other, int):
            return timedelta._of_microseconds(self._total() * other)
        if isinstance(other, float):
            a, b = other.as_integer_ratio()
            return timedelta._of_microseconds(_divide_nearest(self._total() * a, b))
        return NotImplemented

    __rmul__ = __mul__

    def __truediv__(self, other):
        if isinstance(other, timedelta):
            return self._total() / other._total()
        if isinstance(other, int):
            return timedelta._of_microseconds(_divide_nearest(self._total(), other))
        if isinstance(other, float):
            a, b = other.as_integer_ratio()
            return timedelta._of_microseconds(_divide_nearest(b * self._total(), a))
        return NotImplemented

    def __floordiv__(self, other):
        if isinstance(other, timedelta):
            return self._total() // other._total()
        if isinstance(other, int):
            return timedelta._of_microseconds(self._total() // other)
        return NotImplemented

    def __mod__(self, other):
        if not isinstance(other, timedelta):
            return NotImplemented
        return timedelta._of_microseconds(self._total() % other._total())

    def __divmod__(self, other):
        if not isinstance(other, timedelta):
            return NotImplemented
        q, r = divmod(self._total(), other._total())
        return q, timedelta._of_microseconds(r)

    def __eq__(self, other):
        if not isinstance(other, timedelta):
            return NotImplemented
        return self._total() == other._total()

    def __lt__(self, other):
        if not isinstance(other, timedelta):
            return NotImplemented
        return self._total() < other._total()

    def __le__(self, other):
        if not isinstance(other, timedelta):
            return NotImplemented
        return self._total() <= other._total()

    def __gt__(self, other):
        if not isinstance(other, timedelta):
            return NotImplemented
        return self._total() > other._total()

    def __ge__(self, other):
        if not isinstance(other, timedelta):
            return NotImplemented
        return self._total() >= other._total()

    def __hash__(self):
        return hash(self._total())

    def __bool__(self):
        return self._total() != 0

    def __reduce__(self):
        return self.__class__, (self._days, self._seconds, self._microseconds)


def _divide_nearest(a, b):
    """`a / b` rounded to the nearest int, half to even."""
    q, r = divmod(a, b)
    r *= 2
    if (r > b if b > 0 else r < b) or r == b and q % 2 == 1:
        q += 1
    return q


timedelta.min = timedelta(-999999999)
timedelta.max = timedelta(days=999999999, hours=23, minutes=59, seconds=59, microseconds=999999)
timedelta.resolution = timedelta(microseconds=1)


class tzinfo:
    def utcoffset(self, dt):
        raise NotImplementedError("tzinfo subclass must override utcoffset()")

    def dst(self, dt):
        raise NotImplementedError("tzinfo subclass must override dst()")

    def tzname(self, dt):
        raise NotImplementedError("tzinfo subclass must override tzname()")

    def fromutc(self, dt):
        return dt + self.utcoffset(dt)


def _offset_text(offset, separator=":"):
    total = offset._total() // 1000000
    sign = "-" if total < 0 else "+"
    minutes, seconds = divmod(abs(total), 60)
    hours, minutes = divmod(minutes, 60)
    text = f"{sign}{hours:02d}{separator}{minutes:02d}"
    return text + (f"{separator}{seconds:02d}" if seconds else "")


class timezone(tzinfo):
    def __init__(self, offset, name=None):
        if not isinstance(offset, timedelta):
            raise TypeError("offset must be a timedelta")
        if not timedelta(hours=-24) < offset < timedelta(hours=24):
            raise ValueError("offset must be a timedelta strictly between -timedelta(hours=24) and "
                             "timedelta(hours=24).")
        self._offset, self._name = offset, name

    def utcoffset(self, dt):
        return self._offset

    def dst(self, dt):
        return None

    def tzname(self, dt):
        if self._name is not None:
            return self._name
        return "UTC" + (_offset_text(self._offset) if self._offset else "")

    def __repr__(self):
        if self is timezone.utc:
            return "datetime.timezone.utc"
        if self._name is None:
            return f"datetime.timezone({self._offset!r})"
        return f"datetime.timezone({self._offset!r}, {self._name!r})"

    def __str__(self):
        return self.tzname(None)

    def __eq__(self, other):
        return isinstance(other, timezone) and self._offset == other._offset

    def __hash__(self):
        return hash(self._offset)

    def __reduce__(self):
        return timezone, (self._offset, self._name) if self._name is not None else (self._offset,)


UTC = timezone.utc = timezone(timedelta(0))


class date:
    def __new__(cls, year, month=None, day=None):
        self = object.__new__(cls)
        self._year, self._month, self._day = _check_date(year, month, day)
        return self

    @classmethod
    def fromtimestamp(cls, t):
        moment = _time.localtime(t)
        return cls(moment.tm_year, moment.tm_mon, moment.tm_mday)

    @classmethod
    def today(cls):
        return cls.fromtimestamp(_time.time())

    @classmethod
    def fromordinal(cls, n):
        return cls(*_from_ordinal(n))

    @classmethod
    def fromisoformat(cls, text):
        if len(text) == 8 and text.isdigit():
            return cls(int(text[:4]), int(text[4:6]), int(text[6:]))
        if len(text) == 10 and text[4] == text[7] == "-":
            try:
                return cls(int(text[:4]), int(text[5:7]), int(text[8:]))
            except ValueError as e:
                if "invalid literal" not in str(e):
                    raise
        raise ValueError(f"Invalid isoformat string: {text!r}")

    @classmethod
    def fromisocalendar(cls, year, week, day):
        first = _to_ordinal(year, 1, 4)
        monday = first - (first + 6) % 7
        return cls.fromordinal(monday + (week - 1) * 7 + day - 1)

    year = property(lambda self: self._year)
    month = property(lambda self: self._month)
    day = property(lambda self: self._day)

    def __repr__(self):
        return f"datetime.{self.__class__.__qualname__}({self._year}, {self._month}, {self._day})"

    def isoformat(self):
        return f"{self._year:04d}-{self._month:02d}-{self._day:02d}"

    __str__ = isoformat

    def ctime(self):
        return self.strftime("%a %b %e 00:00:00 %Y")

    def strftime(self, fmt):
        return _format((self._year, self._month, self._day, 0, 0, 0, 0), fmt, "", "")

    def __format__(self, fmt):
        return self.strftime(fmt) if fmt else str(self)

    def timetuple(self):
        return _time.struct_time((self._year, self._month, self._day, 0, 0, 0, self.weekday(),
                                  self.toordinal() - _days_before_year(self._year), -1))

    def toordinal(self):
        return _to_ordinal(self._year, self._month, self._day)

    def replace(self, year=None, month=None, day=None):
        return type(self)(self._year if year is None else year, self._month if month is None else month,
                          self._day if day is None else day)

    def weekday(self):
        return (self.toordinal() + 6) % 7

    def isoweekday(self):
        return self.toordinal() % 7 or 7

    def isocalendar(self):
        thursday = date.fromordinal(self.toordinal() - self.weekday() + 3)
        week = (thursday.toordinal() - _to_ordinal(thursday._year, 1, 1)) // 7 + 1
        return _IsoCalendarDate((thursday._year, week, self.isoweekday()))

    def _key(self):
        return self._year, self._month, self._day

    def _comparable(self, other):
        return isinstance(other, date) and isinstance(other, datetime) == isinstance(self, datetime)

    def __eq__(self, other):
        return self._key() == other._key() if self._comparable(other) else NotImplemented

    def __lt__(self, other):
        return self._key() < other._key() if self._comparable(other) else NotImplemented

    def __le__(self, other):
        return self._key() <= other._key() if self._comparable(other) else NotImplemented

    def __gt__(self, other):
        return self._key() > other._key() if self._comparable(other) else NotImplemented

    def __ge__(self, other):
        return self._key() >= other._key() if self._comparable(other) else NotImplemented

    def __hash__(self):
        return hash(self._key())

    def __add__(self, other):
        if not isinstance(other, timedelta):
            return NotImplemented
        n = self.toordinal() + other.days
        if not 0 < n <= 3652059:
            raise OverflowError("date value out of range")
        return type(self).fromordinal(n)

    __radd__ = __add__

    def __sub__(self, other):
        if isinstance(other, timedelta):
            return self + timedelta(-other.days)
        if isinstance(other, date):
            return timedelta(self.toordinal() - other.toordinal())
        return NotImplemented

    def __reduce__(self):
        return self.__class__, self._key()


class _IsoCalendarDate(tuple):
    __slots__ = ()
    year = property(lambda self: self[0])
    week = property(lambda self: self[1])
    weekday = property(lambda self: self[2])

    def __repr__(self):
        return f"datetime.IsoCalendarDate(year={self[0]}, week={self[1]}, weekday={self[2]})"


date.min, date.max, date.resolution = date(1, 1, 1), date(9999, 12, 31), timedelta(days=1)


def _time_text(hour, minute, second, microsecond, timespec):
    if timespec == "auto":
        timespec = "microseconds" if microsecond else "seconds"
    formats = {
        "hours": f"{hour:02d}", "minutes": f"{hour:02d}:{minute:02d}",
        "seconds": f"{hour:02d}:{minute:02d}:{second:02d}",
        "milliseconds": f"{hour:02d}:{minute:02d}:{second:02d}.{microsecond // 1000:03d}",
        "microseconds": f"{hour:02d}:{minute:02d}:{second:02d}.{microsecond:06d}",
    }
    if timespec not in formats:
        raise ValueError("Unknown timespec value")
    return formats[timespec]


def _parse_iso_time(text):
    zone = None
    for i, c in enumerate(text):
        if c in "+-Z":
            rest = text[i:]
            text = text[:i]
            if rest == "Z":
                zone = timezone.utc
            else:
                digits = rest[1:].replace(":", "")
                offset = timedelta(hours=int(digits[:2]), minutes=int(digits[2:4] or 0), seconds=int(digits[4:6] or 0))
                zone = timezone.utc if not offset else timezone(-offset if rest[0] == "-" else offset)
            break
    main, _, fraction = text.partition(".")
    digits = main.replace(":", "")
    if not digits.isdigit() or len(digits) not in (2, 4, 6) or fraction and not fraction.isdigit():
        raise ValueError(text)
    parts = [int(digits[i:i + 2]) for i in range(0, len(digits), 2)] + [0, 0]
    return parts[0], parts[1], parts[2], int((fraction + "000000")[:6]), zone


class time:
    def __new__(cls, hour=0, minute=0, second=0, microsecond=0, tzinfo=None, *, fold=0):
        _check_time(hour, minute, second, microsecond)
        self = object.__new__(cls)
        self._hour, self._minute, self._second, self._microsecond = hour, minute, second, microsecond
        self._tzinfo = tzinfo
        self._fold = fold
        return self

    @classmethod
    def fromisoformat(cls, text):
        try:
            return cls(*_parse_iso_time(text.removeprefix("T")))
        except ValueError:
            raise ValueError(f"Invalid isoformat string: {text!r}") from None

    hour = property(lambda self: self._hour)
    minute = property(lambda self: self._minute)
    second = property(lambda self: self._second)
    microsecond = property(lambda self: self._microsecond)
    tzinfo = property(lambda self: self._tzinfo)
    fold = property(lambda self: self._fold)

    def utcoffset(self):
        return None if self._tzinfo is None else self._tzinfo.utcoffset(None)

    def tzname(self):
        return None if self._tzinfo is None else self._tzinfo.tzname(None)

    def isoformat(self, timespec="auto"):
        text = _time_text(self._hour, self._minute, self._second, self._microsecond, timespec)
        offset = self.utcoffset()
        return text if offset is None else text + _offset_text(offset)

    __str__ = isoformat

    def __repr__(self):
        parts = [self._hour, self._minute]
        if self._second or self._microsecond:
            parts.append(self._second)
        if self._microsecond:
            parts.append(self._microsecond)
        shown = list(map(str, parts))
        if self._tzinfo is not None:
            shown.append(f"tzinfo={self._tzinfo!r}")
        return f"datetime.{self.__class__.__qualname__}({', '.join(shown)})"

    def strftime(self, fmt):
        return _format((1900, 1, 1, self._hour, self._minute, self._second, self._microsecond), fmt,
                       _offset_text(self.utcoffset(), "") if self._tzinfo else "", self.tzname() or "")

    def __format__(self, fmt):
        return self.strftime(fmt) if fmt else str(self)

    def replace(self, hour=None, minute=None, second=None, microsecond=None, tzinfo=True):
        return type(self)(self._hour if hour is None else hour, self._minute if minute is None else minute,
                          self._second if second is None else second,
                          self._microsecond if microsecond is None else microsecond,
                          self._tzinfo if tzinfo is True else tzinfo)

    def _key(self):
        total = ((self._hour * 60 + self._minute) * 60 + self._second) * 1000000 + self._microsecond
        offset = self.utcoffset()
        return total if offset is None else total - offset._total()

    def __eq__(self, other):
        return self._key() == other._key() if isinstance(other, time) else NotImplemented

    def __lt__(self, other):
        return self._key() < other._key() if isinstance(other, time) else NotImplemented

    def __le__(self, other):
        return self._key() <= other._key() if isinstance(other, time) else NotImplemented

    def __gt__(self, other):
        return self._key() > other._key() if isinstance(other, time) else NotImplemented

    def __ge__(self, other):
        return self._key() >= other._key() if isinstance(other, time) else NotImplemented

    def __hash__(self):
        return hash(self._key())

    def __reduce__(self):
        return self.__class__, (self._hour, self._minute, self._second, self._microsecond, self._tzinfo)


time.min, time.max, time.resolution = time(0, 0, 0), time(23, 59, 59, 999999), timedelta(microseconds=1)
_EPOCH = _to_ordinal(1970, 1, 1)


class datetime(date):
    def __new__(cls, year, month=None, day=None, hour=0, minute=0, second=0, microsecond=0, tzinfo=None, *, fold=0):
        self = object.__new__(cls)
        self._year, self._month, self._day = _check_date(year, month, day)
        _check_time(hour, minute, second, microsecond)
        self._hour, self._minute, self._second, self._microsecond = hour, minute, second, microsecond
        self._tzinfo = tzinfo
        self._fold = fold
        return self

    hour = property(lambda self: self._hour)
    minute = property(lambda self: self._minute)
    second = property(lambda self: self._second)
    microsecond = property(lambda self: self._microsecond)
    tzinfo = property(lambda self: self._tzinfo)
    fold = property(lambda self: self._fold)

    @classmethod
    def _of_microseconds(cls, total, tz=None):
        """The date and time that many microseconds after the start of 1970."""
        days, rest = divmod(total, 86400000000)
        seconds, micro = divmod(rest, 1000000)
        minutes, second = divmod(seconds, 60)
        hour, minute = divmod(minutes, 60)
        n = days + _EPOCH
        if not 0 < n <= 3652059:
            raise OverflowError("date value out of range")
        return cls(*_from_ordinal(n), hour, minute, second, micro, tz)

    def _microseconds(self):
        days = self.toordinal() - _EPOCH
        return (((days * 24 + self._hour) * 60 + self._minute) * 60 + self._second) * 1000000 + self._microsecond

    @classmethod
    def fromtimestamp(cls, timestamp, tz=None):
        micro = round(timestamp * 1000000) if isinstance(timestamp, int) else _microseconds_of(timestamp)
        if tz is not None:
            return tz.fromutc(cls._of_microseconds(micro, tz))
        moment = _time.localtime(micro // 1000000)
        return cls(moment[0], moment[1], moment[2], moment[3], moment[4], moment[5], micro % 1000000)

    @classmethod
    def utcfromtimestamp(cls, timestamp):
        return cls._of_microseconds(_microseconds_of(timestamp))

    @classmethod
    def now(cls, tz=None):
        return cls.fromtimestamp(_time.time(), tz)

    @classmethod
    def utcnow(cls):
        return cls.utcfromtimestamp(_time.time())

    @classmethod
    def today(cls):
        return cls.now()

    @classmethod
    def combine(cls, date, time, tzinfo=True):
        return cls(date.year, date.month, date.day, time.hour, time.minute, time.second, time.microsecond,
                   time.tzinfo if tzinfo is True else tzinfo)

    @classmethod
    def fromisoformat(cls, text):
        try:
            at = 10 if text[4:5] == "-" else 8
            day = date.fromisoformat(text[:at])
            if len(text) == at:
                return cls(day.year, day.month, day.day)
            return cls(day.year, day.month, day.day, *_parse_iso_time(text[at + 1:]))
        except (ValueError, IndexError):
            raise ValueError(f"Invalid isoformat string: {text!r}") from None

    @classmethod
    def strptime(cls, date_string, format):
        fields, offset = _parse(date_string, format)
        tz = None if offset is None else timezone(timedelta(seconds=offset)) if offset else timezone.utc
        return cls(*fields, tz)

    def timetuple(self):
        return _time.struct_time((self._year, self._month, self._day, self._hour, self._minute, self._second,
                                  self.weekday(), self.toordinal() - _days_before_year(self._year), -1))

    def timestamp(self):
        if self._tzinfo is None:
            return _time.mktime(self.timetuple()) + self._microsecond / 1e6
        return (self._microseconds() - self.utcoffset()._total()) / 1000000

    def utctimetuple(self):
        offset = self.utcoffset()
        return (self if offset is None else self - offset).timetuple()

    def date(self):
        return date(self._year, self._month, self._day)

    def time(self):
        return time(self._hour, self._minute, self._second, self._microsecond)

    def timetz(self):
        return time(self._hour, self._minute, self._second, self._microsecond, self._tzinfo)

    def replace(self, year=None, month=None, day=None, hour=None, minute=None, second=None, microsecond=None,
                tzinfo=True, *, fold=None):
        if fold is not None:
            raise refused("datetime.datetime.replace", "fold")
        def pick(new, old):
            return old if new is None else new

        return type(self)(pick(year, self._year), pick(month, self._month), pick(day, self._day),
                          pick(hour, self._hour), pick(minute, self._minute), pick(second, self._second),
                          pick(microsecond, self._microsecond), self._tzinfo if tzinfo is True else tzinfo)

    def utcoffset(self):
        return None if self._tzinfo is None else self._tzinfo.utcoffset(self)

    def tzname(self):
        return None if self._tzinfo is None else self._tzinfo.tzname(self)

    def dst(self):
        return None if self._tzinfo is None else self._tzinfo.dst(self)

    def astimezone(self, tz=None):
        offset = self.utcoffset()
        if offset is None:
            offset = timedelta(seconds=-_time.timezone)
        if tz is None:
            tz = timezone(timedelta(seconds=-_time.timezone), _time.tzname[0])
        utc = (self.replace(tzinfo=None) - offset).replace(tzinfo=tz)
        return tz.fromutc(utc)

    def isoformat(self, sep="T", timespec="auto"):
        text = date.isoformat(self) + sep + _time_text(self._hour, self._minute, self._second, self._microsecond,
                                                       timespec)
        offset = self.utcoffset()
        return text if offset is None else text + _offset_text(offset)

    def __str__(self):
        return self.isoformat(" ")

    def __repr__(self):
        parts = [self._year, self._month, self._day, self._hour, self._minute]
        if self._second or self._microsecond:
            parts.append(self._second)
        if self._microsecond:
            parts.append(self._microsecond)
        shown = list(map(str, parts))
        if self._tzinfo is not None:
            shown.append(f"tzinfo={self._tzinfo!r}")
        return f"datetime.{self.__class__.__qualname__}({', '.join(shown)})"

    def ctime(self):
        return self.strftime("%a %b %e %H:%M:%S %Y")

    def strftime(self, fmt):
        offset = self.utcoffset()
        return _format((self._year, self._month, self._day, self._hour, self._minute, self._second,
                        self._microsecond), fmt, "" if offset is None else _offset_text(offset, ""),
                       self.tzname() or "")

    def _key(self):
        offset = self.utcoffset()
        return self._microseconds() - (0 if offset is None else offset._total())

    def __reduce__(self):
        return self.__class__, (self._year, self._month, self._day, self._hour, self._minute, self._second,
                                self._microsecond, self._tzinfo)

    def __add__(self, other):
        if not isinstance(other, timedelta):
            return NotImplemented
        return type(self)._of_microseconds(self._microseconds() + other._total(), self._tzinfo)

    __radd__ = __add__

    def __sub__(self, other):
        if isinstance(other, timedelta):
            return self + -other
        if isinstance(other, datetime):
            if (self._tzinfo is None) != (other._tzinfo is None):
                raise TypeError("can't subtract offset-naive and offset-aware datetimes")
            return timedelta._of_microseconds(self._key() - other._key())
        return NotImplemented


def _microseconds_of(timestamp):
    whole = int(timestamp // 1)
    return whole * 1000000 + round((timestamp - whole) * 1e6)


datetime.min, datetime.max = datetime(1, 1, 1), datetime(9999, 12, 31, 23, 59, 59, 999999)
datetime.resolution = timedelta(microseconds=1)
_types.qualified(timedelta, tzinfo, timezone, date, time, datetime)
