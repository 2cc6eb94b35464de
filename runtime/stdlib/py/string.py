"""Constants, `capwords`, `Template`, `Formatter`."""

whitespace = " \t\n\r\v\f"
ascii_lowercase = "abcdefghijklmnopqrstuvwxyz"
ascii_uppercase = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
ascii_letters = ascii_lowercase + ascii_uppercase
digits = "0123456789"
hexdigits = digits + "abcdef" + "ABCDEF"
octdigits = "01234567"
punctuation = r"""!"#$%&'()*+,-./:;<=>?@[\]^_`{|}~"""
printable = digits + ascii_letters + punctuation + whitespace


def capwords(s, sep=None):
    return (sep or " ").join(word.capitalize() for word in s.split(sep))


class Template:
    delimiter = "$"

    def __init__(self, template):
        self.template = template

    def _expand(self, mapping, safe):
        import re
        mark = re.escape(self.delimiter)

        def replace(match):
            if match.group("escaped") is not None:
                return self.delimiter
            name = match.group("named") or match.group("braced")
            if name is None:
                if safe:
                    return match.group()
                before = self.template[:match.start()]
                line = before.count("\n") + 1
                column = match.start() - before.rfind("\n")
                raise ValueError(f"Invalid placeholder in string: line {line}, col {column}")
            if safe and name not in mapping:
                return match.group()
            return str(mapping[name])

        pattern = mark + r"(?:(?P<escaped>" + mark + r")|(?P<named>[_a-zA-Z][_a-zA-Z0-9]*)|" \
            r"\{(?P<braced>[_a-zA-Z][_a-zA-Z0-9]*)\}|)"
        return re.sub(pattern, replace, self.template)

    def substitute(self, mapping={}, /, **kws):
        return self._expand({**mapping, **kws}, False)

    def safe_substitute(self, mapping={}, /, **kws):
        return self._expand({**mapping, **kws}, True)


class Formatter:
    def format(self, format_string, /, *args, **kwargs):
        return self.vformat(format_string, args, kwargs)

    def vformat(self, format_string, args, kwargs):
        return format_string.format(*args, **kwargs)
