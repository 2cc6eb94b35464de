"""Process groups: who is in one, how it is connected, and what is under way in it."""

import datetime
import os
import warnings

import torch
import torch._C._distributed as _distributed

from ._stores import PrefixStore
from .rendezvous import rendezvous

default_pg_timeout = datetime.timedelta(seconds=1800)
# As good as no limit: what was started ends by itself.
_NO_LIMIT = 1e9


class Backend(str):
    """The name of an engine, in small letters."""

    UNDEFINED, GLOO, NCCL, XCCL, UCC, MPI, FAKE = "undefined", "gloo", "nccl", "xccl", "ucc", "mpi", "fake"
    backend_list = [UNDEFINED, GLOO, NCCL, XCCL, UCC, MPI, FAKE]

    def __new__(cls, name):
        if not isinstance(name, str):
            raise ValueError("Backend constructor parameter must be string-ish")
        return name.lower()

    @classmethod
    def register_backend(cls, name, func, extended_api=False, devices=None):
        raise NotImplementedError("backends of other packages are not implemented in janus-jit yet")


def _tell(error):
    """Lets the launcher know that this rank fails since another one is gone, and is not to be blamed."""
    if _world.store is not None and os.environ.get("TORCHELASTIC_USE_AGENT_STORE") == "True":
        try:
            _world.store.set(f"janus/failed/{_world.rank}", str(error))
        except RuntimeError:
            # The launcher is gone, too.
            pass


class Work:
    """Something under way: tensors have the results once `wait` is through, or `is_completed` said so."""

    def __init__(self, pending, deliver, limit=None, what=None):
        # `limit` is that of a transfer between two ranks, which has none of its own.
        self._pending, self._deliver, self._limit, self._what = pending, deliver, limit, what
        self._error, self._is_over, self._peer = None, False, -1

    def _end(self):
        if not self._is_over:
            self._is_over = True
            try:
                tensor, peer = self._pending.result()
                self._peer = -1 if peer is None else peer
                if self._deliver is not None:
                    with torch.no_grad():
                        self._deliver(tensor)
            except RuntimeError as error:
                self._error = error
                _tell(error)
            self._deliver = None

    def wait(self, timeout=None):
        if not self._is_over:
            given = timeout.total_seconds() if timeout is not None and timeout.total_seconds() > 0 else None
            limit = given or self._limit or _NO_LIMIT
            if not self._pending.wait(limit):
                if self._what is None:
                    raise RuntimeError("Operation timed out!")
                self._pending.cancel()
                raise RuntimeError(
                    f"Timed out waiting {round(limit * 1000)}ms for {self._what} operation to complete"
                )
            self._end()
        if self._error is not None:
            raise self._error
        return True

    def synchronize(self):
        self.wait()

    def is_completed(self):
        if not self._is_over and self._pending.is_done():
            self._end()
        return self._is_over

    def is_success(self):
        return self.is_completed() and self._error is None

    def exception(self):
        return self._error if self.is_completed() else None

    def source_rank(self):
        return self._peer


class _Over:
    """What was started and had nothing to wait for."""

    def is_done(self):
        return True

    def wait(self, seconds):
        return True

    def cancel(self):
        pass

    def result(self):
        return None, None


class ProcessGroup:
    """Ranks that call collectives together."""

    def __init__(self, backend, ranks, rank, timeout, store, name, description):
        self._backend, self._ranks, self._timeout, self._store = backend, list(ranks), timeout, store
        self._places = {r: place for place, r in enumerate(self._ranks)}
        self._rank, self.group_name, self.group_desc = self._places[rank], name, description
        self._engine = self._connected()
        # Counts the monitored barriers, whose messages must not be taken for one another.
        self._barriers = 0

    def _connected(self):
        size = len(self._ranks)
        if size == 1:
            return _distributed.alone()
        seconds = self._timeout.total_seconds()
        end = _distributed.create(self._backend, self._rank, size, seconds)
        self._store.set(f"address/{self._rank}", end.address)
        keys = [f"address/{place}" for place in range(size)]
        self._store.wait(keys, self._timeout)
        engine = end.connect([self._store.get(key) for key in keys])
        # Nobody goes on, and perhaps ends, while others still connect to it.
        Work(engine.barrier(seconds), None).wait()
        return engine

    def rank(self):
        return self._rank

    def size(self):
        return len(self._ranks)

    def name(self):
        return self._backend

    def _get_backend_name(self):
        return self._backend

    @property
    def _seconds(self):
        return self._timeout.total_seconds()

    def abort(self):
        self._engine.abort()

    def shutdown(self):
        self._engine.finish()

    def _place(self, rank):
        """A rank of the job as a rank of this group."""
        if rank not in self._places:
            raise ValueError(f"Global rank {rank} is not part of group {self}")
        return self._places[rank]


ProcessGroup.__module__ = "torch.distributed.distributed_c10d"


class GroupMember:
    NON_GROUP_MEMBER = -100


class group:
    WORLD = None


class _World:
    def __init__(self):
        self.groups, self.count, self.generation = [], 0, 0
        self.store, self.rank = None, 0


_world = _World()


def is_initialized():
    return group.WORLD is not None


def _default():
    if group.WORLD is None:
        raise ValueError(
            "Default process group has not been initialized, please make sure to call init_process_group."
        )
    return group.WORLD


def _of(given):
    """The group that is meant; None where this process is not in it."""
    if given is None:
        return _default()
    if given is GroupMember.NON_GROUP_MEMBER:
        return None
    if not isinstance(given, ProcessGroup):
        raise ValueError(f"Expecting a ProcessGroup, but got a {type(given)}.")
    return given


def _member(given, what):
    found = _of(given)
    if found is None:
        warnings.warn(
            f"Running {what} on global rank {_default().rank()} which does not belong to the given group.",
            stacklevel=3,
        )
    return found


def _usable(backend):
    """The engine that a `backend` argument names."""
    if backend is None or backend == "undefined":
        return Backend.GLOO
    name = Backend(backend)
    if ":" in name:
        pairs = dict(pair.split(":", 1) for pair in name.split(","))
        name = pairs.get("cpu", next(iter(pairs.values())))
    if name == Backend.GLOO:
        return name
    if name == Backend.NCCL:
        raise ValueError("ProcessGroupNCCL is only supported with GPUs, no GPUs found!")
    if name == Backend.MPI:
        raise RuntimeError(
            "Distributed package doesn't have MPI built in. MPI is not implemented in janus-jit yet: use gloo."
        )
    raise RuntimeError(f"the backend '{name}' is not implemented in janus-jit yet: use gloo")


def _available(backend):
    try:
        _distributed.load(backend)
    except ImportError:
        return False
    return True


def is_available():
    return True


def is_gloo_available():
    return _available("gloo")


def is_nccl_available():
    return False


def is_mpi_available():
    return False


def is_ucc_available():
    return False


def is_xccl_available():
    return False


def is_backend_available(backend):
    return backend.lower() == Backend.GLOO and is_gloo_available()


def is_torchelastic_launched():
    return os.environ.get("TORCHELASTIC_RUN_ID") is not None


def get_node_local_rank(fallback_rank=None):
    if "LOCAL_RANK" in os.environ:
        return int(os.environ["LOCAL_RANK"])
    if fallback_rank is not None:
        return int(fallback_rank)
    raise RuntimeError(
        "LOCAL_RANK is not in the environment. Consider passing fallback_rank to allow `get_node_local_rank` to work, "
        "assuming you are not running in a multi-device context and want the code to run locally instead."
    )


def _checked_timeout(timeout):
    if timeout is None:
        return default_pg_timeout
    if not isinstance(timeout, datetime.timedelta):
        raise TypeError(f"Expected timeout argument to be of type datetime.timedelta, got {timeout}")
    return timeout


def _made(backend, ranks, timeout, store, name, description):
    try:
        made = ProcessGroup(backend, ranks, _world.rank, timeout, PrefixStore(name, store), name, description)
    except ImportError as error:
        raise RuntimeError(f"init_process_group('{backend}'): {error}") from None
    _world.groups.append(made)
    return made


def init_process_group(
    backend=None, init_method=None, timeout=None, world_size=-1, rank=-1, store=None, group_name="", pg_options=None,
    device_id=None,
):
    if is_initialized():
        raise ValueError("trying to initialize the default process group twice!")
    if pg_options is not None:
        raise NotImplementedError("init_process_group(pg_options=...) is not implemented in janus-jit yet")
    if device_id is not None and torch.device(device_id).type != "cpu":
        raise ValueError(
            f"device_id {device_id} does not match the current compilation's accelerator support: None. "
            "Please use a different compiled version that supports your accelerator."
        )
    timeout = _checked_timeout(timeout)
    if store is not None:
        assert init_method is None, "Cannot specify both init_method and store."
        assert world_size > 0, "world_size must be positive if using store"
        assert rank >= 0, "rank must be non-negative if using store"
    else:
        method = "env://" if init_method is None else init_method
        store, rank, world_size = next(rendezvous(method, rank, world_size, timeout=timeout))
        store.set_timeout(timeout)
    backend = _usable(backend)
    if not 0 <= rank < world_size:
        raise ValueError(f"Invalid rank {rank}, rank should be in the interval [0, {world_size - 1}]")
    _world.rank, _world.store = rank, store
    # A store may outlive a group, and what was said of the one before must not be read for the next one.
    _world.generation += 1
    _world.count = 0
    prefix = f"default_pg/{_world.generation}/{group_name}"
    group.WORLD = GroupMember.WORLD = _made(backend, range(world_size), timeout, store, prefix, "default_pg")


def destroy_process_group(group=None):
    world = globals()["group"]
    if group is GroupMember.NON_GROUP_MEMBER:
        return
    given = world.WORLD if group is None else group
    assert given is not None, "Process group cannot be None"
    if given not in _world.groups:
        raise ValueError("Invalid process group specified")
    ended = list(_world.groups) if given is world.WORLD else [given]
    for one in reversed(ended):
        one.shutdown()
        _world.groups.remove(one)
    if given is world.WORLD:
        world.WORLD = GroupMember.WORLD = None
        _world.store = None


def new_group(
    ranks=None, timeout=None, backend=None, pg_options=None, use_local_synchronization=False, group_desc=None,
    device_id=None,
):
    world = _default()
    if pg_options is not None or device_id is not None:
        raise NotImplementedError("new_group(pg_options=..., device_id=...) is not implemented in janus-jit yet")
    backend = world._backend if backend is None else _usable(backend)
    timeout = world._timeout if timeout is None else _checked_timeout(timeout)
    _world.count += 1
    number = str(_world.count)
    if ranks is None:
        ranks = list(range(world.size()))
    else:
        # With local synchronization the other ranks do not count this group: its members name it.
        number = "local/" + "_".join(map(str, ranks)) if use_local_synchronization else number
        ranks = sorted(ranks)
        if len(ranks) > world.size():
            raise ValueError("the new group's world size should be less or equal to the world size set by "
                             "init_process_group")
        if len(set(ranks)) < len(ranks):
            raise ValueError("the new group's rank list has duplicates")
        for rank in ranks:
            if not 0 <= rank < world.size():
                raise ValueError("The new group's rank should be within the world_size set by init_process_group")
    if world.rank() not in ranks:
        return GroupMember.NON_GROUP_MEMBER
    name = f"group/{_world.generation}/{number}"
    return _made(backend, ranks, timeout, _world.store, name, group_desc or "undefined")


def new_subgroups_by_enumeration(
    ranks_per_subgroup_list, timeout=None, backend=None, pg_options=None, group_desc=None
):
    if ranks_per_subgroup_list is None or len(ranks_per_subgroup_list) == 0:
        raise ValueError("The arg 'ranks_per_subgroup_list' cannot be empty")
    groups, own, seen = [], None, {}
    for number, ranks in enumerate(ranks_per_subgroup_list):
        made = new_group(ranks, timeout, backend, pg_options, group_desc=group_desc)
        groups.append(made)
        for rank in ranks:
            if rank in seen:
                raise ValueError(f"Rank {rank} has appeared in both subgroup {seen[rank]} and {ranks}")
            seen[rank] = ranks
        if get_rank() in ranks:
            own = made
    return own, groups


def new_subgroups(
    group_size=None, group=None, timeout=None, backend=None, pg_options=None, group_desc=None
):
    if group_size is None:
        raise ValueError("Default group size only takes effect when CUDA is available. Please specify group_size.")
    if group_size <= 0:
        raise ValueError(f"The arg 'group_size' ({group_size}) must be positive")
    world_size = get_world_size(group)
    if world_size < group_size:
        raise ValueError(f"The arg 'group_size' ({group_size}) must not exceed the world size ({world_size})")
    if world_size % group_size != 0:
        raise ValueError(f"The world size ({world_size}) must be divisible by 'group_size={group_size}'")
    members = get_process_group_ranks(group)
    parts = [members[i:i + group_size] for i in range(0, world_size, group_size)]
    return new_subgroups_by_enumeration(parts, timeout, backend, pg_options, group_desc)


def get_rank(group=None):
    found = _of(group)
    return -1 if found is None else found.rank()


def get_world_size(group=None):
    found = _of(group)
    return -1 if found is None else found.size()


def _inside(group):
    found = _of(group)
    if found is None or found not in _world.groups:
        raise ValueError("Invalid process group specified")
    return found


def get_backend(group=None):
    return _inside(group)._backend


def get_backend_config(group=None):
    return f"cpu:{_inside(group)._backend}"


def get_default_backend_for_device(device):
    if torch.device(device).type != "cpu":
        raise ValueError(f"Default backend not registered for device : {device}")
    return Backend.GLOO


def get_process_group_ranks(group):
    return list(_inside(group)._ranks)


def get_group_rank(group, global_rank):
    return _inside(group)._place(global_rank)


def get_global_rank(group, group_rank):
    found = _inside(group)
    if not 0 <= group_rank < found.size():
        raise ValueError(f"Group rank {group_rank} is not part of group {found}")
    return found._ranks[group_rank]


def get_pg_count():
    return len(_world.groups)


def _get_default_group():
    return _default()


def _get_default_store():
    _default()
    return _world.store
