"""The name of CPython's version in C."""

from _deque import _deque_iterator, _deque_reverse_iterator
from collections import OrderedDict, defaultdict, deque
