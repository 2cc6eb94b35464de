"""Functions that change shapes, join and split."""

from _refused import refused
import torch
from torch import _C

from numpy import _short
from numpy._array import _as_tensor, _given, _in_kind, _wrap, asarray, is_unsigned, moved, ndarray
from numpy._ops import _axes, _missing, _same_kind, normalized
from numpy._dtypes import NotNumbers, RecordDType, as_dtype, of_torch, promote
from numpy._creation import _extents, mgrid
from numpy._padding import pad


def shape(a):
    return tuple(_as_tensor(a).shape)


def ndim(a):
    return _as_tensor(a).dim()


def size(a, axis=None):
    t = _as_tensor(a)
    return t.numel() if axis is None else t.shape[axis]


def reshape(a, /, shape=None, order="C", *, newshape=None, copy=None):
    if copy is not None:
        raise refused("numpy.reshape", "copy")
    return asarray(a).reshape(shape if newshape is None else newshape, order=order)


def ravel(a, order="C"):
    return asarray(a).ravel(order)


def transpose(a, axes=None):
    return asarray(a).transpose(axes)


permute_dims = transpose


def swapaxes(a, axis1, axis2):
    return asarray(a).swapaxes(axis1, axis2)


def moveaxis(a, source, destination):
    t, made = moved(a)
    return made(torch.movedim(t, source, destination))


def rollaxis(a, axis, start=0):
    a = asarray(a)
    axis = normalized(axis, a.ndim)
    start = start + a.ndim if start < 0 else start
    order = [d for d in range(a.ndim) if d != axis]
    order.insert(start - 1 if axis < start else start, axis)
    return a.transpose(order)


def squeeze(a, axis=None):
    return asarray(a).squeeze(axis)


def expand_dims(a, axis):
    t, made = moved(a)
    axes = axis if isinstance(axis, (tuple, list)) else (axis,)
    n = t.dim() + len(axes)
    for d in sorted(normalized(d, n) for d in axes):
        t = t.unsqueeze(d)
    return made(t)


def broadcast_to(a, shape, subok=False):
    if subok:
        raise refused("numpy.broadcast_to", "subok")
    t, made = moved(a)
    try:
        a = made(t.expand(_extents(shape)))
    except RuntimeError:
        raise ValueError(
            "operands could not be broadcast together with remapped shapes [original->remapped]: "
            f"{tuple(t.shape)}  and requested shape {tuple(_extents(shape))}"
        ) from None
    return a


def broadcast_arrays(*args, subok=False):
    if subok:
        raise refused("numpy.broadcast_arrays", "subok")
    given = [moved(a) for a in args]
    tensors = torch.broadcast_tensors(*[t for t, _ in given])
    return tuple(made(t) for t, (_, made) in zip(tensors, given))


def broadcast_shapes(*shapes):
    shapes = [tuple(_extents(shape)) for shape in shapes]
    found = []
    for d in range(-max((len(shape) for shape in shapes), default=0), 0):
        wide = [(i, shape[d]) for i, shape in enumerate(shapes) if len(shape) >= -d and shape[d] != 1]
        for i, n in wide[1:]:
            if n != wide[0][1]:
                first = wide[0][0]
                raise ValueError(
                    "shape mismatch: objects cannot be broadcast to a single shape.  Mismatch is between arg "
                    f"{first} with shape {shapes[first]} and arg {i} with shape {shapes[i]}."
                )
        found.append(wide[0][1] if wide else 1)
    return tuple(found)


def _at_least(dims):
    def function(*arrays):
        found = []
        for a in arrays:
            t, made = moved(a)
            if dims == 3 and t.dim() == 2:
                t = t.unsqueeze(-1)
            elif dims == 3 and t.dim() == 1:
                t = t.reshape(1, -1, 1)
            while t.dim() < dims:
                t = t.unsqueeze(0)
            found.append(made(t))
        return found[0] if len(found) == 1 else tuple(found)

    return function


atleast_1d, atleast_2d, atleast_3d = _at_least(1), _at_least(2), _at_least(3)


def _together(arrays):
    if isinstance(arrays, ndarray):
        arrays = list(arrays)
    tensors = [_as_tensor(a) for a in arrays]
    if not tensors:
        raise ValueError("need at least one array to concatenate")
    kind = tensors[0].dtype
    for t in tensors:
        kind = promote(kind, t.dtype)
    return [t.to(kind) for t in tensors]


@_short.of_function
def concatenate(arrays, axis=0, out=None, dtype=None, casting="same_kind"):
    if casting != "same_kind":
        raise refused("numpy.concatenate", "casting")
    unsigned = of_items = None
    if dtype is None and out is None and not isinstance(arrays, ndarray) and any([is_unsigned(a) for a in arrays]):
        from numpy._unsigned import aligned, made

        tensors, unsigned = aligned(arrays)
    else:
        try:
            tensors = _together(arrays)
        except NotNumbers:
            if all([isinstance(asarray(a).dtype, RecordDType) for a in arrays]):
                from numpy._records import joined

                return joined(list(arrays))
            from numpy._items import over, together

            tensors, *of_items = together(arrays)
    if axis is None:
        tensors, axis = [t.reshape(-1) for t in tensors], 0
    first = tensors[0]
    if first.dim() == 0:
        raise ValueError("zero-dimensional arrays cannot be concatenated")
    axis = normalized(axis, first.dim())
    for i, t in enumerate(tensors):
        if t.dim() != first.dim():
            raise ValueError(
                "all the input arrays must have same number of dimensions, but the array at index 0 has "
                f"{first.dim()} dimension(s) and the array at index {i} has {t.dim()} dimension(s)"
            )
        for d in range(t.dim()):
            if d != axis and t.shape[d] != first.shape[d]:
                raise ValueError(
                    "all the input array dimensions except for the concatenation axis must match exactly, but along "
                    f"dimension {d}, the array at index 0 has size {first.shape[d]} and the array at index {i} has "
                    f"size {t.shape[d]}"
                )
    if of_items is not None:
        found = over(torch.cat(tensors, axis), *of_items)
        return found.copy() if dtype is None else found.astype(dtype)
    if unsigned is not None and tensors[0].dtype is torch.int64:
        return made(torch.cat(tensors, axis), unsigned)
    return _given(_joined(torch.cat(tensors, axis), tensors, dtype), out)


def _joined(t, parts, dtype):
    """What parts were put together to, in a dtype that all of them may be written into."""
    if dtype is None:
        return t
    into = as_dtype(dtype)
    for part in parts:
        if not _same_kind(part.dtype, into._torch):
            raise TypeError(
                f"Cannot cast array data from {of_torch(part.dtype)!r} to {into!r} according to the rule 'same_kind'"
            )
    return t.to(into._torch)


concat = concatenate


def append(arr, values, axis=None):
    return concatenate([arr, values], axis)


def stack(arrays, axis=0, out=None, *, dtype=None, casting="same_kind"):
    if casting != "same_kind":
        raise refused("numpy.stack", "casting")
    try:
        tensors = _together(arrays)
        of_items = None
    except NotNumbers:
        from numpy._items import over, together

        tensors, *of_items = together(arrays)
    if not all(t.shape == tensors[0].shape for t in tensors):
        raise ValueError("all input arrays must have the same shape")
    t = torch.stack(tensors, axis)
    if of_items is not None:
        return over(t, *of_items).copy()
    return _given(t if dtype is None else t.to(as_dtype(dtype)._torch), out)


def vstack(tup, *, dtype=None, casting="same_kind"):
    if casting != "same_kind":
        raise refused("numpy.vstack", "casting")
    return concatenate([atleast_2d(a) for a in tup], 0, dtype=dtype)


row_stack = vstack


def hstack(tup, *, dtype=None, casting="same_kind"):
    if casting != "same_kind":
        raise refused("numpy.hstack", "casting")
    arrays = [atleast_1d(a) for a in tup]
    return concatenate(arrays, 0 if arrays[0].ndim == 1 else 1, dtype=dtype)


def dstack(tup):
    return concatenate([atleast_3d(a) for a in tup], 2)


def column_stack(tup):
    return concatenate([a.reshape(-1, 1) if a.ndim == 1 else a for a in [atleast_1d(a) for a in tup]], 1)


def array_split(ary, indices_or_sections, axis=0):
    t = asarray(ary)._t
    if isinstance(indices_or_sections, int):
        count, extent = indices_or_sections, t.shape[axis]
        each, more = divmod(extent, count)
        bounds = [0]
        for i in range(count):
            bounds.append(bounds[-1] + each + (1 if i < more else 0))
    else:
        bounds = [0, *[int(i) for i in indices_or_sections], t.shape[axis]]
    a, at = asarray(ary), normalized(axis, t.dim())
    before = (slice(None),) * at
    return [a[(*before, slice(lo, hi))] for lo, hi in zip(bounds, bounds[1:])]


def split(ary, indices_or_sections, axis=0):
    if isinstance(indices_or_sections, int) and asarray(ary).shape[axis] % indices_or_sections:
        raise ValueError("array split does not result in an equal division")
    return array_split(ary, indices_or_sections, axis)


def hsplit(ary, indices_or_sections):
    return split(ary, indices_or_sections, 1 if ndim(ary) > 1 else 0)


def vsplit(ary, indices_or_sections):
    return split(ary, indices_or_sections, 0)


def tile(A, reps):
    t, made = moved(A)
    reps = [int(n) for n in reps] if isinstance(reps, (tuple, list, ndarray)) else [int(reps)]
    reps = [1] * (t.dim() - len(reps)) + reps
    if min(reps, default=0) < 0:
        raise ValueError("negative dimensions are not allowed")
    return made(t.repeat(*reps))


def repeat(a, repeats, axis=None):
    return asarray(a).repeat(repeats, axis)


def flip(m, axis=None):
    t, made = moved(m)
    return made(_C._backwards(t, _axes(axis, t.dim())))


def fliplr(m):
    return flip(m, 1)


def flipud(m):
    return flip(m, 0)


def roll(a, shift, axis=None):
    t, made = moved(a)
    if axis is None:
        return made(t.reshape(-1).roll(shift).reshape(t.shape))
    if isinstance(axis, (tuple, list)) and isinstance(shift, int):
        shift = (shift,) * len(axis)
    elif isinstance(shift, (tuple, list)) and isinstance(axis, int):
        axis = (axis,) * len(shift)
    return made(torch.roll(t, shift, axis))


def rot90(m, k=1, axes=(0, 1)):
    t, made = moved(m)
    return made(torch.rot90(t, k, axes))


def delete(arr, obj, axis=None):
    t, made = moved(arr)
    if axis is None:
        t, axis = t.reshape(-1), 0
    axis = normalized(axis, t.dim())
    kept = torch.ones(t.shape[axis], dtype=torch.bool)
    if isinstance(obj, slice):
        kept[obj] = False
    else:
        at = _as_tensor(obj)
        n = t.shape[axis]
        for i in at.reshape(-1).tolist() if at.dtype is not torch.bool else []:
            if not -n <= i < n:
                raise IndexError(f"index {i} is out of bounds for axis {axis} with size {n}")
        kept[at] = False
    return made(t.index_select(axis, kept.nonzero().reshape(-1)))


def insert(arr, obj, values, axis=None):
    try:
        t = _as_tensor(arr)
    except NotNumbers:
        from numpy._items import inserted

        return inserted(asarray(arr), obj, values, axis, insert)
    if axis is None:
        t, axis = t.reshape(-1), 0
    axis = normalized(axis, t.dim())
    if not isinstance(obj, int):
        return _inserted(t, obj, values, axis)
    at = obj + t.shape[axis] if obj < 0 else obj
    v = _in_kind(values, t.dtype)
    front, back = t.narrow(axis, 0, at), t.narrow(axis, at, t.shape[axis] - at)
    extents = list(t.shape)
    extents[axis] = 1
    if t.dim() == 1:
        v = v.reshape(-1)
    else:
        v = v.unsqueeze(axis) if v.dim() == t.dim() - 1 else v
        v = v.expand(*[v.shape[axis] if d == axis and v.dim() == t.dim() else n for d, n in enumerate(extents)])
    return _wrap(torch.cat([front, v, back], axis))


def _inserted(t, obj, values, axis):
    """Values before several places: these count in the array as it was."""
    n = t.shape[axis]
    at = torch.arange(n)[obj] if isinstance(obj, slice) else _as_tensor(obj)
    if at.dtype is torch.bool:
        at = at.nonzero().reshape(-1)
    at = at.reshape(-1).to(torch.int64)
    for i in at.tolist():
        if not -n <= i <= n:
            raise IndexError(f"index {i} is out of bounds for axis {axis} with size {n}")
    at = torch.where(at < 0, at + n, at)
    order = at.sort(stable=True).indices
    at = at.clone()
    at[order] += torch.arange(at.numel())
    old = torch.ones(n + at.numel(), dtype=torch.bool)
    old[at] = False
    extents = list(t.shape)
    extents[axis] = n + at.numel()
    made = torch.empty(extents, dtype=t.dtype)
    head = (slice(None),) * axis
    made[(*head, old.nonzero().reshape(-1))] = t
    extents[axis] = at.numel()
    made[(*head, at)] = _in_kind(values, t.dtype).expand(extents)
    return _wrap(made)


def _depth(arrays):
    if isinstance(arrays, tuple):
        raise TypeError("arrays is a tuple. Only lists can be used to arrange blocks, and np.block does not allow implicit conversion from "
                        "tuple to ndarray.")
    if not isinstance(arrays, list):
        return 0
    if not arrays:
        raise ValueError("List at arrays cannot be empty")
    depths = {_depth(a) for a in arrays}
    if len(depths) > 1:
        raise ValueError("List depths are mismatched.")
    return depths.pop() + 1


def _innermost(arrays):
    return max([_innermost(a) for a in arrays]) if isinstance(arrays, list) else ndim(arrays)


def block(arrays):
    depth = _depth(arrays)
    rank = max(depth, _innermost(arrays))

    def made(part, level):
        if not isinstance(part, list):
            part = asarray(part)
            return part.reshape((1,) * (rank - part.ndim) + part.shape)
        return concatenate([made(p, level + 1) for p in part], rank - depth + level)

    return made(arrays, 0) if depth else _wrap(_as_tensor(arrays).clone())


def diag(v, k=0):
    return _wrap(torch.diag(_as_tensor(v), k).clone())


def diagonal(a, offset=0, axis1=0, axis2=1):
    return asarray(a).diagonal(offset, axis1, axis2)


def trace(a, offset=0, axis1=0, axis2=1, dtype=None, out=None):
    return asarray(a).trace(offset, axis1, axis2, dtype, out)


def fill_diagonal(a, val, wrap=False):
    if wrap:
        raise refused("numpy.fill_diagonal", "wrap")
    torch.diagonal(a._t).copy_(_as_tensor(val).to(a._t.dtype))


class _Joined:
    """`r_` and `c_`, of arrays and slices."""

    def __init__(self, columns):
        self._columns = columns

    def __getitem__(self, key):
        parts = []
        for k in key if isinstance(key, tuple) else (key,):
            if isinstance(k, str):
                raise _missing("r_ and c_ with a string")
            parts.append(mgrid[k] if isinstance(k, slice) else atleast_1d(k))
        return column_stack(parts) if self._columns else concatenate(parts)


r_ = _Joined(False)
c_ = _Joined(True)
