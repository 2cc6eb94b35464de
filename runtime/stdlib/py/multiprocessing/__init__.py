"""Processes, in this process: what they should do is done at once."""

import os
from queue import Queue
from threading import Barrier, Condition, Event, Lock, RLock, Semaphore, Thread

SimpleQueue = JoinableQueue = Queue


class ProcessError(Exception):
    pass


class TimeoutError(ProcessError):
    pass


class Process(Thread):
    exitcode = None

    def __init__(self, group=None, target=None, name=None, args=(), kwargs=None, *, daemon=None):
        super().__init__(group, target, name, args, kwargs, daemon=daemon)
        self.pid = os.getpid()

    def start(self):
        super().start()
        self.exitcode = 0

    def terminate(self):
        pass

    kill = close = terminate


class _AsyncResult:
    def __init__(self, compute):
        self._error = self._value = None
        try:
            self._value = compute()
        except Exception as error:
            self._error = error

    def get(self, timeout=None):
        if self._error is not None:
            raise self._error
        return self._value

    def wait(self, timeout=None):
        pass

    def ready(self):
        return True

    def successful(self):
        return self._error is None


class Pool:
    def __init__(self, processes=None, initializer=None, initargs=(), maxtasksperchild=None, context=None):
        if initializer is not None:
            initializer(*initargs)

    def map(self, func, iterable, chunksize=None):
        return [func(item) for item in iterable]

    def starmap(self, func, iterable, chunksize=None):
        return [func(*args) for args in iterable]

    def imap(self, func, iterable, chunksize=1):
        return (func(item) for item in iterable)

    imap_unordered = imap

    def apply(self, func, args=(), kwds={}):
        return func(*args, **kwds)

    def _done(self, compute, callback, error_callback):
        result = _AsyncResult(compute)
        if result.successful():
            if callback is not None:
                callback(result.get())
        elif error_callback is not None:
            error_callback(result._error)
        return result

    def apply_async(self, func, args=(), kwds={}, callback=None, error_callback=None):
        return self._done(lambda: func(*args, **kwds), callback, error_callback)

    def map_async(self, func, iterable, chunksize=None, callback=None, error_callback=None):
        return self._done(lambda: self.map(func, iterable), callback, error_callback)

    def starmap_async(self, func, iterable, chunksize=None, callback=None, error_callback=None):
        return self._done(lambda: self.starmap(func, iterable), callback, error_callback)

    def close(self):
        pass

    terminate = join = close

    def __enter__(self):
        return self

    def __exit__(self, *exc):
        pass


class _Value:
    def __init__(self, value):
        self.value = value
        self._lock = Lock()

    def get_lock(self):
        return self._lock


def Value(typecode_or_type, *args, lock=True):
    return _Value(args[0] if args else 0)


def Array(typecode_or_type, size_or_initializer, *, lock=True):
    if isinstance(size_or_initializer, int):
        return [0] * size_or_initializer
    return list(size_or_initializer)


class _Manager:
    dict, list = dict, list
    Queue, Lock, Event, Value = staticmethod(Queue), staticmethod(Lock), staticmethod(Event), staticmethod(Value)

    def __enter__(self):
        return self

    def __exit__(self, *exc):
        pass

    def shutdown(self):
        pass


def Manager():
    return _Manager()


def cpu_count():
    return os.cpu_count()


class _Current:
    name, pid, daemon, _identity = "MainProcess", os.getpid(), False, ()


def current_process():
    return _Current


def parent_process():
    return None


def active_children():
    return []


def Pipe(duplex=True):
    from multiprocessing import connection
    return connection.Pipe(duplex)


def freeze_support():
    pass


def set_start_method(method, force=False):
    pass


def get_start_method(allow_none=False):
    return "spawn"


def get_all_start_methods():
    return ["spawn"]


def get_context(method=None):
    import multiprocessing
    return multiprocessing
