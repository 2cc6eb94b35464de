"""What issubdtype and isinstance tell of classes that no array holds: text, objects, classes of a script's own."""

import collections

import numpy as np


class Own:
    pass


classes = [np.ndarray, Own, list, str, bytes, dict, object, collections.deque, int, float, bool, complex]
classes += [np.integer, np.floating, np.generic, np.str_, np.bytes_, np.object_, np.character, type(None), memoryview]
specs = [*classes, None, "float32", "O", "U", "object", np.dtype("int8"), np.arange(3).dtype]
kinds = [np.integer, np.floating, np.number, np.object_, object, np.generic, np.character, np.flexible, str, float]
for spec in specs:
    name = spec.__name__ if isinstance(spec, type) else spec
    print(name, [kind.__name__ for kind in kinds if np.issubdtype(spec, kind)])
for spec in ("A", 3, Own()):
    try:
        np.issubdtype(spec, np.number)
    except TypeError as error:
        print(type(error).__name__, str(error).split(" at 0x")[0])


def is_number(value):
    """What environments ask of their bounds."""
    return np.issubdtype(type(value), np.integer) or np.issubdtype(type(value), np.floating)


print([is_number(v) for v in (1, 2.0, np.float32(1), np.int8(3), np.zeros(2), "1", None, True)])
print(np.arange(3).dtype == object, np.float64 == np.object_, isinstance("a", np.str_), issubclass(np.str_, str))
word = np.str_("word")
print(repr(word), word + "s", {word: 1}["word"], word.upper(), f"{word:>6}", isinstance(word, (np.generic, str)))
print(repr(np.bytes_(b"ab")), np.bytes_(b"ab")[0], np.object_(3))
