"""The collectives of torch.distributed, over the engine of a process group."""

import enum

import torch
import torch._C._distributed as _distributed

from ._groups import *
from ._groups import (
    GroupMember, ProcessGroup, Work, _default, _get_default_group, _get_default_store, _member, _of, _Over, _world
)
from ._stores import (
    DistBackendError, DistError, DistNetworkError, DistStoreError, FileStore, HashStore, PrefixStore, Store, TCPStore
)

# Tags from here on are ours.
_OWN_TAGS = 1 << 31


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

    def __str__(self):
        return f"RedOpType.{self.name}"


class ReduceOp:
    """How tensors are reduced."""

    RedOpType = RedOpType
    SUM, AVG, PRODUCT, MIN, MAX = RedOpType.SUM, RedOpType.AVG, RedOpType.PRODUCT, RedOpType.MIN, RedOpType.MAX
    BAND, BOR, BXOR, PREMUL_SUM = RedOpType.BAND, RedOpType.BOR, RedOpType.BXOR, RedOpType.PREMUL_SUM

    def __new__(cls, op):
        return RedOpType(op)


reduce_op = ReduceOp


def _check_tensor(value, name):
    if not isinstance(value, torch.Tensor):
        raise TypeError(
            f"Invalid function argument. Expected parameter `{name}` of type torch.Tensor\n"
            f"             but got {type(value)} instead."
        )


def _check_list(value, name):
    if not isinstance(value, list):
        raise TypeError(
            f"Invalid function argument. Expected parameter `{name}` of type List[torch.Tensor]\n"
            f"             but got {type(value)} instead."
        )
    if not all(isinstance(one, torch.Tensor) for one in value):
        raise TypeError(
            f"Invalid function argument. Expected parameter `{name}` of type List[torch.Tensor]\n"
            f"             but got {type(value)} with elements of type {[type(one) for one in value]}."
        )


def _check_alike(*tensors):
    last = None
    for tensor in tensors:
        if last is not None and tensor.dtype != last:
            raise ValueError(f"Invalid usage of tensors with different dtypesFound {last} and  {tensor.dtype}")
        last = tensor.dtype


def _check_sizes(what, tensors, like):
    for index, tensor in enumerate(tensors):
        if tensor.dtype != like.dtype:
            raise RuntimeError(
                f"ProcessGroupGloo::{what}: invalid tensor type at index {index} (expected "
                f"{_type_name(like)}, got {_type_name(tensor)})"
            )
        if tensor.shape != like.shape:
            raise RuntimeError(
                f"ProcessGroupGloo::{what}: invalid tensor size at index {index} (expected "
                f"{_sizes(like)}, got {_sizes(tensor)})"
            )


def _sizes(tensor):
    return f"({', '.join(map(str, tensor.shape))})"


def _type_name(tensor):
    return tensor.type().split(".")[-1].replace("Tensor", "Type").join(("CPU", ""))


def _root(group, rank, group_rank, default=None):
    """The rank in the group of `src` or `dst`, which are ranks of the job, or of `group_src` and `group_dst`."""
    if group_rank is not None:
        if rank is not None:
            raise ValueError("Can't specify both group_rank and global_rank")
        return group_rank
    if rank is None:
        rank = default
    if rank is None:
        raise ValueError("Must specify global_rank or group_rank")
    return rank if group is _default() else group._place(rank)


def _checked_root(what, group, root):
    if not 0 <= root < group.size():
        raise RuntimeError(f"ProcessGroupGloo::{what}: invalid root rank: {root}")
    return root


def _reduction(op, tensor):
    if isinstance(op, RedOpType):
        if op is RedOpType.AVG:
            return "SUM"
        if op is RedOpType.PREMUL_SUM:
            raise RuntimeError("Cannot use ReduceOp.PREMUL_SUM with Gloo")
        bitwise = op in (RedOpType.BAND, RedOpType.BOR, RedOpType.BXOR)
        if bitwise and tensor.dtype.is_floating_point:
            raise RuntimeError(f"Cannot use ReduceOp.{op.name} with non-integral dtype")
        return op.name
    raise TypeError(f"a ReduceOp was expected, not {type(op).__name__}")


def _filled(tensor, op=None, ranks=1):
    """What puts elements that came into a tensor of any layout; a mean is made of a sum."""

    def deliver(elements):
        if not _distributed.exchange(tensor, elements):
            tensor.copy_(elements.view(tensor.shape))
        if op is RedOpType.AVG:
            tensor.div_(ranks)

    return deliver


def _parts(tensors, op=None, ranks=1):
    """The same for several tensors."""

    def deliver(elements):
        at = 0
        for tensor in tensors:
            n = tensor.numel()
            _filled(tensor, op, ranks)(elements[at:at + n])
            at += n

    return deliver


def _joined(tensors):
    return torch.cat([tensor.detach().reshape(-1) for tensor in tensors])


def _ended(pending, deliver, async_op):
    work = Work(pending, deliver)
    if async_op:
        return work
    work.wait()
    return None


def all_reduce(tensor, op=ReduceOp.SUM, group=None, async_op=False):
    _check_tensor(tensor, "tensor")
    if (group := _member(group, "all_reduce")) is None:
        return None
    name = _reduction(op, tensor)
    if tensor.numel() == 0:
        return _ended(_Over(), None, async_op)
    pending = group._engine.all_reduce(tensor, name, group._seconds, False)
    return _ended(pending, _filled(tensor, op, group.size()), async_op)


def all_reduce_coalesced(tensors, op=ReduceOp.SUM, group=None, async_op=False):
    _check_list(tensors, "tensor")
    _check_alike(*tensors)
    if (group := _member(group, "all_reduce_coalesced")) is None:
        return None
    joined = _joined(tensors)
    pending = group._engine.all_reduce(joined, _reduction(op, joined), group._seconds, True)
    return _ended(pending, _parts(tensors, op, group.size()), async_op)


def broadcast(tensor, src=None, group=None, async_op=False, group_src=None):
    _check_tensor(tensor, "tensor")
    if (group := _member(group, "broadcast")) is None:
        return None
    root = _checked_root("broadcast", group, _root(group, src, group_src))
    if tensor.numel() == 0:
        return _ended(_Over(), None, async_op)
    # The root has what it sends.
    deliver = None if root == group.rank() else _filled(tensor)
    return _ended(group._engine.broadcast(tensor, root, group._seconds), deliver, async_op)


def reduce(tensor, dst=None, op=ReduceOp.SUM, group=None, async_op=False, group_dst=None):
    _check_tensor(tensor, "tensor")
    if (group := _member(group, "reduce")) is None:
        return None
    root = _checked_root("reduce", group, _root(group, dst, group_dst))
    name = _reduction(op, tensor)
    if tensor.numel() == 0:
        return _ended(_Over(), None, async_op)
    pending = group._engine.reduce(tensor, name, root, group._seconds)
    return _ended(pending, _filled(tensor, op, group.size()), async_op)


def all_gather(tensor_list, tensor, group=None, async_op=False):
    _check_list(tensor_list, "tensor_list")
    _check_tensor(tensor, "tensor")
    _check_alike(*tensor_list, tensor)
    if (group := _member(group, "all_gather")) is None:
        return None
    if len(tensor_list) != group.size():
        raise RuntimeError(
            "ProcessGroupGloo::allgather: invalid output tensor list at index 0 (expected length "
            f"{group.size()}, got {len(tensor_list)})"
        )
    _check_sizes("allgather", tensor_list, tensor)
    if tensor.numel() == 0:
        return _ended(_Over(), None, async_op)
    return _ended(group._engine.all_gather(tensor, group.size(), group._seconds), _parts(tensor_list), async_op)


def all_gather_into_tensor(output_tensor, input_tensor, group=None, async_op=False):
    _check_tensor(input_tensor, "input_tensor")
    _check_tensor(output_tensor, "output_tensor")
    if (group := _member(group, "all_gather_into_tensor")) is None:
        return None
    if output_tensor.dtype != input_tensor.dtype:
        raise TypeError("output tensor must have the same type as input tensor")
    if output_tensor.numel() != input_tensor.numel() * group.size():
        raise RuntimeError(
            f"ProcessGroupGloo::allgather: invalid tensor size: {output_tensor.numel()} elements for {group.size()} "
            f"times {input_tensor.numel()}"
        )
    if input_tensor.numel() == 0:
        return _ended(_Over(), None, async_op)
    pending = group._engine.all_gather(input_tensor, group.size(), group._seconds)
    return _ended(pending, _filled(output_tensor), async_op)


_all_gather_base = all_gather_into_tensor


def gather(tensor, gather_list=None, dst=None, group=None, async_op=False, group_dst=None):
    _check_tensor(tensor, "tensor")
    if gather_list:
        _check_list(gather_list, "gather_list")
        _check_alike(tensor, *gather_list)
    else:
        gather_list = []
    if (group := _member(group, "gather")) is None:
        return None
    root = _checked_root("gather", group, _root(group, dst, group_dst, default=0 if group_dst is None else None))
    is_root = root == group.rank()
    if is_root and not gather_list:
        raise ValueError("Argument ``gather_list`` must be specified on destination rank.")
    if not is_root and gather_list:
        raise ValueError("Argument ``gather_list`` must NOT be specified on non-destination ranks.")
    if is_root:
        if len(gather_list) != group.size():
            raise RuntimeError(
                f"ProcessGroupGloo::gather: Incorrect output list size {len(gather_list)}. Output list size should "
                f"be {group.size()}, same as size of the process group."
            )
        _check_sizes("gather", gather_list, tensor)
    if tensor.numel() == 0:
        return _ended(_Over(), None, async_op)
    pending = group._engine.gather(tensor, group.size() if is_root else 0, root, group._seconds)
    return _ended(pending, _parts(gather_list) if is_root else None, async_op)


def scatter(tensor, scatter_list=None, src=None, group=None, async_op=False, group_src=None):
    _check_tensor(tensor, "tensor")
    if scatter_list:
        _check_list(scatter_list, "scatter_list")
        _check_alike(tensor, *scatter_list)
    else:
        scatter_list = []
    if (group := _member(group, "scatter")) is None:
        return None
    root = _checked_root("scatter", group, _root(group, src, group_src, default=0 if group_src is None else None))
    parts = None
    if root == group.rank():
        if not scatter_list:
            raise ValueError("Argument ``scatter_list`` must be specified on source rank.")
        if len(scatter_list) != group.size():
            raise RuntimeError(
                f"ProcessGroupGloo::scatter: Incorrect input list size {len(scatter_list)}. Input list size should "
                f"be {group.size()}, same as size of the process group."
            )
        _check_sizes("scatter", scatter_list, tensor)
        parts = _joined(scatter_list)
    elif scatter_list:
        raise ValueError("Argument ``scatter_list`` must NOT be specified on non-source ranks.")
    if tensor.numel() == 0:
        return _ended(_Over(), None, async_op)
    return _ended(group._engine.scatter(parts, tensor, root, group._seconds), _filled(tensor), async_op)


def reduce_scatter_tensor(output, input, op=ReduceOp.SUM, group=None, async_op=False):
    _check_tensor(output, "output")
    _check_tensor(input, "input")
    if (group := _member(group, "reduce_scatter_tensor")) is None:
        return None
    name = _reduction(op, input)
    if output.dtype != input.dtype:
        raise TypeError("input tensor must be the same type as the output tensor.")
    n = output.numel()
    if input.numel() != n * group.size():
        raise RuntimeError(
            f"Check failed: outputShape[0] * worldSize == inputShape[0] ({n * group.size()} vs. {input.numel()})."
        )
    if n == 0:
        return _ended(_Over(), None, async_op)
    start = n * group.rank()
    # As in PyTorch, where gloo has none either: everything is reduced, and each rank takes its part.
    pending = group._engine.all_reduce(input, name, group._seconds, False)
    deliver = _filled(output, op, group.size())
    return _ended(pending, lambda all: deliver(all[start:start + n]), async_op)


_reduce_scatter_base = reduce_scatter_tensor


def reduce_scatter(output, input_list, op=ReduceOp.SUM, group=None, async_op=False):
    _check_tensor(output, "output")
    _check_list(input_list, "input_list")
    _check_alike(output, *input_list)
    if (found := _member(group, "reduce_scatter")) is None:
        return None
    if len(input_list) != found.size():
        raise RuntimeError("ProcessGroupGloo::reduce_scatter: invalid input tensor list at index 0 (expected length "
                           f"{found.size()}, got {len(input_list)})")
    _check_sizes("reduce_scatter", input_list, output)
    return reduce_scatter_tensor(output, _joined(input_list), op, group, async_op)


def _split(what, sizes, tensor, ranks):
    """How many elements of a tensor's first dimension go to each rank."""
    if not sizes:
        if tensor.size(0) % ranks != 0:
            raise RuntimeError("Tensor's dim 0 does not divide equally across group size")
        sizes = [tensor.size(0) // ranks] * ranks
    if len(sizes) != ranks:
        raise RuntimeError("Number of tensor splits not equal to group size")
    if sum(sizes) != tensor.size(0):
        raise RuntimeError("Split sizes doesn't match total dim 0 size")
    row = tensor.numel() // tensor.size(0) if tensor.size(0) else 0
    return [size * row for size in sizes]


def all_to_all_single(
    output, input, output_split_sizes=None, input_split_sizes=None, group=None, async_op=False
):
    _check_tensor(output, "output")
    _check_tensor(input, "input")
    _check_alike(output, input)
    if (group := _member(group, "all_to_all_single")) is None:
        return None
    to = _split("input", input_split_sizes, input, group.size())
    come = _split("output", output_split_sizes, output, group.size())
    return _ended(group._engine.all_to_all(input, to, come, group._seconds), _filled(output), async_op)


def all_to_all(output_tensor_list, input_tensor_list, group=None, async_op=False):
    _check_list(output_tensor_list, "output_tensor_list")
    _check_list(input_tensor_list, "input_tensor_list")
    _check_alike(*output_tensor_list, *input_tensor_list)
    if (group := _member(group, "all_to_all")) is None:
        return None
    for tensors in (output_tensor_list, input_tensor_list):
        if len(tensors) != group.size():
            raise RuntimeError("Number of tensor splits not equal to group size")
    to, come = ([t.numel() for t in tensors] for tensors in (input_tensor_list, output_tensor_list))
    pending = group._engine.all_to_all(_joined(input_tensor_list), to, come, group._seconds)
    return _ended(pending, _parts(output_tensor_list), async_op)


def barrier(group=None, async_op=False, device_ids=None):
    if device_ids is not None:
        raise TypeError("Function argument device_ids not supported for the selected backend gloo")
    if (group := _member(group, "barrier")) is None:
        return None
    return _ended(group._engine.barrier(group._seconds), None, async_op)


def monitored_barrier(group=None, timeout=None, wait_all_ranks=False):
    if (group := _member(group, "monitored_barrier")) is None:
        return
    limit = (group._timeout if timeout is None else timeout).total_seconds()
    group._barriers += 1
    tag = _OWN_TAGS + group._barriers % _OWN_TAGS
    note = torch.zeros(1, dtype=torch.uint8)
    milliseconds = round(limit * 1000)
    if group.rank() != 0:
        try:
            Work(group._engine.send(note, 0, tag), None, limit, "send").wait()
            Work(group._engine.receive(note, 0, tag), None, limit, "recv").wait()
        except RuntimeError as error:
            raise RuntimeError(
                f"Rank {group.rank()} successfully reached monitoredBarrier, but received errors while waiting for "
                f"send/recv from rank 0. Please check rank 0 logs for faulty rank.\n Original exception: \n{error}"
            ) from None
        return
    import time

    others = range(1, group.size())
    arriving = {place: Work(group._engine.receive(note, place, tag), None, limit, "recv") for place in others}
    ends, failed = time.monotonic() + limit, []
    for place, work in arriving.items():
        try:
            if not work._pending.wait(max(ends - time.monotonic(), 0.001)):
                raise RuntimeError("timed out")
            work.wait()
        except RuntimeError:
            failed.append(place)
            if not wait_all_ranks:
                break
    if failed:
        for work in arriving.values():
            if not work.is_completed():
                work._pending.cancel()
        names = ", ".join(map(str, failed))
        if wait_all_ranks:
            raise RuntimeError(f"Ranks {names} failed to pass monitoredBarrier in {milliseconds} ms")
        raise RuntimeError(
            f"[Rank 0]: Rank {names} failed to pass monitoredBarrier in {milliseconds} ms"
        )
    for place in others:
        Work(group._engine.send(note, place, tag), None, limit, "send").wait()


def _transfer(kind, tensor, rank, group_rank, group, tag):
    _check_tensor(tensor, "tensor")
    if (group := _member(group, kind)) is None:
        return None
    is_send = kind in ("send", "isend")
    if not is_send and rank is None and group_rank is None:
        place = -1
    else:
        place = _root(group, rank, group_rank)
        if place == group.rank():
            name = "destination" if is_send else "source"
            raise ValueError(
                f"Invalid {name} rank: {name} rank should not be the same as the rank of the current process."
            )
    if tag < 0 or tag >= _OWN_TAGS:
        raise RuntimeError("Tag must be nonnegative" if tag < 0 else "Tag must be below 2147483648")
    if not tensor.is_contiguous():
        name = "input" if is_send else "output"
        raise RuntimeError(f"{name} tensor has to be contiguous")
    if is_send:
        return Work(group._engine.send(tensor, place, tag), None, group._seconds, "send")
    return Work(group._engine.receive(tensor, place, tag), _filled(tensor), group._seconds, "recv")


def isend(tensor, dst=None, group=None, tag=0, group_dst=None):
    return _transfer("isend", tensor, dst, group_dst, group, tag)


def irecv(tensor, src=None, group=None, tag=0, group_src=None):
    return _transfer("irecv", tensor, src, group_src, group, tag)


def send(tensor, dst=None, group=None, tag=0, group_dst=None):
    work = _transfer("send", tensor, dst, group_dst, group, tag)
    if work is not None:
        work.wait()


def recv(tensor, src=None, group=None, tag=0, group_src=None):
    work = _transfer("recv", tensor, src, group_src, group, tag)
    if work is None:
        return -1
    work.wait()
    if src is not None or group_src is not None:
        return src if src is not None else get_global_rank(group, group_src)
    return get_global_rank(group, work.source_rank())


class P2POp:
    """A transfer that is not started yet."""

    def __init__(self, op, tensor, peer=None, group=None, tag=0, group_peer=None):
        if op not in (isend, irecv):
            raise ValueError(
                "Invalid ``op``. Expected ``op`` to be of type ``torch.distributed.isend`` or "
                "``torch.distributed.irecv``."
            )
        _check_tensor(tensor, "tensor")
        self.op, self.tensor, self.tag = op, tensor, tag
        self.group = _of(group)
        self.group_peer = _root(self.group, peer, group_peer)
        self.peer = self.group._ranks[self.group_peer]


def batch_isend_irecv(p2p_op_list):
    if not isinstance(p2p_op_list, list) or not all(isinstance(op, P2POp) for op in p2p_op_list):
        raise ValueError(
            "Invalid ``p2p_op_list``. Each op is expected to to be of type ``torch.distributed.P2POp``."
        )
    if any(op.group is not p2p_op_list[0].group for op in p2p_op_list):
        raise ValueError("All ops need to use the same group.")
    return [op.op(op.tensor, op.peer, op.group, op.tag) for op in p2p_op_list]


from ._objects import (
    all_gather_object, broadcast_object_list, gather_object, recv_object_list, scatter_object_list, send_object_list
)
