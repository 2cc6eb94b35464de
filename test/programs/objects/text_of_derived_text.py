# Classes derived from text with a `__repr__` of their own, in compiled regions; frozen dataclasses with slots, copied.
import copy
import pickle
import weakref
from dataclasses import dataclass, field

import torch


class Word(str):
    def __repr__(self):
        return "W" + super().__repr__()


class Raw(bytes):
    def __repr__(self):
        return "raw"


def told(v):
    match v:
        case str(w):
            return f"text {w}"
        case _:
            return type(v).__name__


def step(i, x):
    y = x * 0.9 + 0.01
    word, raw = Word("ab"), Raw(b"a")
    if i % 3 == 0:
        word = Word("b") if y[0] > 0 else Word("c")
    return y, [told(word), f"{word}|{word!r}|{word!s:>3}|{raw}|{raw!r}"], str(word), [word]


x = torch.tensor([1.0, -1.0])
for i in range(16):
    y, seen, text, words = step(i, -x if i % 2 else x)
print(seen, text, words)


@dataclass(frozen=True, slots=True)
class Point:
    a: int = 1
    b: list = field(default_factory=list)


@dataclass(slots=True, weakref_slot=True)
class Held:
    a: int = 1


p = Point(2, [1])
print(copy.copy(p), copy.deepcopy(p) == p, pickle.loads(pickle.dumps(p)), copy.copy(p).b is p.b)
for change in (lambda: setattr(p, "a", 3), lambda: delattr(p, "a")):
    try:
        change()
    except AttributeError as error:
        print(type(error).__name__, error)
h = Held(5)
print(weakref.ref(h)() is h, Held.__slots__)
