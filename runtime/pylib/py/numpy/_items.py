"""Arrays of texts, of bytes and of objects: an int64 tensor of places in a list.

Always: each element of an array that is not a view has a place of its own, so that a view shows what is written through
another. What moves elements moves places; what looks at elements does so one by one.
"""

import bisect
import math
import operator
import torch

from _refused import refused
from numpy import _dtypes
from numpy._apart import Apart
from numpy._array import _as_tensor, _wrap, array, ndarray
from numpy._dtypes import OBJECT, ItemDType, as_dtype, bytes_, generic, item_dtype, str_
from numpy._ops import UFuncTypeError, _missing

# As many characters as a number of a dtype may need.
_WIDTHS = {"b": {1: 5}, "i": {1: 4, 2: 6, 4: 11, 8: 21}, "u": {1: 3, 2: 5, 4: 10, 8: 20}, "f": {2: 32, 4: 32, 8: 32}, "c": {8: 64, 16: 64}}
_SEQUENCES = (list, tuple)


def over(t, store, dtype):
    """An array over places in a list."""
    a = object.__new__(items)
    a._t, a._store, a._raw = t, store, dtype
    return a


def filled(values, shape, dtype):
    """An array of a flat list, which it keeps."""
    return over(torch.arange(len(values)).reshape(list(shape)), values, dtype)


def _widest(values):
    return max((len(v) for v in values), default=0)


def _nested_shape(x):
    """The extents that nested sequences have as far as all of them agree."""
    if isinstance(x, ndarray):
        return x.shape
    if not isinstance(x, _SEQUENCES):
        return ()
    rows = [_nested_shape(row) for row in x]
    if not rows:
        return (0,)
    common = rows[0]
    for row in rows:
        common = common[: len(row)]
        while common != row[: len(common)]:
            common = common[:-1]
    return (len(x), *common)


def _leaves(x, depth):
    if depth == 0:
        return [x.item() if isinstance(x, ndarray) and x.ndim == 0 else x]
    return [leaf for row in x for leaf in _leaves(row, depth - 1)]


def _text(x):
    """What a value is as an element of an array of texts."""
    return x if type(x) is str else str.__str__(x) if isinstance(x, str) else x.decode() if isinstance(x, bytes) else str(x)


def _kind_of(leaves):
    """The dtype of values that are no numbers, or not all."""
    width = 0
    for x in leaves:
        if isinstance(x, str):
            width = max(width, len(x))
        elif isinstance(x, bytes):
            if not all(isinstance(y, bytes) for y in leaves):
                return OBJECT
            return item_dtype("S", max(_widest(leaves), 1))
        elif isinstance(x, (bool, _dtypes.bool)):
            width = max(width, 5)
        elif isinstance(x, (int, float, complex)):
            width = max(width, _number_width(x))
        else:
            return OBJECT
    return item_dtype("U", max(width, 1)) if any(isinstance(x, str) for x in leaves) else OBJECT


def _number_width(x):
    kind = x.dtype if isinstance(x, generic) else as_dtype(type(x))
    return _WIDTHS[kind.kind][kind.itemsize]


def made_of(x, dtype=None):
    """An array of values that may be nested sequences."""
    if isinstance(x, items):
        return x.copy() if dtype is None else x.astype(dtype)
    if isinstance(x, ndarray) and dtype is not None:
        return of_numbers(x, dtype)
    if hasattr(x, "__array__") and not isinstance(x, generic):
        return of_numbers(x.__array__(), OBJECT if dtype is None else dtype)
    if isinstance(x, range):
        x = list(x)
    shape = _nested_shape(x)
    leaves = _leaves(x, len(shape))
    if dtype is None or dtype.kind != "O":
        if any(isinstance(leaf, (*_SEQUENCES, ndarray)) for leaf in leaves):
            raise ValueError(
                "setting an array element with a sequence. The requested array has an inhomogeneous shape after "
                f"{len(shape)} dimensions. The detected shape was {shape} + inhomogeneous part."
            )
    own = _kind_of(leaves) if dtype is None else dtype
    return filled(_values(leaves, own), shape, _sized(leaves, own))


def _sized(leaves, dtype):
    """A dtype of texts with a width, where it was asked for without one."""
    if dtype.kind == "O" or dtype.itemsize:
        return dtype
    if dtype.kind == "S":
        return item_dtype("S", max(_widest([_bytes(x) for x in leaves]), 1))
    return item_dtype("U", max([len(x) if isinstance(x, str) else _number_width(x) if isinstance(x, (int, float, complex)) else len(_text(x)) for x in leaves], default=1) or 1)


def _bytes(x):
    return bytes(x) if isinstance(x, bytes) else str(x).encode("ascii")


def _values(leaves, dtype):
    """Values as a list of elements of a dtype."""
    if dtype.kind == "O":
        return list(leaves)
    if dtype.kind == "S":
        return [_bytes(x)[: dtype.itemsize or None] for x in leaves]
    width = dtype.itemsize // 4 or None
    return [_text(x)[:width] for x in leaves]


def of_numbers(a, dtype):
    """An array of numbers as one of texts or objects."""
    if isinstance(a, torch.Tensor):
        a = _wrap(a)
    flat = a.reshape(-1)
    if dtype.kind == "O":
        return filled(flat.tolist(), a.shape, OBJECT)
    scalar = a.dtype.type
    texts = [str(scalar(x)) for x in flat.tolist()]
    if not dtype.itemsize:
        width = _WIDTHS[a.dtype.kind][a.dtype.itemsize]
        dtype = item_dtype(dtype.kind, width)
    return filled(_values(texts, dtype), a.shape, dtype)


def blank(shape, dtype, value):
    """An array all of whose elements are one: 0, None or an empty text."""
    if dtype.kind != "O":
        value, dtype = (b"" if dtype.kind == "S" else ""), dtype if dtype.itemsize else item_dtype(dtype.kind, 1)
    return filled([value] * math.prod(shape), shape, dtype)


def repeated(value, shape):
    """An array whose elements are those of another, which is expanded."""
    return value._remade(value._t.expand(shape))


def as_items(x):
    return x if isinstance(x, items) else array(x)


def _common_dtype(arrays):
    kinds = [a.dtype for a in arrays]
    if all(kind is kinds[0] for kind in kinds):
        return kinds[0]
    if any(kind.kind == "O" for kind in kinds) or {kind.kind for kind in kinds} >= {"S", "U"}:
        return OBJECT
    letter = "U" if any(kind.kind == "U" for kind in kinds) else "S"
    unit = 4 if letter == "U" else 1
    return item_dtype(letter, max(kind.itemsize // unit if isinstance(kind, ItemDType) else _WIDTHS[kind.kind][kind.itemsize] for kind in kinds))


def together(arrays):
    """Arrays, of which some have no numbers: their places in one list, and their dtype."""
    arrays = [as_items(a) for a in arrays]
    dtype = _common_dtype(arrays)
    store, tensors = [], []
    for a in arrays:
        a = a if isinstance(a, items) and a._raw is dtype else a.astype(dtype)
        tensors.append(a._t + len(store))
        store.extend(a._store)
    return tensors, store, dtype


def where(condition, x, y):
    (a, b), store, dtype = together([x, y])
    t = torch.where(_as_tensor(condition).to(torch.bool), a, b)
    found = over(t, store, dtype)._remade(t)
    return found if t.dim() else found[()]


def isin(element, test_elements, invert):
    element, among = as_items(element), as_items(test_elements).reshape(-1).tolist()
    try:
        among = set(among)
    except TypeError:
        pass
    found = [(x in among) != invert for x in element.reshape(-1).tolist()]
    return _wrap(torch.tensor(found, dtype=torch.bool).reshape(list(element.shape)))


def unique(ar, return_index, return_inverse, return_counts, axis):
    if axis is not None:
        raise _missing("unique along an axis of an array of texts or objects")
    a = as_items(ar)
    values = a._flat()
    order = sorted(range(len(values)), key=values.__getitem__)
    first, counts, inverse = [], [], [0] * len(values)
    for i in order:
        if first and values[first[-1]] == values[i]:
            counts[-1] += 1
        else:
            first.append(i)
            counts.append(1)
        inverse[i] = len(first) - 1
    found = [filled([values[i] for i in first], (len(first),), a._raw)]
    if return_index:
        found.append(_wrap(torch.tensor(first, dtype=torch.int64)))
    if return_inverse:
        found.append(_wrap(torch.tensor(inverse, dtype=torch.int64).reshape(list(a.shape))))
    if return_counts:
        found.append(_wrap(torch.tensor(counts, dtype=torch.int64)))
    return found[0] if len(found) == 1 else tuple(found)


def inserted(a, obj, values, axis, insert):
    """A function that inserts does so with the places of elements."""
    more = as_items(values).astype(a.dtype if a.dtype.kind == "O" else _common_dtype([a, as_items(values)]))
    a = a.astype(more.dtype)
    store = a._flat() + more._flat()
    places = torch.arange(len(store))
    count = math.prod(a.shape)
    found = insert(_wrap(places[:count].reshape(a.shape)), obj, _wrap(places[count:].reshape(more.shape)), axis)
    return over(found._t, store, more.dtype)


def of_ufunc(name, args):
    """A function of numbers of what are none."""
    if len(args) == 2:
        return computed(name, *[x if isinstance(x, (ndarray, *_SEQUENCES)) else as_items(x) for x in args])
    a = as_items(args[0])
    if a._raw.kind != "O":
        raise TypeError(
            f"ufunc '{name}' not supported for the input types, and the inputs could not be safely coerced to any "
            "supported types according to the casting rule ''safe''"
        )
    function = _ALONE.get(name)
    if function is None:
        kind = type(a._flat()[0]).__name__ if a.size else "object"
        raise TypeError(f"loop of ufunc does not support argument 0 of type {kind} which has no callable {name} method")
    found = a._each(function)
    return found if found.ndim else found[()]


def reduced(name, a, axis, keepdims):
    """A reduction by its name."""
    method = {"add": "sum", "multiply": "prod", "maximum": "max", "minimum": "min", "logical_or": "any", "logical_and": "all"}[name]
    return getattr(a, method)(axis=axis, keepdims=keepdims)


_ALONE = {
    "negative": operator.neg, "absolute": abs, "invert": operator.invert, "positive": operator.pos,
    "square": lambda x: x * x, "reciprocal": lambda x: 1 / x, "logical_not": operator.not_,
}
_BASIC = (int, slice, type(None), type(Ellipsis))
_COMPARED = {
    "less": operator.lt, "less_equal": operator.le, "greater": operator.gt, "greater_equal": operator.ge,
    "equal": operator.eq, "not_equal": operator.ne,
}
_COMPUTED = {
    "add": operator.add, "subtract": operator.sub, "multiply": operator.mul, "divide": operator.truediv,
    "floor_divide": operator.floordiv, "remainder": operator.mod, "power": operator.pow, "bitwise_and": operator.and_,
    "bitwise_or": operator.or_, "bitwise_xor": operator.xor, "left_shift": operator.lshift,
    "right_shift": operator.rshift, "maximum": lambda a, b: a if a >= b else b, "minimum": lambda a, b: a if a <= b else b,
}


def rows(arrays):
    """The elements of arrays that are broadcast together, side by side, and the extents."""
    try:
        tensors = torch.broadcast_tensors(*[a._t for a in arrays])
    except RuntimeError:
        shapes = " ".join(str(a.shape) for a in arrays)
        raise ValueError(f"operands could not be broadcast together with shapes {shapes} ") from None
    columns = [a._remade(t).reshape(-1).tolist() for a, t in zip(arrays, tensors)]
    return list(zip(*columns)), tuple(tensors[0].shape)


def _side(x, beside):
    """The other side of an operation. Next to objects a sequence is one of objects, and all else stands for itself."""
    if isinstance(x, (ndarray, *_SEQUENCES)):
        return array(x, dtype=OBJECT) if beside.kind == "O" and not isinstance(x, ndarray) else as_items(x)
    return filled([x], (), OBJECT) if beside.kind == "O" or x is None else as_items(x)


def computed(name, x, y):
    """An operation between arrays of which one has no numbers."""
    a = x if isinstance(x, items) else _side(x, y._raw)
    b = y if isinstance(y, items) else _side(y, x._raw)
    kinds = a.dtype.kind + b.dtype.kind
    if "O" not in kinds and (kinds[0] != kinds[1] or name not in ("add", *_COMPARED)):
        if name in ("equal", "not_equal"):
            shape = torch.broadcast_shapes(a.shape, b.shape)
            return _wrap(torch.full(shape, name == "not_equal"))
        if name == "multiply" and "U" in kinds and kinds.strip("U") in "iu":
            raise TypeError(
                "The 'out' kwarg is necessary when using the string multiply ufunc directly. Use numpy.strings.multiply "
                "to multiply strings without specifying 'out'."
            )
        raise UFuncTypeError(
            f"ufunc '{name}' did not contain a loop with signature matching types ({a.dtype!r}, {b.dtype!r}) -> None"
        )
    both, shape = rows([a, b])
    compare = _COMPARED.get(name)
    if compare is not None:
        found = torch.tensor([True if compare(p, q) else False for p, q in both], dtype=torch.bool).reshape(shape)
        return _wrap(found) if shape else _dtypes.bool(found.item())
    compute = _COMPUTED.get(name)
    if compute is None:
        raise _missing(f"{name} of objects")
    values = [compute(p, q) for p, q in both]
    if "O" in kinds:
        return filled(values, shape, OBJECT) if shape else values[0]
    return made_of(values).reshape(shape) if shape else made_of(values[0])[()]


class items(Apart):
    """See the module."""

    __slots__ = ("_store",)

    @property
    def strides(self):
        return tuple(self._raw.itemsize * s for s in self._t.stride())

    @property
    def T(self):
        return self._like(super().T._t)

    def _like(self, t):
        """A view."""
        return over(t, self._store, self._raw)

    def _flat(self):
        store = self._store
        return [store[i] for i in self._t.reshape(-1).tolist()]

    def _remade(self, t):
        """An array of its own over elements of this one, of which a tensor has the places."""
        store = self._store
        return filled([store[i] for i in t.reshape(-1).tolist()], t.shape, self._raw)

    def _scalar(self, at):
        value = self._store[at]
        return str_(value) if self._raw.kind == "U" else bytes_(value) if self._raw.kind == "S" else value

    def __iter__(self):
        if self._t.dim() == 0:
            raise TypeError("iteration over a 0-d array")
        if self._t.dim() == 1:
            return iter([self._scalar(i) for i in self._t.tolist()])
        return iter([self._like(row) for row in self._t.unbind(0)])

    def __getitem__(self, key):
        found = super().__getitem__(key)
        if not isinstance(found, ndarray):
            return self._scalar(int(found))
        parts = key if type(key) is tuple else (key,)
        return self._like(found._t) if all(isinstance(part, _BASIC) for part in parts) else self._remade(found._t)

    def __setitem__(self, key, value):
        into = ndarray.__getitem__(self, key)
        store = self._store
        if not isinstance(into, ndarray):
            value = value[()] if isinstance(value, ndarray) and value.ndim == 0 else value
            if self._raw.kind != "O" and isinstance(value, (ndarray, *_SEQUENCES)):
                raise ValueError("setting an array element with a sequence")
            store[int(into)] = _values([value], self._raw)[0]
            return
        if isinstance(value, (ndarray, *_SEQUENCES)):
            given = array(value, dtype=self._raw) if not isinstance(value, ndarray) else value.astype(self._raw)
        else:
            given = filled(_values([value], self._raw), (), self._raw)
        t = given._t
        while t.dim() > into._t.dim() and t.shape[0] == 1:
            t = t.squeeze(0)
        try:
            t = t.expand(into._t.shape)
        except RuntimeError:
            raise ValueError(
                f"could not broadcast input array from shape {given.shape} into shape {into.shape}"
            ) from None
        for at, value in zip(into._t.reshape(-1).tolist(), given._remade(t)._flat()):
            store[at] = value

    def _with(self, name, other, reflected=False, shown=None):
        return computed(name, other, self) if reflected else computed(name, self, other)

    def _in_place(self, name, other):
        self[...] = computed(name, self, other)
        return self

    def __eq__(self, other):
        return computed("equal", self, other)

    def __ne__(self, other):
        return computed("not_equal", self, other)

    __hash__ = None

    def _each(self, function):
        return filled([function(x) for x in self._flat()], self.shape, OBJECT)

    def __neg__(self):
        return self._each(operator.neg)

    def __abs__(self):
        return self._each(abs)

    def __invert__(self):
        return self._each(operator.invert)

    def __contains__(self, x):
        return x in self._flat()

    def __bool__(self):
        if self._t.numel() != 1:
            return super().__bool__()
        return bool(self.item())

    def _only(self):
        if self._t.dim() != 0:
            raise TypeError("only 0-dimensional arrays can be converted to Python scalars")
        return self._store[self._t.item()]

    def __format__(self, spec):
        return format(self._only(), spec) if self._t.dim() == 0 else super().__format__(spec)

    def __deepcopy__(self, memo):
        import copy

        return filled(copy.deepcopy(self._flat(), memo), self.shape, self._raw)

    def __reduce__(self):
        from numpy._core.multiarray import _reconstruct

        data = self._flat() if self._raw.kind == "O" else self.tobytes()
        return (_reconstruct, (ndarray, (0,), b"b"), (1, self.shape, self._raw, False, data))

    def item(self, *at):
        return self._store[super().item(*at)]

    def tolist(self):
        store = self._store

        def shown(x):
            return [shown(row) for row in x] if isinstance(x, list) else store[x]

        return shown(self._t.tolist())

    def tobytes(self, order="C"):
        _refuse("tobytes", order=_unless(order, "C", "K", "A"))
        size = self._raw.itemsize
        if self._raw.kind == "O":
            raise _missing("tobytes of an array of objects")
        encoded = [x if isinstance(x, bytes) else x.encode("utf-32-le") for x in self._flat()]
        return b"".join([x.ljust(size, b"\0") for x in encoded])

    def copy(self, order="C"):
        _refuse("copy", order=_unless(order, "C", "K", "A"))
        return self._remade(self._t)

    def astype(self, dtype, order="K", casting="unsafe", subok=True, copy=True):
        _refuse("astype", order=_unless(order, "C", "K", "A"), casting=_unless(casting, "unsafe"), subok=_unless(subok, True))
        dtype = as_dtype(dtype)
        if dtype is self._raw:
            return self.copy() if copy else self
        values = self._flat()
        if isinstance(dtype, ItemDType):
            if dtype.kind != "O" and not dtype.itemsize and self._raw.kind in "US":
                unit = (4 if self._raw.kind == "U" else 1)
                dtype = item_dtype(dtype.kind, self._raw.itemsize // unit)
            dtype = _sized(values, dtype)
            return filled(_values(values, dtype), self.shape, dtype)
        if self._raw.kind != "O":
            values = [_number(x, dtype) for x in values]
        elif any(isinstance(x, (str, bytes)) for x in values):
            values = [_number(x, dtype) if isinstance(x, (str, bytes)) else x for x in values]
        elif any(isinstance(x, (ndarray, *_SEQUENCES)) for x in values):
            raise ValueError("setting an array element with a sequence.")
        if dtype.kind == "b":
            values = [bool(x) for x in values]
        elif dtype.kind == "f":
            values = [math.nan if x is None else float(x) for x in values]
        elif dtype.kind == "c":
            values = [complex(math.nan, math.nan) if x is None else complex(x) for x in values]
        elif dtype.kind in "iu":
            values = [int(x) for x in values]
        return array(values, dtype=dtype).reshape(self.shape)

    def view(self, dtype=None, type=None):
        _refuse("view", type=type)
        if dtype is not None and dtype is not ndarray and as_dtype(dtype) is not self._raw:
            raise _missing(f"view of an array of {self._raw}")
        return self._like(self._t)

    def ravel(self, order="C"):
        return self.reshape(-1, order=order)

    def flatten(self, order="C"):
        return self.ravel(order).copy()

    def fill(self, value):
        for at in self._t.reshape(-1).tolist():
            self._store[at] = _values([value], self._raw)[0]

    def sort(self, axis=-1, kind=None, order=None):
        _without_fields(order)
        self[...] = self._remade(self._t.gather(axis, self.argsort(axis)._t))

    def argsort(self, axis=-1, kind=None, order=None):
        _without_fields(order)
        t = self._t.reshape(-1) if axis is None or self._t.dim() == 0 else self._t
        moved = t.movedim(-1 if axis is None else axis, -1)
        lines = moved.reshape(-1, moved.shape[-1]).tolist()
        store = self._store
        found = [sorted(range(len(line)), key=lambda i: store[line[i]]) for line in lines]
        places = torch.tensor(found, dtype=torch.int64).reshape(moved.shape)
        return _wrap(places.movedim(-1, -1 if axis is None else axis).contiguous())

    def searchsorted(self, v, side="left", sorter=None):
        values = (self if sorter is None else self[sorter])._flat()
        find = bisect.bisect_left if side == "left" else bisect.bisect_right
        wanted = as_items(v)
        found = torch.tensor([find(values, x) for x in wanted.reshape(-1).tolist()], dtype=torch.int64)
        return _wrap(found.reshape(list(wanted.shape))) if wanted.ndim else _dtypes.int64(found.item())

    def _reduced(self, function, axis, keepdims=False):
        if axis is None and not keepdims:
            return function(self._flat())
        axes = range(self.ndim) if axis is None else [axis] if isinstance(axis, int) else list(axis)
        axes = sorted([d % self.ndim for d in axes])
        kept = [d for d in range(self.ndim) if d not in axes]
        lines = self._t.permute(*kept, *axes)
        shape = [1 if d in axes else n for d, n in enumerate(self.shape)] if keepdims else [self.shape[d] for d in kept]
        count = math.prod(self.shape[d] for d in axes)
        store = self._store
        values = [function([store[i] for i in line]) for line in lines.reshape(-1, count).tolist()]
        return made_of(values, OBJECT).reshape(shape) if shape else values[0]

    def _no_texts(self, name):
        if self._raw.kind != "O":
            raise UFuncTypeError(
                f"ufunc '{name}' did not contain a loop with signature matching types ({self._raw!r}, {self._raw!r}) -> None"
            )

    def sum(self, axis=None, dtype=None, out=None, keepdims=False, **options):
        self._no_texts("add")
        _refuse("sum", dtype=_unless(dtype, None, object), out=out, **options)
        return self._reduced(lambda values: _folded(operator.add, values, 0), axis, keepdims)

    def prod(self, axis=None, dtype=None, out=None, keepdims=False, **options):
        _refuse("prod", dtype=_unless(dtype, None, object), out=out, **options)
        return self._reduced(lambda values: _folded(operator.mul, values, 1), axis, keepdims)

    def mean(self, axis=None, dtype=None, out=None, keepdims=False, **options):
        _refuse("mean", dtype=_unless(dtype, None, object), out=out, **options)
        return self._reduced(lambda values: _folded(operator.add, values, 0) / len(values), axis, keepdims)

    def max(self, axis=None, out=None, keepdims=False, **options):
        self._no_texts("maximum")
        _refuse("max", out=out, **options)
        return self._reduced(lambda values: _extreme("maximum", max, values), axis, keepdims)

    def min(self, axis=None, out=None, keepdims=False, **options):
        self._no_texts("minimum")
        _refuse("min", out=out, **options)
        return self._reduced(lambda values: _extreme("minimum", min, values), axis, keepdims)

    def argmax(self, axis=None, out=None, **options):
        _refuse("argmax", out=out, **options)
        return self._reduced(lambda values: max(range(len(values)), key=values.__getitem__), axis)

    def argmin(self, axis=None, out=None, **options):
        _refuse("argmin", out=out, **options)
        return self._reduced(lambda values: min(range(len(values)), key=values.__getitem__), axis)

    def any(self, axis=None, out=None, keepdims=False, **options):
        return self._truth().any(axis, out=out, keepdims=keepdims, **options)

    def all(self, axis=None, out=None, keepdims=False, **options):
        return self._truth().all(axis, out=out, keepdims=keepdims, **options)

    def nonzero(self):
        return self._truth().nonzero()

    def _truth(self):
        return _wrap(torch.tensor([bool(x) for x in self._flat()], dtype=torch.bool).reshape(list(self.shape)))


def _refuse(function, **given):
    """Refuses the first argument that says something."""
    for name, value in given.items():
        if value is not None and value is not False:
            raise refused(f"numpy.ndarray.{function}", name)


def _unless(value, *usual):
    """A value that is not one of the usual ones."""
    return None if any(value is one or value == one for one in usual) else str(value)


def _without_fields(order):
    if order is not None:
        raise ValueError("Cannot specify order when the array has no fields.")


def _folded(function, values, neutral):
    found = values[0] if values else neutral
    for x in values[1:]:
        found = function(found, x)
    return found


def _extreme(name, function, values):
    if not values:
        raise ValueError(f"zero-size array to reduction operation {name} which has no identity")
    return function(values)


def parsed(x, dtype):
    """An array of numbers of nested sequences that hold texts."""
    shape = _nested_shape(x)
    values = [_number(leaf, dtype, False) if isinstance(leaf, (str, bytes)) else leaf for leaf in _leaves(x, len(shape))]
    return filled(values, shape, OBJECT).astype(dtype)


def _number(text, dtype, is_element=True):
    """A text as a number of a dtype."""
    text = text.decode() if isinstance(text, bytes) else text
    if dtype.kind in "iu":
        return int(text)
    try:
        return complex(text) if dtype.kind == "c" else float(text) if dtype.kind == "f" else bool(text)
    except ValueError:
        raise ValueError(f"could not convert string to float: {str_(text) if is_element else text!r}") from None


def _of_places(name, is_copy):
    """A method whose result is made of elements of the array."""

    def method(self, *args, **options):
        found = getattr(_wrap(self._t), name)(*args, **options)
        if not isinstance(found, ndarray):
            return self._scalar(int(found))
        if is_copy or name == "reshape" and not self._t.is_contiguous():
            return self._remade(found._t)
        return self._like(found._t)

    method.__name__ = name
    return method


def _operator(name):
    def method(self, other):
        return getattr(ndarray, name)(self, other)

    method.__name__ = name
    return method


def _computing(name, reflected):
    def method(self, other):
        return self._with(name, other, reflected)

    return method


for _name, _word in (("add", "add"), ("sub", "subtract"), ("mul", "multiply"), ("truediv", "divide"), ("floordiv", "floor_divide"),
                     ("mod", "remainder"), ("pow", "power"), ("and", "bitwise_and"), ("or", "bitwise_or"), ("xor", "bitwise_xor")):
    setattr(items, f"__{_name}__", _computing(_word, False))
    setattr(items, f"__r{_name}__", _computing(_word, True))
for _name, _word in (("lt", "less"), ("le", "less_equal"), ("gt", "greater"), ("ge", "greater_equal")):
    setattr(items, f"__{_name}__", _computing(_word, False))
for _name in ("transpose", "swapaxes", "squeeze", "diagonal", "reshape"):
    setattr(items, _name, _of_places(_name, False))
for _name in ("repeat", "take"):
    setattr(items, _name, _of_places(_name, True))
del _name, _word


def of_bytes(data, dtype):
    """The array of texts that bytes are."""
    size = dtype.itemsize
    parts = [data[at : at + size] for at in range(0, len(data), size)] if size else []
    if dtype.kind == "S":
        return filled([part.rstrip(b"\0") for part in parts], (len(parts),), dtype)
    return filled([part.decode("utf-32-le").rstrip("\0") for part in parts], (len(parts),), dtype)


class frompyfunc:
    """A function of Python for arrays; what it gives is an array of objects."""

    def __init__(self, func, nin, nout, *, identity=None):
        self._function, self.nin, self.nout, self.nargs = func, nin, nout, nin + nout
        self.identity = identity
        self.__name__ = f"{getattr(func, '__name__', '?')} (vectorized)"

    def __repr__(self):
        return f"<ufunc '{self.__name__}'>"

    def __call__(self, *args):
        if len(args) != self.nin:
            raise TypeError(f"{self.__name__}() takes from {self.nin} to {self.nargs} positional arguments but {len(args)} were given")
        arrays = [array(x) if isinstance(x, (ndarray, *_SEQUENCES)) else filled([x], (), OBJECT) for x in args]
        given, shape = rows(arrays)
        found = [self._function(*row) for row in given]
        if self.nout == 1:
            return filled(found, shape, OBJECT) if shape else found[0]
        columns = [list(column) for column in zip(*found)] if found else [[] for _ in range(self.nout)]
        return tuple([filled(column, shape, OBJECT) if shape else column[0] for column in columns])

    def reduce(self, a, axis=0):
        return array(a, dtype=OBJECT)._reduced(lambda values: _folded(self._function, values, self.identity), axis)

    def accumulate(self, a, axis=0):
        a = array(a, dtype=OBJECT)
        if a.ndim != 1 or axis not in (0, -1):
            raise _missing("accumulate of a function over an array of several dimensions")
        values = a._flat()
        found = values[:1]
        for x in values[1:]:
            found.append(self._function(found[-1], x))
        return filled(found, (len(found),), OBJECT)

    def outer(self, a, b):
        a, b = array(a, dtype=OBJECT), array(b, dtype=OBJECT)
        return self(a.reshape([*a.shape, *[1] * b.ndim]), b)
