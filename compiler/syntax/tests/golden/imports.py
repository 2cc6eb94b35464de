from __future__ import annotations
import a
import a.b.c
import a.b.c as d
import a as e, f
from . import g
from ..h.i import j as k, l
from m import *


def f(x: list[int] = None, *a: "quoted") -> dict[str, int | None]:
    y: not_evaluated[x] = 1


z: x[lambda a, *b, c=1: a + b] = 1
