"""Time zones from the system's files, or from the package tzdata."""

import os
import struct
from datetime import datetime, timedelta, tzinfo

__all__ = ["ZoneInfo", "reset_tzpath", "available_timezones", "TZPATH", "ZoneInfoNotFoundError", "InvalidTZPathWarning"]

_DEFAULT_PATH = ("/usr/share/zoneinfo", "/usr/lib/zoneinfo", "/usr/share/lib/zoneinfo", "/etc/zoneinfo")
_EPOCH = datetime(1970, 1, 1)


class ZoneInfoNotFoundError(KeyError):
    pass


class InvalidTZPathWarning(RuntimeWarning):
    pass


def reset_tzpath(to=None):
    global TZPATH
    if to is None:
        given = os.environ.get("PYTHONTZPATH")
        TZPATH = _DEFAULT_PATH if given is None else tuple(p for p in given.split(os.pathsep) if os.path.isabs(p))
        return
    if isinstance(to, (str, bytes)):
        raise TypeError(f"tzpath must be a list or tuple, not {type(to)}: {to!r}")
    for path in to:
        if not os.path.isabs(path):
            raise ValueError(f"tzpath should only contain absolute paths: relative path {path!r}")
    TZPATH = tuple(to)


reset_tzpath()


def _data_of(key):
    normal = os.path.normpath(key)
    if os.path.isabs(key):
        raise ValueError(f"ZoneInfo keys may not be absolute paths, got: {key}")
    if len(normal) != len(key) or normal.startswith(".."):
        what = "be normalized relative paths" if len(normal) != len(key) else "refer to subdirectories of TZPATH"
        raise ValueError(f"ZoneInfo keys must {what}, got: {key}")
    for root in TZPATH:
        path = os.path.join(root, key)
        if os.path.isfile(path):
            with open(path, "rb") as file:
                return file.read()
    try:
        import tzdata
        with open(os.path.join(os.path.dirname(tzdata.__file__), "zoneinfo", key), "rb") as file:
            return file.read()
    except (ImportError, OSError):
        raise ZoneInfoNotFoundError(f"No time zone found with key {key}") from None


def available_timezones():
    found = set()
    roots = list(TZPATH)
    try:
        import tzdata
        roots.append(os.path.join(os.path.dirname(tzdata.__file__), "zoneinfo"))
    except ImportError:
        pass
    for root in roots:
        for where, directories, files in os.walk(root):
            if where == root:
                directories[:] = [d for d in directories if d not in ("posix", "right")]
            for name in files:
                path = os.path.join(where, name)
                with open(path, "rb") as file:
                    if file.read(4) == b"TZif":
                        found.add(os.path.relpath(path, root))
    found.discard("posixrules")
    found.discard("localtime")
    return found


class _Offset:
    """A zone's offset, daylight saving and name for a while."""

    __slots__ = ("utcoff", "dst", "name")

    def __init__(self, utcoff, dst, name):
        self.utcoff, self.dst, self.name = utcoff, dst, name


def _read(data):
    """Transitions (in UTC), what holds after each, what holds before the first, and the rule for later."""
    if data[:4] != b"TZif":
        raise ValueError("Invalid TZif file: magic not found")
    version = data[4:5]

    def counts(at):
        return struct.unpack_from(">6l", data, at + 20)

    at, size, form = 0, 4, "l"
    if version >= b"2":
        isutc, isstd, leap, times, types, chars = counts(0)
        at = 44 + times * 5 + types * 6 + chars + leap * 8 + isstd + isutc
        size, form = 8, "q"
    isutc, isstd, leap, times, types, chars = counts(at)
    at += 44
    moments = struct.unpack_from(f">{times}{form}", data, at)
    at += times * size
    kinds = data[at:at + times]
    at += times
    rows = [struct.unpack_from(">lbb", data, at + 6 * i) for i in range(types)]
    at += types * 6
    letters = data[at:at + chars]
    at += chars + leap * (size + 4) + isstd + isutc
    names = [letters[i:letters.index(b"\0", i)].decode() for _, _, i in rows]
    rule = data[at + 1:].split(b"\n", 1)[0].decode() if version >= b"2" else ""
    savings = _savings(rows, kinds)
    made = [_Offset(timedelta(seconds=off), timedelta(seconds=savings[i]), names[i])
            for i, (off, _, _) in enumerate(rows)]
    before = next((made[i] for i, row in enumerate(rows) if not row[1]), made[0] if made else None)
    return list(moments), [made[kind] for kind in kinds], before, rule


def _savings(rows, kinds):
    """The files tell whether there is daylight saving, not how much: that is told by what was before or after it."""
    found = {i: 0 for i, row in enumerate(rows) if not row[1]}
    for order in (1, -1):
        neighbour = None
        for kind in kinds[::order]:
            if not rows[kind][1]:
                neighbour = kind
            elif kind not in found and neighbour is not None and rows[kind][0] != rows[neighbour][0]:
                found[kind] = rows[kind][0] - rows[neighbour][0]
    return [found.get(i, 3600) for i in range(len(rows))]


class _Rule:
    """What a POSIX TZ text says: `CET-1CEST,M3.5.0,M10.5.0/3`."""

    def __init__(self, text):
        self.text = text
        self.at = 0
        name = self.name()
        standard = -self.clock()
        self.standard = self.daylight = _Offset(timedelta(seconds=standard), timedelta(0), name)
        self.start = self.end = None
        if self.at < len(text):
            name = self.name()
            later = standard + 3600
            if self.at < len(text) and text[self.at] != ",":
                later = -self.clock()
            self.daylight = _Offset(timedelta(seconds=later), timedelta(seconds=later - standard), name)
            self.start, self.end = self.day(), self.day()
        if self.at != len(text):
            self.fail()

    def fail(self):
        raise ValueError(f"Malformed TZ string: {self.text}")

    def name(self):
        text, start = self.text, self.at
        if text[start:start + 1] == "<":
            end = text.find(">", start)
            if end < 0:
                self.fail()
            self.at = end + 1
            return text[start + 1:end]
        while self.at < len(text) and text[self.at].isalpha():
            self.at += 1
        if self.at - start < 3:
            self.fail()
        return text[start:self.at]

    def number(self):
        start = self.at
        while self.at < len(self.text) and self.text[self.at].isdigit():
            self.at += 1
        if self.at == start:
            self.fail()
        return int(self.text[start:self.at])

    def clock(self):
        sign = 1
        if self.text[self.at:self.at + 1] in ("+", "-"):
            sign = -1 if self.text[self.at] == "-" else 1
            self.at += 1
        seconds = self.number() * 3600
        for unit in (60, 1):
            if self.text[self.at:self.at + 1] != ":":
                break
            self.at += 1
            seconds += self.number() * unit
        return sign * seconds

    def day(self):
        if self.text[self.at:self.at + 1] != ",":
            self.fail()
        self.at += 1
        kind = self.text[self.at:self.at + 1]
        if kind in ("M", "J"):
            self.at += 1
        numbers = [self.number()]
        while kind == "M" and len(numbers) < 3:
            if self.text[self.at:self.at + 1] != ".":
                self.fail()
            self.at += 1
            numbers.append(self.number())
        seconds = 7200
        if self.text[self.at:self.at + 1] == "/":
            self.at += 1
            seconds = self.clock()
        return kind, numbers, seconds

    @staticmethod
    def moment(day, year):
        """The local time of a change in a year."""
        kind, numbers, seconds = day
        if kind == "M":
            month, week, weekday = numbers
            first = datetime(year, month, 1)
            date = first + timedelta(days=(weekday - first.isoweekday()) % 7 + 7 * (week - 1))
            if date.month != month:
                date -= timedelta(days=7)
        else:
            leap = year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)
            # A number without J counts from 0 in POSIX; CPython counts from 1.
            days = numbers[0] - 1 + (kind == "J" and leap and numbers[0] >= 60)
            date = datetime(year, 1, 1) + timedelta(days=days)
        return date + timedelta(seconds=seconds)

    def at_local(self, local, fold):
        if self.start is None:
            return self.standard
        start, end = self.moment(self.start, local.year), self.moment(self.end, local.year)
        gap = self.daylight.utcoff - self.standard.utcoff
        # An hour that is left out is read as before the change, one that comes twice as the first; a fold swaps these.
        if gap >= timedelta(0):
            start, end = (start, end - gap) if fold else (start + gap, end)
        else:
            start, end = (start + gap, end) if fold else (start, end - gap)
        inside = start <= local < end if start < end else not end <= local < start
        return self.daylight if inside else self.standard

    def at_utc(self, moment):
        """What holds at a moment, and whether its local time is the second of two."""
        if self.start is None:
            return self.standard, False
        year = (moment + self.standard.utcoff).year
        start = self.moment(self.start, year) - self.standard.utcoff
        end = self.moment(self.end, year) - self.daylight.utcoff
        inside = start <= moment < end if start < end else not end <= moment < start
        gap = self.daylight.utcoff - self.standard.utcoff
        change = end if gap >= timedelta(0) else start
        return (self.daylight if inside else self.standard), change <= moment < change + abs(gap)


class ZoneInfo(tzinfo):
    _known = {}

    def __init_subclass__(cls):
        cls._known = {}

    def __new__(cls, key):
        made = cls._known.get(key)
        if made is None:
            made = cls._known[key] = cls._make(key)
        return made

    @classmethod
    def _make(cls, key):
        made = tzinfo.__new__(cls)
        made._key, made._how = key, "key"
        made._load(_data_of(key))
        return made

    @classmethod
    def no_cache(cls, key):
        made = cls._make(key)
        made._how = "no_cache"
        return made

    @classmethod
    def from_file(cls, fobj, /, key=None):
        made = tzinfo.__new__(cls)
        made._key, made._how, made._file = key, "file", repr(fobj)
        made._load(fobj.read())
        return made

    @classmethod
    def clear_cache(cls, *, only_keys=None):
        for key in list(cls._known) if only_keys is None else only_keys:
            cls._known.pop(key, None)

    @property
    def key(self):
        return self._key

    def _load(self, data):
        moments, kinds, before, rule = _read(data)
        self._before = before
        self._kinds = kinds
        self._rule = _Rule(rule) if rule else None
        self._utc = [_EPOCH + timedelta(seconds=m) if m > -62135596800 else datetime.min for m in moments]
        # The local time from which on a kind is meant: without a fold the later reading of the two, with one the earlier.
        earlier = [before, *kinds][:len(kinds)]
        self._plain = [self._moved(m, max(a.utcoff, b.utcoff)) for m, a, b in zip(self._utc, earlier, kinds)]
        self._fold = [self._moved(m, min(a.utcoff, b.utcoff)) for m, a, b in zip(self._utc, earlier, kinds)]

    @staticmethod
    def _moved(moment, offset):
        try:
            return moment + offset
        except OverflowError:
            return moment

    def _find(self, moment):
        if moment is None:
            rule = self._rule
            if rule is not None and rule.start is None:
                return rule.standard
            kinds = set(self._kinds)
            return self._before if rule is None and not kinds else None
        local = moment.replace(tzinfo=None, fold=0)
        return self._at(local, self._fold if moment.fold else self._plain,
                        lambda: self._rule.at_local(local, moment.fold))

    def _at(self, moment, starts, late):
        from bisect import bisect_right
        index = bisect_right(starts, moment)
        if index == len(starts) and self._rule is not None:
            return late()
        return self._kinds[index - 1] if index else self._before

    def utcoffset(self, dt):
        found = self._find(dt)
        return found and found.utcoff

    def dst(self, dt):
        found = self._find(dt)
        return found and found.dst

    def tzname(self, dt):
        found = self._find(dt)
        return found and found.name

    def fromutc(self, dt):
        if not isinstance(dt, datetime):
            raise TypeError("fromutc() requires a datetime argument")
        if dt.tzinfo is not self:
            raise ValueError("dt.tzinfo is not self")
        moment = dt.replace(tzinfo=None)
        from bisect import bisect_right
        index = bisect_right(self._utc, moment)
        if index == len(self._utc) and self._rule is not None:
            kind, second = self._rule.at_utc(moment)
        else:
            kind = self._kinds[index - 1] if index else self._before
            earlier = (self._kinds[index - 2] if index > 1 else self._before) if index else kind
            second = bool(index) and moment - self._utc[index - 1] < earlier.utcoff - kind.utcoff
        return (moment + kind.utcoff).replace(tzinfo=self, fold=int(second))

    def __str__(self):
        return repr(self) if self._key is None else self._key

    def __repr__(self):
        name = f"{type(self).__module__}.{type(self).__qualname__}"
        return f"{name}.from_file({self._file})" if self._key is None else f"{name}(key={self._key!r})"

    def __reduce__(self):
        if self._how == "file":
            import pickle
            raise pickle.PicklingError("Cannot pickle a ZoneInfo file created from a file stream.")
        return type(self)._restored, (self._key, self._how == "key")

    @classmethod
    def _restored(cls, key, shared):
        return cls(key) if shared else cls.no_cache(key)
