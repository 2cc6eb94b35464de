"""torch.multiprocessing: what processes should do is done at once, in this one, so that all tensors are shared."""

import multiprocessing
from multiprocessing import *
from _refused import refused
from multiprocessing import (
    Array, Barrier, Condition, Event, Lock, Manager, Pipe, Pool, Process, Queue, RLock, Semaphore, SimpleQueue, Value,
    cpu_count, current_process, get_context, get_start_method, set_start_method,
)


def spawn(fn, args=(), nprocs=1, join=True, daemon=False, start_method="spawn"):
    if nprocs != 1:
        raise NotImplementedError(
            f"torch.multiprocessing.spawn of {nprocs} processes is not implemented in janus-jit yet: one is"
        )
    if not join:
        raise refused("torch.multiprocessing.spawn", "join")
    if daemon:
        raise refused("torch.multiprocessing.spawn", "daemon")
    if start_method != "spawn":
        raise refused("torch.multiprocessing.spawn", "start_method")
    fn(0, *args)


def get_sharing_strategy():
    return "file_descriptor"


def get_all_sharing_strategies():
    return {"file_descriptor", "file_system"}


def set_sharing_strategy(new_strategy):
    assert new_strategy in get_all_sharing_strategies()
