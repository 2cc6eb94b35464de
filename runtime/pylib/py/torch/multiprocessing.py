"""torch.multiprocessing: the processes of `multiprocessing`; tensors are copied where they go from one to another."""

import multiprocessing
import signal
import sys
from multiprocessing import *
from multiprocessing import (
    Array, Barrier, Condition, Event, Lock, Manager, Pipe, Pool, Process, Queue, RLock, Semaphore, SimpleQueue, Value,
    connection, cpu_count, current_process, get_context, get_start_method, set_start_method,
)


class ProcessException(Exception):
    def __init__(self, msg, error_index, pid):
        super().__init__(msg)
        self.msg = msg
        self.error_index = error_index
        self.pid = pid

    def __reduce__(self):
        return type(self), (self.msg, self.error_index, self.pid)


class ProcessRaisedException(ProcessException):
    """A process ended by an exception."""


class ProcessExitedException(ProcessException):
    """A process ended by a signal or an exit code."""

    def __init__(self, msg, error_index, error_pid, exit_code, signal_name=None):
        super().__init__(msg, error_index, error_pid)
        self.exit_code = exit_code
        self.signal_name = signal_name

    def __reduce__(self):
        return type(self), (self.msg, self.error_index, self.pid, self.exit_code, self.signal_name)


def _run(fn, index, args, errors):
    try:
        fn(index, *args)
    except KeyboardInterrupt:
        pass
    except Exception:
        import traceback
        errors.put(traceback.format_exc())
        sys.exit(1)


class ProcessContext:
    """Processes that were started together."""

    def __init__(self, processes, error_queues):
        self.processes = processes
        self.error_queues = error_queues
        self.sentinels = {process.sentinel: index for index, process in enumerate(processes)}

    def pids(self):
        return [process.pid for process in self.processes]

    def join(self, timeout=None):
        """Waits until one of them ends; whether all have. Where one fails, the others are ended and it raises."""
        if not self.sentinels:
            return True
        ended = connection.wait(list(self.sentinels), timeout=timeout)
        failed = None
        for sentinel in ended:
            index = self.sentinels.pop(sentinel)
            self.processes[index].join()
            if self.processes[index].exitcode != 0 and failed is None:
                failed = index
        if failed is None:
            return not self.sentinels
        for process in self.processes:
            if process.is_alive():
                process.terminate()
            process.join()
        process = self.processes[failed]
        if not self.error_queues[failed].empty():
            text = self.error_queues[failed].get()
            message = f"\n\n-- Process {failed} terminated with the following error:\n{text}"
            raise ProcessRaisedException(message, failed, process.pid)
        code = process.exitcode
        if code < 0:
            try:
                name = signal.Signals(-code).name
            except ValueError:
                name = f"<Unknown signal {-code}>"
            message = f"process {failed} terminated with signal {name}"
            raise ProcessExitedException(message, failed, process.pid, code, name)
        raise ProcessExitedException(f"process {failed} terminated with exit code {code}", failed, process.pid, code)


def start_processes(fn, args=(), nprocs=1, join=True, daemon=False, start_method="spawn"):
    context = multiprocessing.get_context(start_method)
    processes, error_queues = [], []
    for index in range(nprocs):
        errors = context.SimpleQueue()
        process = context.Process(target=_run, args=(fn, index, args, errors), daemon=daemon)
        process.start()
        processes.append(process)
        error_queues.append(errors)
    started = ProcessContext(processes, error_queues)
    if not join:
        return started
    while not started.join():
        pass


def spawn(fn, args=(), nprocs=1, join=True, daemon=False, start_method="spawn"):
    return start_processes(fn, args, nprocs, join, daemon, start_method)


def get_sharing_strategy():
    return "file_descriptor"


def get_all_sharing_strategies():
    return {"file_descriptor", "file_system"}


def set_sharing_strategy(new_strategy):
    assert new_strategy in get_all_sharing_strategies()
