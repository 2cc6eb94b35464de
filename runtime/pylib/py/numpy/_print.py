"""Text of arrays and scalars, as NumPy lays it out."""

import struct

_options = {
    "precision": 8,
    "threshold": 1000,
    "edgeitems": 3,
    "linewidth": 75,
    "suppress": False,
    "nanstr": "nan",
    "infstr": "inf",
    "floatmode": "maxprec",
    "formatter": None,
}


def set_printoptions(
    precision=None, threshold=None, edgeitems=None, linewidth=None, suppress=None, nanstr=None, infstr=None,
    formatter=None, sign=None, floatmode=None, *, legacy=None, override_repr=None,
):
    given = {
        "precision": precision, "threshold": threshold, "edgeitems": edgeitems, "linewidth": linewidth,
        "suppress": suppress, "nanstr": nanstr, "infstr": infstr, "floatmode": floatmode,
    }
    if sign not in (None, "-") or legacy or override_repr is not None:
        raise NotImplementedError("sign, legacy and override_repr are not implemented in janus-jit yet")
    _options.update({key: value for key, value in given.items() if value is not None})
    _options["formatter"] = formatter


def get_printoptions():
    return dict(_options)


class printoptions:
    """Options for the length of a `with`."""

    def __init__(self, **options):
        self._now = options

    def __enter__(self):
        self._before = dict(_options)
        set_printoptions(**self._now)
        return dict(_options)

    def __exit__(self, *exception):
        _options.clear()
        _options.update(self._before)
        return False


def _narrow(dtype):
    return dtype.char if dtype.itemsize < 8 else ""


def shortest(value, single):
    """The digits and the exponent of ten of the shortest text that stands for a finite, positive float; `single` is the
    form that `struct` has for a float that is no double."""
    if not single:
        text = repr(value)
        mantissa, _, exponent = text.partition("e")
        whole, _, part = mantissa.partition(".")
        exponent = int(exponent or 0) + len(whole) - 1
        digits = whole + part
        stripped = digits.lstrip("0")
        exponent -= len(digits) - len(stripped)
        return stripped.rstrip("0") or "0", exponent
    for precision in range(9):
        text = f"{value:.{precision}e}"
        try:
            (back,) = struct.unpack(single, struct.pack(single, float(text)))
        except OverflowError:
            continue
        if back == value:
            break
    mantissa, _, exponent = text.partition("e")
    return mantissa.replace(".", "").rstrip("0") or "0", int(exponent)


def positional(value, single, precision=None):
    """The parts before and after the point, of as many digits as tell it from other floats, and no more than
    `precision` behind the point."""
    size = abs(value)
    sign = "-" if str(value)[0] == "-" else ""
    if size == 0:
        return sign + "0", ""
    digits, exponent = shortest(size, single)
    if precision is not None and len(digits) - 1 - exponent > precision:
        whole, _, part = f"{size:.{precision}f}".partition(".")
        return sign + whole, part.rstrip("0")
    if exponent < 0:
        return sign + "0", "0" * (-exponent - 1) + digits
    if len(digits) <= exponent + 1:
        return sign + digits + "0" * (exponent + 1 - len(digits)), ""
    return sign + digits[: exponent + 1], digits[exponent + 1 :]


def scientific(value, single, precision=None):
    """The digit before the point, those after it, and the exponent."""
    size = abs(value)
    sign = "-" if str(value)[0] == "-" else ""
    if size == 0:
        return sign + "0", "", 0
    digits, exponent = shortest(size, single)
    if precision is not None and len(digits) - 1 > precision:
        mantissa, _, power = f"{size:.{precision}e}".partition("e")
        digits, exponent = mantissa.replace(".", "").rstrip("0"), int(power)
    return sign + digits[0], digits[1:], exponent


def _exponent(exponent, size=2):
    return f"e{'-' if exponent < 0 else '+'}{abs(exponent):0{size}d}"


def scalar_text(value):
    """A scalar on its own."""
    single = _narrow(value.dtype)
    plain = value._plain()
    if plain != plain or plain in (float("inf"), float("-inf")):
        return str(plain)
    if not single:
        return float.__repr__(plain)
    if plain == 0 or 1e-4 <= abs(plain) < (1e6 if single == "f" else 1e3):
        whole, part = positional(plain, single)
        return f"{whole}.{part or '0'}"
    first, rest, exponent = scientific(plain, single)
    return f"{first}{'.' + rest if rest else ''}{_exponent(exponent)}"


def complex_text(value):
    """A complex scalar on its own."""
    from numpy._dtypes import float32

    plain = value._plain()
    if value.dtype.itemsize == 16:
        return complex.__str__(plain)

    def part(v, plus):
        text = scalar_text(float32(v))
        text = text[:-2] if text.endswith(".0") else text
        return "+" + text if plus and text[0] not in "+-" else text

    if plain.real == 0 and str(plain.real)[0] != "-":
        return part(plain.imag, False) + "j"
    return f"({part(plain.real, False)}{part(plain.imag, True)}j)"


class _Complex:
    """How the complex numbers of one array are written: the second part with its sign, and j before what fills up."""

    def __init__(self, values, single, options):
        self._real = _Floats([v.real for v in values], single, options)
        self._imag = _Floats([v.imag for v in values], single, options, "+")

    def __call__(self, v):
        text = self._imag(v.imag)
        digits = text.rstrip()
        return f"{self._real(v.real)}{digits}j{text[len(digits):]}"


class _Floats:
    """How the floats of one array are written; `plus` stands before those that are not negative."""

    def __init__(self, values, single, options, plus=""):
        self._single, self._options, self._plus = single, options, plus
        self._precision = precision = options["precision"]
        mode = options["floatmode"]
        if mode == "unique":
            precision = None
        finite = [v for v in values if v == v and abs(v) != float("inf")]
        sizes = [abs(v) for v in finite if v != 0]
        self._scientific = bool(sizes) and (
            max(sizes) >= 1e8
            or (not options["suppress"] and (min(sizes) < 1e-4 or max(sizes) / min(sizes) > 1000.0))
        )
        if self._scientific:
            parts = [self._signed(scientific(v, single, precision)) for v in finite]
            self._exponent_size = max(len(_exponent(e)) - 2 for _, _, e in parts)
            self._digits = max(len(rest) for _, rest, _ in parts)
            if mode == "fixed":
                self._digits = precision
            self._left = max(len(first) for first, _, _ in parts)
            self._right = self._exponent_size + 2 + self._digits
        elif finite:
            parts = [self._signed(positional(v, single, precision)) for v in finite]
            self._left = max(len(whole) for whole, _ in parts)
            self._digits = self._right = max(len(part) for _, part in parts)
            if mode == "fixed":
                self._digits = self._right = precision
        else:
            self._left = self._right = self._digits = 0
        self._fill = mode == "fixed"
        if len(finite) != len(values):
            room = self._right + 1
            for v in values:
                if v != v:
                    self._left = max(self._left, len(options["nanstr"]) + len(plus) - room)
                elif abs(v) == float("inf"):
                    length = len(options["infstr"]) + (v < 0 or bool(plus))
                    self._left = max(self._left, length - room)

    def _signed(self, parts):
        first = parts[0]
        return (self._plus + first if first[0] != "-" else first, *parts[1:])

    def __call__(self, v):
        if v != v or abs(v) == float("inf"):
            options = self._options
            text = self._plus + options["nanstr"] if v != v else ("-" if v < 0 else self._plus) + options["infstr"]
            return text.rjust(self._left + self._right + 1)
        if self._scientific:
            first, rest, exponent = self._signed(scientific(v, self._single, self._digits))
            if len(rest) < self._digits:
                # All have as many digits: more than tell it from other floats, of its exact value.
                mantissa, _, power = f"{abs(v):.{self._digits}e}".partition("e")
                first, exponent = first[:-1] + mantissa[0], int(power)
                rest = mantissa[2:]
            return f"{first.rjust(self._left)}.{rest}{_exponent(exponent, self._exponent_size)}"
        whole, part = self._signed(positional(v, self._single, self._digits))
        if self._fill and len(part) < self._right:
            part = f"{abs(v):.{self._right}f}".partition(".")[2]
        part = part.ljust(self._right)
        return f"{whole.rjust(self._left)}.{part}"


def _formatter(values, dtype, columns, options):
    own = options["formatter"] or {}
    if dtype.kind in "OUS":
        for key in ("all", "object" if dtype.kind == "O" else "numpystr", "str_kind"):
            if key in own:
                return own[key]
        return lambda v: f"list({v!r})" if type(v) is list else repr(v)
    kinds = {"f": "float_kind", "i": "int_kind", "u": "int_kind", "b": "bool", "c": "complex_kind"}
    names = {"f": "float", "i": "int", "u": "int", "b": "bool", "c": "complexfloat"}
    for key in ("all", kinds[dtype.kind], names[dtype.kind]):
        if key in own:
            chosen = own[key]
            return lambda v: chosen(dtype.type(v))
    if dtype.kind == "b":
        # A single one needs no column.
        true = " True" if columns else "True"
        return lambda v: true if v else "False"
    if dtype.kind == "c":
        return _Complex(values, "f" if dtype.itemsize == 8 else "", options)
    if dtype.kind == "f":
        return _Floats(values, _narrow(dtype), options)
    width = max((len(str(v)) for v in (min(values), max(values))), default=0) if values else 0
    return lambda v: str(v).rjust(width)


def record_texts(columns, extents, options):
    """The texts of the records whose fields are arrays of one dimension, or more where a field has extents."""
    texts = []
    for column, inner in zip(columns, extents):
        if inner:
            texts.append([array2string(row, separator=", ") for row in column])
            continue
        if column.dtype.kind == "V":
            texts.append(column._texts(options))
            continue
        values = column.tolist()
        write = _formatter(values, column.dtype, True, options)
        texts.append([write(v) for v in values])
    return [f"({row[0]},)" if len(row) == 1 else f"({', '.join(row)})" for row in zip(*texts)]


def _shown(nested, depth, edge, cut):
    """The numbers that are shown, in one list."""
    if depth == 0:
        return [nested]
    if cut and len(nested) > 2 * edge:
        nested = nested[:edge] + nested[len(nested) - edge :]
    found = []
    for row in nested:
        found.extend(_shown(row, depth - 1, edge, cut))
    return found


def _extend(text, line, word, width, indent):
    if len(line) + len(word) > width and len(line) > len(indent):
        text += line.rstrip() + "\n"
        line = indent
    return text, line + word


def _layout(nested, depth, write, indent, width, separator, edge, cut):
    if depth == 0:
        return write(nested)
    count = len(nested)
    inner, room = indent + " ", width - 1
    short = cut and count > 2 * edge
    leading, trailing = (edge, edge) if short else (0, count)
    text = ""
    if depth == 1:
        # The closing bracket has to fit, too.
        elements = width - max(len(separator.rstrip()), len("]"))
        line = indent
        for i in range(leading):
            text, line = _extend(text, line, write(nested[i]), elements, indent)
            line += separator
        if short:
            text, line = _extend(text, line, "...", elements, indent)
            line += separator
        for i in range(trailing, 1, -1):
            text, line = _extend(text, line, write(nested[-i]), elements, indent)
            line += separator
        last = write(nested[-1])
        text, line = _extend(text, line, last, elements, indent)
        text += line
        return "[" + text[len(indent) :] + "]"
    line_separator = separator.rstrip() + "\n" * (depth - 1)
    for i in range(leading):
        row = _layout(nested[i], depth - 1, write, inner, room, separator, edge, cut)
        text += indent + row + line_separator
    if short:
        text += indent + "..." + line_separator
    for i in range(trailing, 1, -1):
        row = _layout(nested[-i], depth - 1, write, inner, room, separator, edge, cut)
        text += indent + row + line_separator
    row = _layout(nested[-1], depth - 1, write, inner, room, separator, edge, cut)
    text += indent + row
    return "[" + text[len(indent) :] + "]"


def _text(a, separator, prefix, suffix, options):
    if a.dtype.kind == "V":
        nested = a._texts(options)
        write = str
    else:
        nested, write = a.tolist(), None
    cut = a.size > options["threshold"]
    edge = options["edgeitems"]
    if write is None:
        values = _shown(nested, a.ndim, edge, cut)
        write = _formatter(values, a.dtype, a.ndim > 0, options)
    if a.ndim == 0:
        return write(nested)
    width = options["linewidth"] - len(suffix)
    # The rows of an array stand one column further right for each dimension.
    return _layout(nested, a.ndim, write, " " * len(prefix) + " ", width, separator, edge, cut)


def array2string(
    a, max_line_width=None, precision=None, suppress_small=None, separator=" ", prefix="", *, formatter=None,
    threshold=None, edgeitems=None, floatmode=None, suffix="",
):
    options = dict(_options)
    given = {
        "linewidth": max_line_width, "precision": precision, "suppress": suppress_small, "formatter": formatter,
        "threshold": threshold, "edgeitems": edgeitems, "floatmode": floatmode,
    }
    options.update({key: value for key, value in given.items() if value is not None})
    if a.size == 0:
        return "[]"
    return _text(a, separator, prefix, suffix, options)


def array_str(a, max_line_width=None, precision=None, suppress_small=None):
    if a.ndim == 0:
        return str(a[()])
    return array2string(a, max_line_width, precision, suppress_small, " ")


def array_repr(a, max_line_width=None, precision=None, suppress_small=None):
    prefix = "array("
    cut = a.size > _options["threshold"]
    if a.size > 0 or a.shape == (0,):
        text = array2string(a, max_line_width, precision, suppress_small, ", ", prefix, suffix=")")
    else:
        text = "[]"
    more = []
    if (a.size == 0 and a.shape != (0,)) or cut:
        more.append(f"shape={a.shape}")
    if a.dtype.name not in ("float64", "int64", "bool", "complex128") or a.size == 0:
        more.append(f"dtype={a.dtype}" if a.dtype.kind == "V" else f"dtype='{a.dtype}'" if a.dtype.kind in "US" else f"dtype={a.dtype.name}")
    if not more:
        return f"{prefix}{text})"
    tail = ", ".join(more) + ")"
    last = len(prefix) + len(text) - (text.rfind("\n") + 1) if "\n" not in text else len(text) - text.rfind("\n") - 1
    width = _options["linewidth"] if max_line_width is None else max_line_width
    space = "\n" + " " * len(prefix) if last + 1 + len(tail) + 1 > width else " "
    return f"{prefix}{text},{space}{tail}"
