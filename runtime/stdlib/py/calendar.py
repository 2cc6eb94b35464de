"""`calendar` of CPython 3.12, as it is in 3.11: days are plain ints."""

from _pycalendar import *
from _pycalendar import (EPOCH, calendar, c, different_locale, error, firstweekday, format,
                         formatstring, main, mdays, week, _localized_day, _localized_month)
import _pycalendar

__all__ = [name for name in _pycalendar.__all__ if not (name in vars(_pycalendar.Month) or name in ("Day", "Month"))]
January, February = 1, 2
MONDAY, TUESDAY, WEDNESDAY, THURSDAY, FRIDAY, SATURDAY, SUNDAY = range(7)


def weekday(year, month, day):
    """The day of the week, 0 for Monday."""
    return int(_pycalendar.weekday(year, month, day))


def monthrange(year, month):
    """The day of the week that a month begins with, and how many days it has."""
    first, days = _pycalendar.monthrange(year, month)
    return int(first), days


if __name__ == "__main__":
    import sys
    main(sys.argv)
