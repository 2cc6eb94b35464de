"""Threads, on one thread: `start` runs the target at once. Locks never block.

A daemon that waits for time to pass is parked there: it waits for as long as the program runs, as one does that only looks
in from time to time.
"""

from _refused import refused

__all__ = ["Lock", "RLock", "Condition", "Event", "Semaphore", "BoundedSemaphore", "Barrier", "Thread",
           "Timer", "local", "current_thread", "main_thread", "active_count", "enumerate", "get_ident"]

TIMEOUT_MAX = 9223372036.0


class Lock:
    def __init__(self):
        self._held = 0

    def acquire(self, blocking=True, timeout=-1):
        if self._held:
            if blocking and timeout < 0:
                raise RuntimeError("deadlock: the lock is held and there is no other thread")
            return False
        self._held = 1
        return True

    def release(self):
        if not self._held:
            raise RuntimeError("release unlocked lock")
        self._held = 0

    def locked(self):
        return bool(self._held)

    def __enter__(self):
        self.acquire()
        return True

    def __exit__(self, *exc):
        self.release()


class RLock(Lock):
    def acquire(self, blocking=True, timeout=-1):
        self._held += 1
        return True

    def release(self):
        if not self._held:
            raise RuntimeError("cannot release un-acquired lock")
        self._held -= 1


class Condition:
    def __init__(self, lock=None):
        self._lock = RLock() if lock is None else lock
        self.acquire, self.release = self._lock.acquire, self._lock.release

    def __enter__(self):
        return self._lock.__enter__()

    def __exit__(self, *exc):
        return self._lock.__exit__(*exc)

    def wait(self, timeout=None):
        if timeout is None:
            raise RuntimeError("deadlock: waiting for a condition and there is no other thread")
        return False

    def wait_for(self, predicate, timeout=None):
        result = predicate()
        return result if result else self.wait(timeout)

    def notify(self, n=1):
        pass

    def notify_all(self):
        pass


class Semaphore:
    def __init__(self, value=1):
        if value < 0:
            raise ValueError("semaphore initial value must be >= 0")
        self._value = value

    def acquire(self, blocking=True, timeout=None):
        if self._value == 0:
            if blocking and timeout is None:
                raise RuntimeError("deadlock: waiting for a semaphore and there is no other thread")
            return False
        self._value -= 1
        return True

    def release(self, n=1):
        self._value += n

    def __enter__(self):
        return self.acquire()

    def __exit__(self, *exc):
        self.release()


BoundedSemaphore = Semaphore


class Event:
    def __init__(self):
        self._flag = False

    def is_set(self):
        return self._flag

    def set(self):
        self._flag = True

    def clear(self):
        self._flag = False

    def wait(self, timeout=None):
        if not self._flag and timeout is None:
            raise RuntimeError("deadlock: waiting for an event and there is no other thread")
        if not self._flag and _current.daemon:
            raise _Parked
        return self._flag


class _Parked(BaseException):
    """Ends the turn of a daemon."""


class Barrier:
    def __init__(self, parties, action=None, timeout=None):
        if action is not None:
            raise refused("threading.Barrier", "action")
        self.parties = parties

    def wait(self, timeout=None):
        return 0


class local:
    pass


class Thread:
    _count = 0

    def __init__(self, group=None, target=None, name=None, args=(), kwargs=None, *, daemon=None):
        Thread._count += 1
        self._target, self._args, self._kwargs = target, args, kwargs or {}
        self.name = name or f"Thread-{Thread._count}" + (f" ({target.__name__})" if target is not None else "")
        self.daemon = bool(daemon)
        self.ident = None
        self.native_id = None
        self._started = self._parked = False

    def start(self):
        if self._started:
            raise RuntimeError("threads can only be started once")
        self._started = True
        self.ident = Thread._count + 1
        global _current
        previous, _current = _current, self
        try:
            self.run()
        except SystemExit:
            pass
        except _Parked:
            self._parked = True
        except BaseException:
            import sys
            import traceback
            sys.stderr.write(f"Exception in thread {self.name}:\n")
            traceback.print_exc()
        finally:
            _current = previous

    def run(self):
        if self._target is not None:
            self._target(*self._args, **self._kwargs)

    def join(self, timeout=None):
        if not self._started:
            raise RuntimeError("cannot join thread before it is started")

    def is_alive(self):
        return self._parked

    def getName(self):
        return self.name

    def setName(self, name):
        self.name = name

    def setDaemon(self, daemonic):
        self.daemon = daemonic


class Timer(Thread):
    def __init__(self, interval, function, args=None, kwargs=None):
        super().__init__(target=function, args=args or (), kwargs=kwargs)
        self.interval = interval

    def start(self):
        # Nothing runs in the background: a timer would stop the program for its interval.
        raise NotImplementedError("threading.Timer is not supported")

    def cancel(self):
        pass


class _MainThread(Thread):
    def __init__(self):
        self.name, self.daemon, self.ident, self._started = "MainThread", False, 1, True

    def is_alive(self):
        return True


_main = _current = _MainThread()


def current_thread():
    return _current


currentThread = current_thread


def main_thread():
    return _main


def active_count():
    return 1


def enumerate():
    return [_main]


def get_ident():
    return _current.ident


get_native_id = get_ident


def stack_size(size=0):
    return 0
