"""The name of CPython's version in C."""

from datetime import *
