"""Reports of profiles."""

import marshal
import os
import re
import sys
import time
from enum import StrEnum

__all__ = ["Stats", "SortKey"]


class SortKey(StrEnum):
    CALLS = "calls"
    CUMULATIVE = "cumulative"
    FILENAME = "filename"
    LINE = "line"
    NAME = "name"
    NFL = "nfl"
    PCALLS = "pcalls"
    STDNAME = "stdname"
    TIME = "time"


# What is sorted by: places in (primitive calls, calls, own time, time, file, line, name, shown name), and direction.
_ORDERS = {
    "calls": (((1, -1),), "call count"), "ncalls": (((1, -1),), "call count"),
    "cumtime": (((3, -1),), "cumulative time"), "cumulative": (((3, -1),), "cumulative time"),
    "filename": (((4, 1),), "file name"), "line": (((5, 1),), "line number"), "module": (((4, 1),), "file name"),
    "name": (((6, 1),), "function name"), "nfl": (((6, 1), (4, 1), (5, 1)), "name/file/line"),
    "pcalls": (((0, -1),), "primitive call count"), "stdname": (((7, 1),), "standard name"),
    "time": (((2, -1),), "internal time"), "tottime": (((2, -1),), "internal time"),
}
_OLD = {-1: "stdname", 0: "calls", 1: "time", 2: "cumulative"}


def _shown(function):
    file, line, name = function
    if (file, line) == ("~", 0):
        if name.startswith("<") and name.endswith(">"):
            return "{" + name[1:-1] + "}"
        return name
    return f"{file}:{line}({name})"


def _sum(one, other):
    return tuple(a + b for a, b in zip(one, other))


class Stats:
    def __init__(self, *args, stream=None):
        self.stream = stream or sys.stdout
        self.all_callees = self.fcn_list = None
        self.files, self.total_tt, self.total_calls, self.prim_calls = [], 0, 0, 0
        self.max_name_len, self.top_level, self.stats, self.sort_arg_dict = 0, set(), {}, {}
        self._order = "Random listing order was used"
        if args:
            self._load(args[0])
            self.add(*args[1:])

    def _load(self, source):
        if isinstance(source, str):
            with open(source, "rb") as file:
                self.stats = marshal.load(file)
            try:
                stamp = time.ctime(os.stat(source).st_mtime) + "    " + source
            except OSError:
                stamp = source
            self.files = [stamp]
        elif hasattr(source, "create_stats"):
            source.create_stats()
            self.stats = dict(source.stats)
        else:
            raise TypeError(f"Cannot create or construct a {self.__class__!r} object from {source!r}")
        if not self.stats:
            raise TypeError(f"Cannot create or construct a {self.__class__!r} object from {source!r}")
        self._count()

    def _count(self):
        self.total_calls = self.prim_calls = self.total_tt = 0
        self.top_level = set()
        for function, (primitive, calls, own, _, callers) in self.stats.items():
            self.total_calls += calls
            self.prim_calls += primitive
            self.total_tt += own
            if ("jprofile", 0, "profiler") in callers:
                self.top_level.add(function)
        self.max_name_len = max((len(_shown(function)) for function in self.stats), default=0)

    def add(self, *arg_list):
        for source in reversed(arg_list):
            other = source if type(source) is type(self) else type(self)(source)
            self.files += other.files
            for function, (primitive, calls, own, total, callers) in other.stats.items():
                old = self.stats.get(function, (0, 0, 0, 0, {}))
                merged = dict(old[4])
                for caller, numbers in callers.items():
                    merged[caller] = _sum(merged[caller], numbers) if caller in merged else numbers
                self.stats[function] = (*_sum(old[:4], (primitive, calls, own, total)), merged)
            self.fcn_list = self.all_callees = None
            self._count()
        return self

    def dump_stats(self, filename):
        with open(filename, "wb") as file:
            marshal.dump(self.stats, file)

    def strip_dirs(self):
        def strip(function):
            return os.path.basename(function[0]), function[1], function[2]

        old, self.stats = self.stats, {}
        for function, (*numbers, callers) in old.items():
            short = {}
            for caller, counted in callers.items():
                name = strip(caller)
                short[name] = _sum(short[name], counted) if name in short else counted
            name = strip(function)
            if name in self.stats:
                before = self.stats[name]
                merged = dict(before[4])
                for caller, counted in short.items():
                    merged[caller] = _sum(merged[caller], counted) if caller in merged else counted
                self.stats[name] = (*_sum(before[:4], numbers), merged)
            else:
                self.stats[name] = (*numbers, short)
        self.top_level = {strip(function) for function in self.top_level}
        self.fcn_list = self.all_callees = None
        self.max_name_len = max((len(_shown(function)) for function in self.stats), default=0)
        return self

    def get_sort_arg_defs(self):
        """The orders that there are, by every beginning of their names that is no other's."""
        if not self.sort_arg_dict:
            ambiguous = set()
            for word, order in _ORDERS.items():
                for end in range(1, len(word) + 1):
                    part = word[:end]
                    if self.sort_arg_dict.get(part, order)[0] != order[0] and part not in _ORDERS:
                        ambiguous.add(part)
                    self.sort_arg_dict[part] = order
            for part in ambiguous:
                del self.sort_arg_dict[part]
            self.sort_arg_dict.update(_ORDERS)
        return self.sort_arg_dict

    def sort_stats(self, *field):
        if not field:
            self.fcn_list = None
            return self
        if len(field) == 1 and isinstance(field[0], int):
            field = (_OLD[field[0]],)
        elif len(field) >= 2:
            for given in field[1:]:
                if type(given) is not type(field[0]):
                    raise TypeError("Can't have mixed argument type")
        orders = self.get_sort_arg_defs()
        keys, words = [], []
        for name in field:
            places, shown = orders[name.value if isinstance(name, SortKey) else name]
            keys += places
            words.append(shown)
        self._order = "Ordered by: " + ", ".join(words)
        rows = [((*self.stats[f][:4], *f, _shown(f)), f) for f in self.stats]
        for place, direction in reversed(keys):
            rows.sort(key=lambda row: row[0][place], reverse=direction < 0)
        self.fcn_list = [function for _, function in rows]
        return self

    def reverse_order(self):
        if self.fcn_list:
            self.fcn_list.reverse()
        return self

    def calc_callees(self):
        if self.all_callees is None:
            self.all_callees = {function: {} for function in self.stats}
            for function, (*_, callers) in self.stats.items():
                for caller, numbers in callers.items():
                    self.all_callees.setdefault(caller, {})[function] = numbers

    def _chosen(self, restrictions):
        chosen, messages = list(self.fcn_list or self.stats), []
        if self.fcn_list:
            messages.append(f"   {self._order}\n")
        else:
            messages.append(f"   {self._order}\n")
        for restriction in restrictions:
            before = len(chosen)
            if isinstance(restriction, str):
                try:
                    pattern = re.compile(restriction)
                except re.error:
                    messages.append(f"   <Invalid regular expression {restriction!r}>\n")
                    continue
                chosen = [function for function in chosen if pattern.search(_shown(function))]
            elif isinstance(restriction, float) and 0.0 <= restriction < 1.0:
                chosen = chosen[: int(before * restriction + 0.5)]
            elif isinstance(restriction, int) and 0 <= restriction < before:
                chosen = chosen[:restriction]
            if len(chosen) != before:
                messages.append(
                    f"   List reduced from {before} to {len(chosen)} due to restriction <{restriction!r}>\n")
        return chosen, "".join(messages)

    def get_print_list(self, sel_list):
        chosen, message = self._chosen(sel_list)
        if not chosen:
            return 0, chosen
        print(message, file=self.stream)
        names = self.stats if self.fcn_list is None and not sel_list else chosen
        width = max(len(_shown(function)) for function in names)
        return width + 2, chosen

    def print_stats(self, *amount):
        for name in self.files:
            print(name, file=self.stream)
        if self.files:
            print(file=self.stream)
        for function in self.top_level:
            print(" " * 8, function[2], file=self.stream)
        text = f"         {self.total_calls} function calls"
        if self.total_calls != self.prim_calls:
            text += f" ({self.prim_calls} primitive calls)"
        print(f"{text} in {self.total_tt:.3f} seconds", file=self.stream)
        print(file=self.stream)
        _, chosen = self.get_print_list(amount)
        if chosen:
            print("   ncalls  tottime  percall  cumtime  percall filename:lineno(function)", file=self.stream)
            for function in chosen:
                self._print_line(function)
            print(file=self.stream)
            print(file=self.stream)
        return self

    def _print_line(self, function):
        primitive, calls, own, total, _ = self.stats[function]
        count = str(calls) if calls == primitive else f"{calls}/{primitive}"
        each = f"{own / calls:8.3f}" if calls else " " * 8
        all_in = f"{total / primitive:8.3f}" if primitive else " " * 8
        print(f"{count:>9} {own:8.3f} {each} {total:8.3f} {all_in} {_shown(function)}", file=self.stream)

    def print_callees(self, *amount):
        width, chosen = self.get_print_list(amount)
        if chosen:
            self.calc_callees()
            self._print_heading(width, "called...")
            for function in chosen:
                self._print_calls(width, function, self.all_callees.get(function, {}), "->")
            print(file=self.stream)
            print(file=self.stream)
        return self

    def print_callers(self, *amount):
        width, chosen = self.get_print_list(amount)
        if chosen:
            self._print_heading(width, "was called by...")
            for function in chosen:
                self._print_calls(width, function, self.stats[function][4], "<-")
            print(file=self.stream)
            print(file=self.stream)
        return self

    def _print_heading(self, width, title):
        print("Function ".ljust(width) + title, file=self.stream)
        print(" " * width + "    ncalls  tottime  cumtime", file=self.stream)

    def _print_calls(self, width, function, calls, arrow):
        print(_shown(function).ljust(width) + arrow, end=" ", file=self.stream)
        if not calls:
            print(file=self.stream)
            return
        indent = ""
        for other in sorted(calls):
            count, primitive, own, total = calls[other]
            shown = f"{count}/{primitive}" if count != primitive else f"{count}"
            line = f"{shown:>7} {own:8.3f} {total:8.3f}  {_shown(other)}"
            print(indent + line, file=self.stream)
            indent = " " * (width + 3)
