"""Printing of nested data."""

import sys

__all__ = ["pprint", "pformat", "pp", "isreadable", "isrecursive", "saferepr", "PrettyPrinter"]


def pprint(object, stream=None, indent=1, width=80, depth=None, *, compact=False, sort_dicts=True,
           underscore_numbers=False):
    PrettyPrinter(indent, width, depth, stream, compact=compact, sort_dicts=sort_dicts,
                  underscore_numbers=underscore_numbers).pprint(object)


def pformat(object, indent=1, width=80, depth=None, *, compact=False, sort_dicts=True, underscore_numbers=False):
    return PrettyPrinter(indent, width, depth, compact=compact, sort_dicts=sort_dicts,
                         underscore_numbers=underscore_numbers).pformat(object)


def pp(object, *args, sort_dicts=False, **kwargs):
    pprint(object, *args, sort_dicts=sort_dicts, **kwargs)


def saferepr(object):
    return PrettyPrinter()._repr(object, 0)


def isreadable(object):
    raise NotImplementedError("pprint.isreadable is not implemented in janus-jit yet")


def isrecursive(object):
    raise NotImplementedError("pprint.isrecursive is not implemented in janus-jit yet")


def _ordered(items):
    try:
        return sorted(items)
    except TypeError:
        return sorted(items, key=lambda item: (str(type(item)), id(item)))


class PrettyPrinter:
    def __init__(self, indent=1, width=80, depth=None, stream=None, *, compact=False, sort_dicts=True,
                 underscore_numbers=False):
        if indent < 0:
            raise ValueError("indent must be >= 0")
        if depth is not None and depth <= 0:
            raise ValueError("depth must be > 0")
        if not width:
            raise ValueError("width must be != 0")
        self._indent, self._width, self._depth = indent, width, depth
        self._stream = stream
        self._compact, self._sort, self._underscores = compact, sort_dicts, underscore_numbers

    def pprint(self, object):
        stream = sys.stdout if self._stream is None else self._stream
        stream.write(self.pformat(object) + "\n")

    def pformat(self, object):
        return self._format(object, 0, 0, 0, set())

    def _items(self, d):
        if not self._sort:
            return list(d.items())
        try:
            return sorted(d.items(), key=lambda pair: pair[0])
        except TypeError:
            return sorted(d.items(), key=lambda pair: (str(type(pair[0])), id(pair[0])))

    def _repr(self, object, level, seen=()):
        """The text on one line."""
        cls = type(object)
        if self._underscores and cls is int:
            return f"{object:_d}"
        if cls.__repr__ not in (dict.__repr__, list.__repr__, tuple.__repr__) or not object:
            return repr(object)
        if id(object) in seen:
            return f"<Recursion on {cls.__name__} with id={id(object)}>"
        if self._depth and level >= self._depth:
            return {dict: "{...}", list: "[...]"}.get(cls, "(...)")
        seen = {*seen, id(object)}
        if isinstance(object, dict):
            return "{" + ", ".join(f"{self._repr(k, level + 1, seen)}: {self._repr(v, level + 1, seen)}"
                                   for k, v in self._items(object)) + "}"
        parts = ", ".join(self._repr(item, level + 1, seen) for item in object)
        if isinstance(object, list):
            return f"[{parts}]"
        return f"({parts},)" if len(object) == 1 else f"({parts})"

    def _format(self, object, indent, allowance, level, seen):
        text = self._repr(object, level, seen)
        if len(text) <= self._width - indent - allowance or id(object) in seen:
            return text
        seen = seen | {id(object)}
        level += 1
        cls = type(object)
        if self._depth and level > self._depth:
            return text
        if isinstance(object, dict) and cls.__repr__ is dict.__repr__ and object:
            return self._format_dict(object, indent, allowance, level, seen)
        if isinstance(object, list) and cls.__repr__ is list.__repr__ and object:
            return self._format_items(object, indent, allowance, level, seen, "[", "]")
        if isinstance(object, tuple) and cls.__repr__ is tuple.__repr__ and object:
            return self._format_items(object, indent, allowance, level, seen, "(", ",)" if len(object) == 1 else ")")
        if isinstance(object, (set, frozenset)) and object:
            if cls is set:
                return self._format_items(_ordered(object), indent, allowance, level, seen, "{", "}")
            name = cls.__name__ + "({"
            return self._format_items(_ordered(object), indent + len(name) - 1, allowance + 1, level, seen, name, "})")
        if isinstance(object, str) and cls.__repr__ is str.__repr__:
            return self._format_str(object, indent, allowance, level)
        if hasattr(cls, "__dataclass_fields__") and "__create_fn__" in getattr(cls.__repr__, "__qualname__", "") + \
                ("__create_fn__" if cls.__repr__.__qualname__ == f"{cls.__qualname__}.__repr__" else ""):
            return self._format_dataclass(object, indent, allowance, level, seen)
        return text

    def _format_dict(self, object, indent, allowance, level, seen):
        out = "{" + " " * (self._indent - 1)
        indent += self._indent
        items = self._items(object)
        for i, (key, value) in enumerate(items):
            last = i == len(items) - 1
            key_text = self._repr(key, level, seen)
            out += key_text + ": "
            out += self._format(value, indent + len(key_text) + 2, allowance + 1 if last else 1, level, seen)
            if not last:
                out += ",\n" + " " * indent
        return out + "}"

    def _format_items(self, items, indent, allowance, level, seen, opening, closing):
        out = opening
        if self._indent > 1:
            out += " " * (self._indent - 1)
        indent += self._indent
        allowance += len(closing)
        items = list(items)
        separator = ",\n" + " " * indent
        width = max_width = self._width - indent + 1
        first = True
        for i, item in enumerate(items):
            last = i == len(items) - 1
            if last:
                max_width -= allowance
                width -= allowance
            if self._compact:
                text = self._repr(item, level, seen)
                needed = len(text) + 2
                if width < needed:
                    width = max_width
                    if not first:
                        out += separator
                        first = True
                if width >= needed:
                    width -= needed
                    out += ("" if first else ", ") + text
                    first = False
                    continue
            if not first:
                out += separator
            first = False
            out += self._format(item, indent, allowance if last else 1, level, seen)
            if self._compact:
                width = max_width - len(out.rsplit("\n", 1)[-1])
        return out + closing

    def _format_str(self, object, indent, allowance, level):
        import re
        chunks = []
        lines = object.splitlines(True)
        if level == 1:
            indent += 1
            allowance += 1
        max_width = self._width - indent
        for i, line in enumerate(lines):
            text = repr(line)
            limit = max_width - (allowance if i == len(lines) - 1 else 0)
            if len(text) <= limit:
                chunks.append(text)
                continue
            parts = re.findall(r"\S*\s*", line)
            parts.pop()
            current = ""
            for j, part in enumerate(parts):
                candidate = current + part
                last = j == len(parts) - 1 and i == len(lines) - 1
                if len(repr(candidate)) > max_width - (allowance if last else 0):
                    if current:
                        chunks.append(repr(current))
                    current = part
                else:
                    current = candidate
            if current:
                chunks.append(repr(current))
        if len(chunks) == 1:
            return chunks[0]
        text = ("\n" + " " * indent).join(chunks)
        return f"({text})" if level == 1 else text

    def _format_dataclass(self, object, indent, allowance, level, seen):
        from dataclasses import fields
        name = type(object).__qualname__
        indent += len(name) + 1
        shown = [f for f in fields(object) if f.repr]
        out = name + "("
        for i, f in enumerate(shown):
            last = i == len(shown) - 1
            out += f"{f.name}="
            out += self._format(getattr(object, f.name), indent + len(f.name) + 1, allowance + 1 if last else 1,
                                level, seen)
            if not last:
                out += ",\n" + " " * indent
        return out + ")"
