"""torch.multiprocessing: the processes of `multiprocessing`; tensors that go from one to another are in memory that both
share.
"""

import multiprocessing
import os
import signal
import sys
import torch
from multiprocessing import *
from multiprocessing import (
    Array, Barrier, Condition, Event, Lock, Manager, Pipe, Pool, Process, Queue, RLock, Semaphore, SimpleQueue, Value,
    connection, cpu_count, current_process, get_context, get_start_method, reduction, set_start_method,
)
from torch import _C


def _rebuild_tensor(cls, file, numel, dtype, size, stride, offset, requires_grad):
    fd = file.detach()
    try:
        memory = _C._tensor_of_shared_file(fd, numel, dtype)
    finally:
        os.close(fd)
    tensor = _C._part_of_memory(memory, size, stride, offset)
    if cls is torch.nn.Parameter:
        return torch.nn.Parameter(tensor, requires_grad)
    return tensor.requires_grad_(requires_grad)


def _reduce_tensor(tensor):
    """A tensor for another process, which gets the file under its storage; the storage is moved to one."""
    if tensor.requires_grad and not tensor.is_leaf:
        raise RuntimeError(
            "Cowardly refusing to serialize non-leaf tensor which requires_grad, since autograd does not support crossing "
            "process boundaries.  If you just want to transfer the data, call detach() on the tensor before serializing "
            "(e.g., putting it on the queue)."
        )
    memory = _C._memory(tensor.detach())
    return _rebuild_tensor, (
        type(tensor), reduction.DupFd(_C._shared_file(memory)), memory.numel(), tensor.dtype, tuple(tensor.size()), tuple(tensor.stride()),
        tensor.storage_offset(), tensor.requires_grad,
    )


for _class in (torch.Tensor, torch.nn.Parameter):
    reduction.ForkingPickler.register(_class, _reduce_tensor)


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
