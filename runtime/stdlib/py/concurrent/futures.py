"""Executors, on one thread: a task runs when it is submitted."""

__all__ = ["Future", "Executor", "ThreadPoolExecutor", "ProcessPoolExecutor", "as_completed", "wait",
           "CancelledError", "TimeoutError", "ALL_COMPLETED", "FIRST_COMPLETED", "FIRST_EXCEPTION"]

from collections import namedtuple

ALL_COMPLETED, FIRST_COMPLETED, FIRST_EXCEPTION = "ALL_COMPLETED", "FIRST_COMPLETED", "FIRST_EXCEPTION"
TimeoutError = TimeoutError
_Done = namedtuple("DoneAndNotDoneFutures", "done not_done")


class CancelledError(Exception):
    pass


class Future:
    def __init__(self):
        self._result = self._exception = None
        self._done = False
        self._callbacks = []

    def set_result(self, result):
        self._result, self._done = result, True
        self._call()

    def set_exception(self, exception):
        self._exception, self._done = exception, True
        self._call()

    def _call(self):
        for callback in self._callbacks:
            callback(self)

    def result(self, timeout=None):
        if self._exception is not None:
            raise self._exception
        return self._result

    def exception(self, timeout=None):
        return self._exception

    def done(self):
        return self._done

    def running(self):
        return False

    def cancel(self):
        return False

    def cancelled(self):
        return False

    def add_done_callback(self, fn):
        if self._done:
            fn(self)
        else:
            self._callbacks.append(fn)


class Executor:
    def __init__(self, max_workers=None, *args, initializer=None, initargs=(), **kwargs):
        self._max_workers = max_workers
        if initializer is not None:
            initializer(*initargs)

    def submit(self, fn, /, *args, **kwargs):
        future = Future()
        try:
            result = fn(*args, **kwargs)
        except Exception as error:
            future.set_exception(error)
        else:
            future.set_result(result)
        return future

    def map(self, fn, *iterables, timeout=None, chunksize=1):
        futures = [self.submit(fn, *args) for args in zip(*iterables)]
        return (future.result() for future in futures)

    def shutdown(self, wait=True, *, cancel_futures=False):
        pass

    def __enter__(self):
        return self

    def __exit__(self, *exc):
        self.shutdown()


class ThreadPoolExecutor(Executor):
    pass


class ProcessPoolExecutor(Executor):
    pass


def as_completed(fs, timeout=None):
    return iter(list(fs))


def wait(fs, timeout=None, return_when=ALL_COMPLETED):
    return _Done(set(fs), set())
