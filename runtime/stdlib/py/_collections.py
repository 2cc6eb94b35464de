"""The name of CPython's version in C."""

from collections import OrderedDict, defaultdict, deque
