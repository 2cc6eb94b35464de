"""Locales as the C library of a small system has them: C, POSIX, and C with UTF-8."""

LC_CTYPE, LC_NUMERIC, LC_TIME, LC_COLLATE, LC_MONETARY, LC_MESSAGES, LC_ALL = range(7)
CHAR_MAX = 127


class Error(Exception):
    __module__ = "locale"


_KNOWN = {"C": "C", "POSIX": "C", "C.UTF-8": "C.UTF-8", "C.utf8": "C.UTF-8"}
_set = ["C.UTF-8", "C", "C", "C", "C", "C"]
_NAMES = ["LC_CTYPE", "LC_NUMERIC", "LC_TIME", "LC_COLLATE", "LC_MONETARY", "LC_MESSAGES"]
_OTHERS = ["LC_PAPER", "LC_NAME", "LC_ADDRESS", "LC_TELEPHONE", "LC_MEASUREMENT", "LC_IDENTIFICATION"]


def _of_environment(name):
    import os
    return os.environ.get("LC_ALL") or os.environ.get(name) or os.environ.get("LANG") or "C"


def setlocale(category, locale=None):
    if not isinstance(category, int) or not 0 <= category <= LC_ALL:
        raise Error("invalid locale category")
    places = range(LC_ALL) if category == LC_ALL else [category]
    if locale is not None:
        wanted = [locale or _of_environment(_NAMES[at]) for at in places]
        if ";" in locale:
            parts = dict(part.partition("=")[::2] for part in locale.split(";"))
            wanted = [parts.get(_NAMES[at], "") for at in places]
        if not all(name in _KNOWN for name in wanted):
            raise Error("unsupported locale setting")
        for at, name in zip(places, wanted):
            _set[at] = _KNOWN[name]
    if category != LC_ALL:
        return _set[category]
    if len(set(_set)) == 1:
        return _set[0]
    return ";".join([f"{name}={value}" for name, value in zip(_NAMES, _set)] + [f"{name}=C" for name in _OTHERS])


def localeconv():
    texts = ("int_curr_symbol", "currency_symbol", "mon_decimal_point", "mon_thousands_sep")
    signs = ("positive_sign", "negative_sign")
    numbers = ("int_frac_digits", "frac_digits", "p_cs_precedes", "p_sep_by_space", "n_cs_precedes", "n_sep_by_space",
               "p_sign_posn", "n_sign_posn")
    return (dict.fromkeys(texts, "") | {"mon_grouping": []} | dict.fromkeys(signs, "")
            | dict.fromkeys(numbers, CHAR_MAX) | {"decimal_point": ".", "thousands_sep": "", "grouping": []})


def getencoding():
    return "utf-8"


def strcoll(string1, string2, /):
    return (string1 > string2) - (string1 < string2)


def strxfrm(string, /):
    return string
