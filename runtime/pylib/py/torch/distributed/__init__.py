"""torch.distributed with a world of one process: what `torchrun --nproc-per-node 1`, or no launcher at all, comes to.

Groups of several processes are refused where they would be made.
"""

import enum
import os

import torch

_store = None


class RedOpType(enum.Enum):
    SUM = 0
    AVG = 1
    PRODUCT = 2
    MIN = 3
    MAX = 4
    BAND = 5
    BOR = 6
    BXOR = 7
    PREMUL_SUM = 8


ReduceOp = RedOpType


class Backend:
    UNDEFINED, GLOO, NCCL, UCC, MPI = "undefined", "gloo", "nccl", "ucc", "mpi"


class ProcessGroup:
    """Of this process alone."""

    def rank(self):
        return 0

    def size(self):
        return 1


class group:
    WORLD = None


GroupMember = group


class Work:
    """What an asynchronous call returns; everything is over at once."""

    def wait(self, timeout=None):
        return True

    def is_completed(self):
        return True

    def is_success(self):
        return True


def is_available():
    return True


def is_initialized():
    return _store is not None


def is_torchelastic_launched():
    return "TORCHELASTIC_RUN_ID" in os.environ


def is_gloo_available():
    return True


def is_nccl_available():
    return False


def is_mpi_available():
    return False


def _environment(name, given, url):
    if given not in (None, -1):
        return int(given)
    if name not in os.environ:
        raise ValueError(
            f"Error initializing torch.distributed using {url} rendezvous: environment variable {name} expected, but "
            "not set"
        )
    return int(os.environ[name])


def init_process_group(
    backend=None, init_method=None, timeout=None, world_size=-1, rank=-1, store=None, group_name="", pg_options=None,
    device_id=None,
):
    global _store
    if _store is not None:
        raise ValueError("trying to initialize the default process group twice!")
    url = init_method or "env://"
    rank, world_size = _environment("RANK", rank, url), _environment("WORLD_SIZE", world_size, url)
    if url == "env://":
        for name in ("MASTER_ADDR", "MASTER_PORT"):
            _ = os.environ[name] if name in os.environ else _environment(name, None, url)
    if world_size != 1:
        raise NotImplementedError(
            f"torch.distributed with {world_size} processes is not implemented in janus-jit yet: one is"
        )
    if rank != 0:
        raise ValueError(f"Invalid rank {rank}, rank should be in the interval [0, 0]")
    if backend == "nccl":
        raise RuntimeError("ProcessGroupNCCL is only supported with GPUs, no GPUs found!")
    _store = backend or "gloo"
    group.WORLD = ProcessGroup()


def _check():
    if _store is None:
        raise ValueError(
            "Default process group has not been initialized, please make sure to call init_process_group."
        )


def destroy_process_group(group=None):
    global _store
    assert _store is not None, "Process group cannot be None"
    if group is None or group is globals()["group"].WORLD:
        _store = None
        globals()["group"].WORLD = None


def get_rank(group=None):
    _check()
    return 0


def get_world_size(group=None):
    _check()
    return 1


def get_backend(group=None):
    _check()
    return _store


def get_process_group_ranks(group=None):
    _check()
    return [0]


def new_group(ranks=None, timeout=None, backend=None, pg_options=None, **kwargs):
    _check()
    return ProcessGroup()


def _done(async_op):
    return Work() if async_op else None


def _root(name, rank):
    _check()
    if rank not in (0, None):
        raise RuntimeError(f"ProcessGroupGloo::{name}: invalid root rank: {rank}")


def barrier(group=None, async_op=False, device_ids=None):
    _check()
    return _done(async_op)


def monitored_barrier(group=None, timeout=None, wait_all_ranks=False):
    _check()


def all_reduce(tensor, op=ReduceOp.SUM, group=None, async_op=False):
    _check()
    return _done(async_op)


def broadcast(tensor, src=None, group=None, async_op=False, group_src=None):
    _root("broadcast", src if group_src is None else group_src)
    return _done(async_op)


def reduce(tensor, dst=None, op=ReduceOp.SUM, group=None, async_op=False, group_dst=None):
    _root("reduce", dst if group_dst is None else group_dst)
    return _done(async_op)


def _copied(into, tensor):
    if into is not None:
        into.copy_(tensor.reshape(into.shape))


def all_gather(tensor_list, tensor, group=None, async_op=False):
    _check()
    _copied(tensor_list[0], tensor)
    return _done(async_op)


def all_gather_into_tensor(output_tensor, input_tensor, group=None, async_op=False):
    _check()
    _copied(output_tensor, input_tensor)
    return _done(async_op)


def gather(tensor, gather_list=None, dst=None, group=None, async_op=False, group_dst=None):
    _root("gather", dst if group_dst is None else group_dst)
    _copied(gather_list[0], tensor)
    return _done(async_op)


def scatter(tensor, scatter_list=None, src=None, group=None, async_op=False, group_src=None):
    _root("scatter", src if group_src is None else group_src)
    _copied(tensor, scatter_list[0])
    return _done(async_op)


def reduce_scatter(output, input_list, op=ReduceOp.SUM, group=None, async_op=False):
    _check()
    _copied(output, input_list[0])
    return _done(async_op)


def reduce_scatter_tensor(output, input, op=ReduceOp.SUM, group=None, async_op=False):
    return all_gather_into_tensor(output, input, group, async_op)


def all_gather_object(object_list, obj, group=None):
    _check()
    object_list[0] = obj


def broadcast_object_list(object_list, src=None, group=None, device=None, group_src=None):
    _root("broadcast", src if group_src is None else group_src)


def _no_peer(kind):
    _check()
    raise ValueError(
        f"Invalid {kind} rank: {kind} rank should not be the same as the rank of the current process."
    )


def send(tensor, dst=None, group=None, tag=0, group_dst=None):
    _no_peer("destination")


def recv(tensor, src=None, group=None, tag=0, group_src=None):
    _no_peer("source")


isend, irecv = send, recv


def __getattr__(name):
    return torch._C._missing_name("torch.distributed", name)
