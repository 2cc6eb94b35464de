"""Collectives of objects, which are pickled."""

import pickle

import torch

from . import distributed_c10d as c10d
from ._groups import _member


def _packed(obj):
    data = pickle.dumps(obj)
    return torch._C._tensor_of_bytes(data, torch.uint8), torch.tensor([len(data)])


def _unpacked(tensor, size):
    return pickle.loads(torch._C._tensor_bytes(tensor[:size]))


def _sizes(size, group):
    sizes = torch.zeros(group.size(), dtype=torch.int64)
    c10d.all_gather_into_tensor(sizes, size, group)
    return sizes.tolist()


def _padded(tensor, size):
    padded = torch.zeros(size, dtype=torch.uint8)
    padded[:tensor.numel()] = tensor
    return padded


def all_gather_object(object_list, obj, group=None):
    if (group := _member(group, "all_gather_object")) is None:
        return
    tensor, size = _packed(obj)
    sizes = _sizes(size, group)
    longest = max(sizes)
    all = torch.zeros(longest * group.size(), dtype=torch.uint8)
    c10d.all_gather_into_tensor(all, _padded(tensor, longest), group)
    for place, size in enumerate(sizes):
        object_list[place] = _unpacked(all[place * longest:(place + 1) * longest], size)


def gather_object(obj, object_gather_list=None, dst=None, group=None, group_dst=None):
    if (group := _member(group, "gather_object")) is None:
        return
    root = c10d._root(group, dst, group_dst, default=0 if group_dst is None else None)
    is_root = root == group.rank()
    if is_root and not object_gather_list:
        raise ValueError("Argument ``gather_list`` must be specified on destination rank.")
    if not is_root and object_gather_list:
        raise ValueError("Argument ``gather_list`` must NOT be specified on non-destination ranks.")
    tensor, size = _packed(obj)
    sizes = _sizes(size, group)
    longest = max(sizes)
    parts = [torch.zeros(longest, dtype=torch.uint8) for _ in sizes] if is_root else None
    c10d.gather(_padded(tensor, longest), parts, group=group, group_dst=root)
    if is_root:
        for place, size in enumerate(sizes):
            object_gather_list[place] = _unpacked(parts[place], size)


def broadcast_object_list(object_list, src=None, group=None, device=None, group_src=None):
    _check_device(device)
    if (group := _member(group, "broadcast_object_list")) is None:
        return
    root = c10d._root(group, src, group_src, default=0 if group_src is None else None)
    if root == group.rank():
        packed = [_packed(obj) for obj in object_list]
        sizes = torch.cat([size for _, size in packed])
    else:
        sizes = torch.zeros(len(object_list), dtype=torch.int64)
    c10d.broadcast(sizes, group=group, group_src=root)
    if root == group.rank():
        all = torch.cat([tensor for tensor, _ in packed])
    else:
        all = torch.zeros(int(sizes.sum()), dtype=torch.uint8)
    c10d.broadcast(all, group=group, group_src=root)
    if root != group.rank():
        _take_apart(object_list, all, sizes)


def _take_apart(object_list, all, sizes):
    at = 0
    for place, size in enumerate(sizes.tolist()):
        object_list[place] = _unpacked(all[at:at + size], size)
        at += size


def scatter_object_list(
    scatter_object_output_list, scatter_object_input_list=None, src=None, group=None, group_src=None
):
    if (group := _member(group, "scatter_object_list")) is None:
        return
    if not isinstance(scatter_object_output_list, list) or len(scatter_object_output_list) < 1:
        raise ValueError("Expected argument scatter_object_output_list to be a list of size at least 1.")
    root = c10d._root(group, src, group_src, default=0 if group_src is None else None)
    is_root = root == group.rank()
    longest, parts, sizes = torch.zeros(1, dtype=torch.int64), None, None
    if is_root:
        packed = [_packed(obj) for obj in scatter_object_input_list]
        longest = torch.stack([size for _, size in packed]).max().reshape(1)
        parts = [_padded(tensor, int(longest)) for tensor, _ in packed]
        sizes = [size for _, size in packed]
    c10d.broadcast(longest, group=group, group_src=root)
    own, size = torch.zeros(int(longest), dtype=torch.uint8), torch.zeros(1, dtype=torch.int64)
    c10d.scatter(own, parts, group=group, group_src=root)
    c10d.scatter(size, sizes, group=group, group_src=root)
    scatter_object_output_list[0] = _unpacked(own, int(size))


def send_object_list(object_list, dst=None, group=None, device=None, group_dst=None, use_batch=False):
    _check_device(device)
    _check_batch(use_batch)
    if (group := _member(group, "send_object_list")) is None:
        return
    place = c10d._root(group, dst, group_dst)
    packed = [_packed(obj) for obj in object_list]
    c10d.send(torch.cat([size for _, size in packed]), group=group, group_dst=place)
    c10d.send(torch.cat([tensor for tensor, _ in packed]), group=group, group_dst=place)


def recv_object_list(object_list, src=None, group=None, device=None, group_src=None, use_batch=False):
    _check_device(device)
    _check_batch(use_batch)
    if (group := _member(group, "recv_object_list")) is None:
        return -1
    sizes = torch.zeros(len(object_list), dtype=torch.int64)
    if src is None and group_src is None:
        src = c10d.recv(sizes, group=group)
    else:
        src = group._ranks[c10d._root(group, src, group_src)]
        c10d.recv(sizes, src, group=group)
    all = torch.zeros(int(sizes.sum()), dtype=torch.uint8)
    c10d.recv(all, src, group=group)
    _take_apart(object_list, all, sizes)
    return src


def _check_device(device):
    if device is not None and torch.device(device).type != "cpu":
        raise RuntimeError(f"objects travel through memory of the CPU: the device {device} is not there")


def _check_batch(use_batch):
    if use_batch:
        raise NotImplementedError("object lists with use_batch=True are not implemented in janus-jit yet")
