"""Values that processes share: there is one process, so plain ones will do."""

from multiprocessing import Array, Value, _Value as Synchronized

RawArray, RawValue = Array, Value


class SynchronizedArray(list):
    pass
