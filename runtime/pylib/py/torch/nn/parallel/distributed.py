"""DistributedDataParallel: gradients become means over the processes while `backward` goes on."""

import contextlib

import torch
import torch._C._distributed as _distributed
from torch import distributed as dist
from torch.nn.modules.module import Module

_FIRST_BUCKET = 1 << 20


def _buckets(params, order, limits):
    """Parameters by place, in groups of a dtype that are closed once they have as many bytes as their limit says."""
    closed, open_ones, used = [], {}, {}
    for place in order:
        param = params[place]
        places, size = open_ones.get(param.dtype, ([], 0))
        places.append(place)
        size += param.numel() * param.element_size()
        # The next bucket of a dtype has the next limit; the last one counts for all further ones.
        limit = limits[min(used.get(param.dtype, 0), len(limits) - 1)]
        if size >= limit:
            closed.append(places)
            used[param.dtype] = used.get(param.dtype, 0) + 1
            open_ones.pop(param.dtype, None)
        else:
            open_ones[param.dtype] = (places, size)
    return closed + [places for places, _ in open_ones.values()]


class _Reducer:
    """Counts gradients that are there, and starts a bucket's all-reduce once it has all of its own."""

    def __init__(self, params, group, find_unused, bucket_bytes, first_bucket):
        self.params, self.group, self.find_unused = params, group, find_unused
        self.limits = [first_bucket, bucket_bytes]
        self.factor = 1.0 / group.size()
        every = range(len(params))
        if find_unused:
            buckets = _buckets(params, every, self.limits)
        else:
            # One a dtype, until the order in which gradients come is known.
            buckets = _buckets(params, every, [float("inf")])
        self._set_buckets(list(reversed(sorted(buckets))))
        self.is_rebuilt = find_unused
        self.arrived, self.is_expecting, self.is_finished = [], False, True
        self.works, self.ready, self.next = [], set(), 0
        self.used = torch.zeros(len(params), dtype=torch.int32)
        self.handles = [
            param.register_post_accumulate_grad_hook(self._hook(place)) for place, param in enumerate(params)
        ]

    def _set_buckets(self, buckets):
        self.buckets = buckets
        self.bucket_of = {place: number for number, places in enumerate(buckets) for place in places}

    def _hook(self, place):
        def hook(param):
            if self.is_expecting:
                self._arrive(place)

        return hook

    def expect(self):
        """What the next backward pass is to do. Called by `forward`."""
        if not self.is_finished:
            raise RuntimeError(self._unfinished())
        self.rebuild_if_due()
        self.is_expecting = True
        self._begin()

    def _begin(self):
        self.missing = [len(places) for places in self.buckets]
        self.works, self.ready, self.next, self.is_queued = [], set(), 0, False

    def rebuild_if_due(self):
        """Makes buckets of the order in which gradients came in the first step."""
        if self.is_rebuilt or len(self.arrived) < len(self.params):
            return
        order = torch.tensor(self.arrived)
        dist.broadcast(order, group=self.group, group_src=0)
        self._set_buckets(_buckets(self.params, order.tolist(), self.limits))
        self.is_rebuilt = True

    def shadow(self):
        """Takes part, without gradients, in what the others do in their backward pass."""
        works = []
        for places in self.buckets:
            first = self.params[places[0]]
            bucket = torch.zeros(sum(self.params[place].numel() for place in places), dtype=first.dtype)
            works.append(dist.all_reduce(bucket, group=self.group, async_op=True))
        if self.find_unused:
            works.append(dist.all_reduce(torch.zeros_like(self.used), group=self.group, async_op=True))
        for work in works:
            work.wait()
        if not self.is_rebuilt:
            self.arrived = list(range(len(self.params)))

    def _arrive(self, place):
        if place in self.ready:
            raise RuntimeError(
                "Expected to mark a variable ready only once. This error is caused by one of the following reasons: 1) "
                "Use of a module parameter outside the `forward` function. Please make sure model parameters are not "
                "shared across multiple concurrent forward-backward passes. or try to use _set_static_graph() as a "
                "workaround if this module graph does not change during training loop.2) Reused parameters in multiple "
                "reentrant backward passes. For example, if you use multiple `checkpoint` functions to wrap the same "
                "part of your model, it would result in the same set of parameters been used by different reentrant "
                "backward passes multiple times, and hence marking a variable ready multiple times. DDP does not support "
                "such use cases in default. You can try to use _set_static_graph() as a workaround if your module graph "
                "does not change over iterations.\n"
                f"Parameter at index {place} has been marked as ready twice."
            )
        self.used[place] = 1
        if not self.is_queued:
            self.is_queued, self.is_finished = True, False
            _distributed.queue_callback(self._finish)
        if not self.is_rebuilt:
            if not self.ready:
                self.arrived = []
            self.arrived.append(place)
        self._mark(place)

    def _mark(self, place):
        self.ready.add(place)
        self.missing[self.bucket_of[place]] -= 1
        while self.next < len(self.buckets) and self.missing[self.next] == 0:
            self._start(self.buckets[self.next])
            self.next += 1

    def _start(self, places):
        parts = []
        for place in places:
            grad, param = self.params[place].grad, self.params[place]
            if grad is None or not self.used[place]:
                parts.append(torch.zeros(param.numel(), dtype=param.dtype))
            else:
                parts.append((grad.detach() * self.factor).reshape(-1))
        bucket = torch.cat(parts)
        # Nobody else has the bucket, so it is not copied for the engine.
        pending = self.group._engine.all_reduce(bucket, "SUM", self.group._seconds, True)
        self.works.append((places, bucket, dist.Work(pending, dist.distributed_c10d._filled(bucket))))

    def _finish(self):
        """The backward pass is through."""
        used = self.used
        if self.find_unused:
            used = used.clone()
            for place in range(len(self.params)):
                if place not in self.ready:
                    self._mark(place)
        elif self.next < len(self.buckets):
            # Some have no gradient: the next `forward` says so.
            return
        if self.find_unused:
            counted = dist.all_reduce(used, group=self.group, async_op=True)
        for places, bucket, work in self.works:
            work.wait()
        if self.find_unused:
            counted.wait()
        with torch.no_grad():
            for places, bucket, work in self.works:
                at = 0
                for place in places:
                    param = self.params[place]
                    n = param.numel()
                    # What nobody used keeps the gradient that it has, or none.
                    if used[place]:
                        mean = bucket[at:at + n].view(param.shape)
                        if param.grad is None:
                            param.grad = mean.clone()
                        else:
                            param.grad.copy_(mean)
                    at += n
        self.used.zero_()
        self.works, self.is_expecting, self.is_finished = [], False, True

    def _unfinished(self):
        unused = [place for place in range(len(self.params)) if place not in self.ready]
        return (
            "Expected to have finished reduction in the prior iteration before starting a new one. This error indicates "
            "that your module has parameters that were not used in producing loss. You can enable unused parameter "
            "detection by passing the keyword argument `find_unused_parameters=True` to "
            "`torch.nn.parallel.DistributedDataParallel`, and by \nmaking sure all `forward` function outputs "
            "participate in calculating loss. \nIf you already have done the above, then the distributed data parallel "
            "module wasn't able to locate the output tensors in the return value of your module's `forward` function. "
            "Please include the loss function and the structure of the return value of `forward` of your module when "
            "reporting this issue (e.g. list, dict, iterable).\n"
            f"Parameter indices which did not receive grad for rank {self.group.rank()}: {' '.join(map(str, unused))}\n"
            " In addition, you can set the environment variable TORCH_DISTRIBUTED_DEBUG to either INFO or DETAIL to print "
            "out information about which particular parameters did not receive gradient on this rank as part of this "
            "error"
        )


def _broadcast(tensors, group, root=0):
    """Gives everybody the tensors of one rank, those of a dtype together."""
    by_dtype = {}
    for tensor in tensors:
        by_dtype.setdefault(tensor.dtype, []).append(tensor)
    with torch.no_grad():
        for alike in by_dtype.values():
            joined = torch.cat([tensor.detach().reshape(-1) for tensor in alike])
            dist.broadcast(joined, group=group, group_src=root)
            if group.rank() == root:
                continue
            at = 0
            for tensor in alike:
                n = tensor.numel()
                tensor.detach().copy_(joined[at:at + n].view(tensor.shape))
                at += n


class _Join:
    """Ranks with fewer inputs than others: who is through takes part in what the others do until they are, too."""

    def __init__(self, ddp, divide_by_initial_world_size, throws):
        self.ddp, self.group, self.throws = ddp, ddp.process_group, throws
        self.divides_by_all = divide_by_initial_world_size

    def _sum(self, number, op=dist.ReduceOp.SUM):
        numbers = torch.tensor([number])
        dist.all_reduce(numbers, op, self.group)
        return numbers.item()

    def __enter__(self):
        self.ddp._join = self
        return self

    def notify(self):
        """In `forward` of a rank that has inputs."""
        active = self._sum(1)
        if self.throws and self._sum(0):
            raise RuntimeError("Detected at least one rank that exhausted inputs. Throwing across all ranks.")
        ranks = self.group.size() if self.divides_by_all else active
        self.ddp.reducer.factor = 1.0 / ranks

    def root(self, is_candidate):
        """The last of the ranks that are candidates."""
        return self._sum(self.group.rank() if is_candidate else -1, dist.ReduceOp.MAX)

    def syncs(self, wants):
        return self._sum(int(wants)) > 0

    def _shadow(self):
        ddp = self.ddp
        ddp.reducer.rebuild_if_due()
        ddp._sync_buffers(is_through=True)
        ddp.require_forward_param_sync = self.syncs(False)
        if ddp.require_forward_param_sync:
            ddp.reducer.shadow()

    def __exit__(self, kind, error, traceback):
        ddp = self.ddp
        try:
            if kind is not None:
                return
            is_last = True
            while self._sum(0):
                if self.throws:
                    self._sum(1)
                    raise RuntimeError(f"Rank {self.group.rank()} exhausted all inputs.")
                self._shadow()
                is_last = False
            everything = [*ddp.module.parameters(), *ddp.module.buffers()]
            _broadcast(everything, self.group, self.root(is_last))
        finally:
            ddp._join = None
            ddp.reducer.factor = 1.0 / self.group.size()


class DistributedDataParallel(Module):
    def __init__(
        self, module, device_ids=None, output_device=None, dim=0, broadcast_buffers=True, init_sync=True,
        process_group=None, bucket_cap_mb=None, find_unused_parameters=False, check_reduction=False,
        gradient_as_bucket_view=False, static_graph=False, delay_all_reduce_named_params=None,
        param_to_hook_all_reduce=None, mixed_precision=None, device_mesh=None, skip_all_reduce_unused_params=False,
        bucket_cap_mb_list=None,
    ):
        super().__init__()
        for name, given in (
            ("delay_all_reduce_named_params", delay_all_reduce_named_params),
            ("param_to_hook_all_reduce", param_to_hook_all_reduce), ("mixed_precision", mixed_precision),
            ("device_mesh", device_mesh), ("bucket_cap_mb_list", bucket_cap_mb_list),
            ("skip_all_reduce_unused_params", skip_all_reduce_unused_params or None),
            ("check_reduction", check_reduction or None),
        ):
            if given is not None:
                raise NotImplementedError(f"DistributedDataParallel({name}=...) is not implemented in janus-jit yet")
        self.process_group = dist._get_default_group() if process_group is None else process_group
        params = [param for param in module.parameters() if param.requires_grad]
        if not params:
            raise RuntimeError(
                "DistributedDataParallel is not needed when a module doesn't have any parameter that requires a gradient."
            )
        if device_ids or output_device is not None:
            raise ValueError(
                "DistributedDataParallel device_ids and output_device arguments only work with single-device/"
                "multiple-device GPU modules or CPU modules, but got device_ids "
                f"{device_ids}, output_device {output_device}, and module parameters {{device(type='cpu')}}."
            )
        self.module = module
        self.device_ids, self.output_device, self.device, self.device_type = None, None, torch.device("cpu"), "cpu"
        self.dim, self.broadcast_buffers = dim, broadcast_buffers
        self.find_unused_parameters, self.static_graph = find_unused_parameters, static_graph
        # Here gradients never are views of buckets; nothing but the memory in use tells.
        self.gradient_as_bucket_view = gradient_as_bucket_view
        self.require_backward_grad_sync, self.require_forward_param_sync = True, True
        self._join = None
        if init_sync:
            self._check_shapes(params)
            _broadcast([*module.parameters(), *module.buffers()], self.process_group)
        cap = 25 if bucket_cap_mb is None else bucket_cap_mb
        self.bucket_bytes_cap = int(cap * 1024 * 1024)
        first = _FIRST_BUCKET if bucket_cap_mb is None else self.bucket_bytes_cap
        # With a static graph parameters that are not used stay that: they are found in each step alike.
        self.reducer = _Reducer(
            params, self.process_group, find_unused_parameters or static_graph, self.bucket_bytes_cap, first
        )

    def _check_shapes(self, params):
        shapes = [tuple(param.shape) for param in params]
        everybody = [None] * self.process_group.size()
        dist.all_gather_object(everybody, shapes, self.process_group)
        rank = self.process_group.rank()
        for other, theirs in enumerate(everybody):
            if len(theirs) != len(shapes):
                raise RuntimeError(
                    f"DDP expects same model across all ranks, but Rank {rank} has {len(shapes)} params, while rank "
                    f"{other} has inconsistent {len(theirs)} params."
                )
        for place, (own, first) in enumerate(zip(shapes, everybody[0])):
            if own != first:
                raise RuntimeError(
                    f"[{rank}]: params[{place}] in this process with sizes {list(own)} appears not to match sizes of the "
                    f"same param in process 0."
                )

    def forward(self, *inputs, **kwargs):
        syncs = torch.is_grad_enabled() and self.require_backward_grad_sync
        if self._join is not None:
            self._join.notify()
        if syncs:
            self.reducer.expect()
        self._sync_buffers()
        if self._join is not None:
            self._join.syncs(self.require_backward_grad_sync)
        result = self.module(*inputs, **kwargs)
        self.require_forward_param_sync = syncs
        return result

    def _sync_buffers(self, is_through=False):
        """Gives everybody the buffers of rank 0, or of one that still has inputs."""
        if self.require_forward_param_sync and self.broadcast_buffers:
            buffers = list(self.module.buffers())
            if buffers:
                root = 0 if self._join is None else self._join.root(not is_through)
                _broadcast(buffers, self.process_group, root)

    @contextlib.contextmanager
    def no_sync(self):
        old = self.require_backward_grad_sync
        self.require_backward_grad_sync = False
        try:
            yield
        finally:
            self.require_backward_grad_sync = old

    def join(self, divide_by_initial_world_size=True, enable=True, throw_on_early_termination=False):
        if not enable:
            return contextlib.nullcontext()
        return _Join(self, divide_by_initial_world_size, throw_on_early_termination)

    def register_comm_hook(self, state, hook):
        raise NotImplementedError(
            f"DistributedDataParallel.register_comm_hook({state!r}, {hook!r}) is not implemented in janus-jit yet"
        )

    def _set_static_graph(self):
        self.static_graph = self.reducer.find_unused = self.reducer.is_rebuilt = True
