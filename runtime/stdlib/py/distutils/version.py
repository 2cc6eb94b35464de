"""Version numbers that can be compared."""

import re


class LooseVersion:
    def __init__(self, vstring=None):
        self.vstring = vstring
        parts = [p for p in re.split(r"(\d+|[a-z]+|\.)", vstring or "") if p and p != "."]
        self.version = [int(p) if p.isdigit() else p for p in parts]

    def __str__(self):
        return self.vstring

    def __repr__(self):
        return f"LooseVersion ('{self}')"

    def _other(self, other):
        return LooseVersion(other) if isinstance(other, str) else other

    def __eq__(self, other):
        return self.version == self._other(other).version

    def __lt__(self, other):
        return self.version < self._other(other).version

    def __le__(self, other):
        return self.version <= self._other(other).version

    def __gt__(self, other):
        return self.version > self._other(other).version

    def __ge__(self, other):
        return self.version >= self._other(other).version


StrictVersion = LooseVersion
