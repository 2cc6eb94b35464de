"""Worker processes of a DataLoader: each fetches every n-th batch, with random numbers of its own."""

import multiprocessing
import os
import queue
import random
import sys
import time
import traceback

import torch
from torch.utils.data._fetch import Fetcher
from torch.utils.data.dataloader import _BaseDataLoaderIter

# How long a wait lasts between two looks whether the workers live.
_SLICE = 5.0
_info = None


class WorkerInfo:
    """What `get_worker_info()` gives in a worker."""

    def __init__(self, **fields):
        self._names = tuple(fields)
        self.__dict__.update(fields)

    def __repr__(self):
        fields = ", ".join(f"{name}={getattr(self, name)}" for name in self._names)
        return f"WorkerInfo({fields})"


def get_worker_info():
    return _info


class _Ended:
    """An iterable dataset has no more for a worker."""


class _BeginAgain:
    """A new pass begins; workers that persist answer it."""


class _Failure:
    """An exception on its way from a worker."""

    def __init__(self, worker):
        kind, error, _ = sys.exc_info()
        self.kind = kind
        self.message = f"Caught {kind.__name__} in DataLoader worker process {worker}.\nOriginal {traceback.format_exc()}"

    def raise_again(self):
        if self.kind is KeyError:
            # Its str is its repr, which would hide the lines.
            self.message = _Shown(self.message)
        try:
            error = self.kind(self.message)
        except Exception:
            raise RuntimeError(self.message) from None
        raise error


class _Shown(str):
    def __repr__(self):
        return self


def _seed(base_seed, worker):
    seed = base_seed + worker
    random.seed(seed)
    torch.manual_seed(seed)
    import numpy
    words = [worker, base_seed & 0xFFFFFFFF, base_seed >> 32, 0]
    numpy.random.seed(numpy.random.SeedSequence(words).generate_state(4))
    return seed


def _next_task(tasks, owner):
    """What to do next; None when the process is gone that would say so. The other workers hold the pipe open then."""
    while not tasks._poll(_SLICE):
        if os.getppid() != owner:
            return None
    return tasks.get()


def _work(loader, worker, base_seed, tasks, results, owner):
    """The body of a worker: indices in, batches out, until there is None instead."""
    global _info
    torch.set_num_threads(1)
    seed = _seed(base_seed, worker)
    _info = WorkerInfo(id=worker, num_workers=loader.num_workers, seed=seed, dataset=loader.dataset)
    fetcher = failure = None
    try:
        if loader.worker_init_fn is not None:
            loader.worker_init_fn(worker)
        fetcher = Fetcher(loader)
    except Exception:
        failure = _Failure(worker)
    ended = False
    try:
        while True:
            task = _next_task(tasks, owner)
            if task is None:
                break
            if isinstance(task, _BeginAgain):
                ended = False
                fetcher = Fetcher(loader)
                results.put((task, worker))
                continue
            number, index = task
            if ended:
                continue
            try:
                if failure is not None:
                    batch, failure = failure, None
                else:
                    batch = fetcher.fetch(index)
            except StopIteration:
                if not loader._iterable:
                    batch = _Failure(worker)
                else:
                    ended, batch = True, _Ended()
            except Exception:
                batch = _Failure(worker)
            results.put((number, (worker, batch)))
    except KeyboardInterrupt:
        pass
    results.close()
    results.join_thread()


class WorkersIterator(_BaseDataLoaderIter):
    """Passes over a loader with worker processes."""

    def __init__(self, loader, base_seed):
        self._loader = loader
        self._indices = iter(loader._index_sampler)
        seed = base_seed(loader)
        context = loader.multiprocessing_context
        if context is None or isinstance(context, str):
            context = multiprocessing.get_context(context)
        self._results = context.Queue()
        self._tasks = []
        self._owner = os.getpid()
        self._workers = []
        for worker in range(loader.num_workers):
            tasks = context.SimpleQueue()
            process = context.Process(target=_work, args=(loader, worker, seed, tasks, self._results, self._owner), daemon=True)
            process.start()
            self._tasks.append(tasks)
            self._workers.append(process)
        self._begin()

    def _begin(self):
        self._next_to_send = self._next_to_give = 0
        # By the number of a task: the worker that has it, and its batch once that is there.
        self._sent = {}
        self._live = [True] * len(self._workers)
        self._turn = 0
        self._is_over = False
        for _ in range(self._loader.prefetch_factor * len(self._workers)):
            self._send()

    def begin_again(self):
        """Begins another pass, with workers that persist."""
        while any(len(entry) == 1 and self._live[entry[0]] for entry in self._sent.values()):
            self._receive()
        marker = _BeginAgain()
        for tasks in self._tasks:
            tasks.put(marker)
        for _ in self._tasks:
            while not isinstance(self._take()[0], _BeginAgain):
                pass
        self._indices = iter(self._loader._index_sampler)
        self._begin()

    def _send(self):
        try:
            index = next(self._indices)
        except StopIteration:
            return
        for _ in self._workers:
            worker = self._turn
            self._turn = (self._turn + 1) % len(self._workers)
            if self._live[worker]:
                break
        else:
            return
        self._tasks[worker].put((self._next_to_send, index))
        self._sent[self._next_to_send] = (worker,)
        self._next_to_send += 1

    def _take(self):
        """The next result that comes."""
        limit = self._loader.timeout
        end = time.monotonic() + limit if limit > 0 else None
        while True:
            wait = _SLICE if end is None else max(0.0, min(_SLICE, end - time.monotonic()))
            try:
                return self._results.get(timeout=wait)
            except queue.Empty:
                pass
            dead = [w for w, live in zip(self._workers, self._live) if live and not w.is_alive()]
            if dead:
                pids = ", ".join(str(w.pid) for w in dead)
                self._stop()
                raise RuntimeError(f"DataLoader worker (pid(s) {pids}) exited unexpectedly")
            if end is not None and time.monotonic() >= end:
                self._stop()
                raise RuntimeError(f"DataLoader timed out after {limit} seconds")

    def _receive(self):
        number, (worker, batch) = self._take()
        if isinstance(batch, _Ended):
            self._live[worker] = False
            self._sent.pop(number, None)
            if not self._loader.persistent_workers:
                self._tasks[worker].put(None)
            self._send()
        else:
            self._sent[number] = (worker, batch)
        return number

    def __next__(self):
        if self._is_over:
            raise StopIteration
        while True:
            number = self._choose()
            if number is None:
                self._is_over = True
                if not self._loader.persistent_workers:
                    self._stop()
                raise StopIteration
            if len(self._sent[number]) == 2:
                break
            self._receive()
        _, batch = self._sent.pop(number)
        self._send()
        if isinstance(batch, _Failure):
            batch.raise_again()
        return batch

    def _choose(self):
        """The number of the task whose batch is given next; none at the end."""
        if not self._loader.in_order:
            for number, entry in self._sent.items():
                if len(entry) == 2:
                    return number
        while self._next_to_give < self._next_to_send:
            entry = self._sent.get(self._next_to_give)
            if entry is not None and (len(entry) == 2 or self._live[entry[0]]):
                return self._next_to_give
            self._sent.pop(self._next_to_give, None)
            self._next_to_give += 1
        return None

    def _stop(self):
        self._is_over = True
        for tasks, process in zip(self._tasks, self._workers):
            if process.is_alive():
                tasks.put(None)
        for process in self._workers:
            process.join(_SLICE)
            if process.is_alive():
                process.terminate()
        self._results.close()

    def __del__(self):
        # A process that was forked meanwhile has a copy, whose workers are not its own.
        owner = getattr(self, "_owner", None)
        if owner == os.getpid() and not getattr(self, "_is_over", False):
            for process in self._workers:
                process.terminate()
            for process in self._workers:
                process.join()
