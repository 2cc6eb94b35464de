"""Comma separated values; lines are taken apart and put together natively."""

from _csv import format_row as _format_row, parse as _parse

__all__ = ["QUOTE_MINIMAL", "QUOTE_ALL", "QUOTE_NONNUMERIC", "QUOTE_NONE", "Error", "Dialect", "excel",
           "excel_tab", "reader", "writer", "register_dialect", "get_dialect", "list_dialects",
           "unregister_dialect", "field_size_limit", "DictReader", "DictWriter", "unix_dialect", "Sniffer"]

QUOTE_MINIMAL, QUOTE_ALL, QUOTE_NONNUMERIC, QUOTE_NONE = range(4)


class Error(Exception):
    __module__ = "_csv"


class Dialect:
    delimiter = ","
    quotechar = '"'
    escapechar = None
    doublequote = True
    skipinitialspace = False
    lineterminator = "\r\n"
    quoting = QUOTE_MINIMAL
    strict = False


class excel(Dialect):
    pass


class excel_tab(excel):
    delimiter = "\t"


class unix_dialect(Dialect):
    quoting = QUOTE_ALL
    lineterminator = "\n"


_dialects = {"excel": excel, "excel-tab": excel_tab, "unix": unix_dialect}
_FIELDS = ("delimiter", "quotechar", "escapechar", "doublequote", "skipinitialspace", "quoting", "strict",
           "lineterminator")


def register_dialect(name, dialect=None, **fmtparams):
    _dialects[name] = _combined(dialect or excel, fmtparams)


def unregister_dialect(name):
    if name not in _dialects:
        raise Error("unknown dialect")
    del _dialects[name]


def get_dialect(name):
    if name not in _dialects:
        raise Error("unknown dialect")
    return _dialects[name]


def list_dialects():
    return list(_dialects)


def field_size_limit(limit=None):
    return 131072


def _combined(dialect, parameters):
    if isinstance(dialect, str):
        dialect = get_dialect(dialect)
    made = Dialect()
    for field in _FIELDS:
        setattr(made, field, getattr(dialect, field, getattr(Dialect, field)))
    for name, value in parameters.items():
        if name not in _FIELDS:
            raise TypeError(f"'{name}' is an invalid keyword argument for this function")
        setattr(made, name, value)
    if not isinstance(made.delimiter, str) or len(made.delimiter) != 1:
        raise TypeError('"delimiter" must be a 1-character string')
    if made.quoting != QUOTE_NONE and not made.quotechar:
        raise TypeError("quotechar must be set if quoting enabled")
    return made


def _tuple(dialect):
    return tuple(getattr(dialect, field) for field in _FIELDS)


class reader:
    def __init__(self, csvfile, dialect="excel", **fmtparams):
        self._lines = iter(csvfile)
        self.dialect = _combined(dialect, fmtparams)
        self._dialect = _tuple(self.dialect)
        self.line_num = 0

    def __iter__(self):
        return self

    def __next__(self):
        parsed = _parse(self._lines, self._dialect)
        if parsed is None:
            raise StopIteration
        row, lines = parsed
        self.line_num += lines
        return row


class writer:
    def __init__(self, csvfile, dialect="excel", **fmtparams):
        self._write = csvfile.write
        self.dialect = _combined(dialect, fmtparams)
        self._dialect = _tuple(self.dialect)

    def writerow(self, row):
        return self._write(_format_row(row, self._dialect))

    def writerows(self, rows):
        for row in rows:
            self.writerow(row)


class DictReader:
    def __init__(self, f, fieldnames=None, restkey=None, restval=None, dialect="excel", *args, **kwds):
        self._fieldnames = list(fieldnames) if fieldnames is not None else None
        self.restkey, self.restval = restkey, restval
        self.reader = reader(f, dialect, *args, **kwds)
        self.dialect = dialect
        self.line_num = 0

    def __iter__(self):
        return self

    @property
    def fieldnames(self):
        if self._fieldnames is None:
            try:
                self._fieldnames = next(self.reader)
            except StopIteration:
                pass
            self.line_num = self.reader.line_num
        return self._fieldnames

    @fieldnames.setter
    def fieldnames(self, value):
        self._fieldnames = value

    def __next__(self):
        if self.line_num == 0:
            self.fieldnames
        row = next(self.reader)
        self.line_num = self.reader.line_num
        while row == []:
            row = next(self.reader)
        names = self.fieldnames
        result = dict(zip(names, row))
        if len(names) < len(row):
            result[self.restkey] = row[len(names):]
        for name in names[len(row):]:
            result[name] = self.restval
        return result


class DictWriter:
    def __init__(self, f, fieldnames, restval="", extrasaction="raise", dialect="excel", *args, **kwds):
        self.fieldnames = fieldnames
        self.restval = restval
        if extrasaction.lower() not in ("raise", "ignore"):
            raise ValueError(f"extrasaction ({extrasaction}) must be 'raise' or 'ignore'")
        self.extrasaction = extrasaction
        self.writer = writer(f, dialect, *args, **kwds)

    def writeheader(self):
        return self.writerow(dict(zip(self.fieldnames, self.fieldnames)))

    def _row(self, rowdict):
        if self.extrasaction == "raise":
            wrong = [name for name in rowdict if name not in self.fieldnames]
            if wrong:
                raise ValueError("dict contains fields not in fieldnames: " + ", ".join(map(repr, wrong)))
        return [rowdict.get(name, self.restval) for name in self.fieldnames]

    def writerow(self, rowdict):
        return self.writer.writerow(self._row(rowdict))

    def writerows(self, rowdicts):
        for rowdict in rowdicts:
            self.writerow(rowdict)


class Sniffer:
    def sniff(self, sample, delimiters=None):
        lines = [line for line in sample.splitlines() if line]
        for candidate in delimiters or ",\t;| :":
            counts = {line.count(candidate) for line in lines}
            if len(counts) == 1 and counts != {0}:
                return _combined(excel, {"delimiter": candidate})
        raise Error("Could not determine delimiter")

    def has_header(self, sample):
        rows = list(reader(sample.splitlines(), self.sniff(sample)))

        def numeric(text):
            try:
                complex(text)
            except ValueError:
                return False
            return True

        return len(rows) > 1 and not any(map(numeric, rows[0])) and any(map(numeric, rows[1]))
