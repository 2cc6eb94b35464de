"""torch.distributed: processes that train together. docs/distributed.md says what there is."""

import torch

from . import distributed_c10d, rendezvous as _rendezvous
from ._groups import *
from ._groups import Backend, GroupMember, ProcessGroup, Work, default_pg_timeout, group
from ._stores import (
    DistBackendError, DistError, DistNetworkError, DistStoreError, FileStore, HashStore, PrefixStore, QueueEmptyError,
    Store, TCPStore
)
from .distributed_c10d import (
    P2POp, ReduceOp, _all_gather_base, _get_default_group, _get_default_store, _reduce_scatter_base, all_gather,
    all_gather_into_tensor, all_gather_object, all_reduce, all_reduce_coalesced, all_to_all, all_to_all_single, barrier,
    batch_isend_irecv, broadcast, broadcast_object_list, gather, gather_object, irecv, isend, monitored_barrier, recv,
    recv_object_list, reduce, reduce_op, reduce_scatter, reduce_scatter_tensor, scatter, scatter_object_list, send,
    send_object_list
)
from .rendezvous import register_rendezvous_handler, rendezvous

ProcessGroupGloo = ProcessGroup


def __getattr__(name):
    return torch._C._missing_name("torch.distributed", name)
