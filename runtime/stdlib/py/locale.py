"""Locales: there is only the C locale with UTF-8."""

LC_CTYPE, LC_NUMERIC, LC_TIME, LC_COLLATE, LC_MONETARY, LC_MESSAGES, LC_ALL = range(7)


class Error(Exception):
    pass


def setlocale(category, locale=None):
    return "C.UTF-8"


def getlocale(category=LC_CTYPE):
    return "en_US", "UTF-8"


getdefaultlocale = getlocale


def getpreferredencoding(do_setlocale=True):
    return "UTF-8"


def getencoding():
    return "utf-8"


def localeconv():
    return {"decimal_point": ".", "thousands_sep": "", "grouping": []}


def format_string(f, val, grouping=False, monetary=False):
    return f % val


def atof(string):
    return float(string)


def atoi(string):
    return int(string)


strcoll = lambda a, b: (a > b) - (a < b)
strxfrm = str
