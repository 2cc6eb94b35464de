"""Shallow and deep copies."""

__all__ = ["Error", "copy", "deepcopy"]


class Error(Exception):
    pass


error = Error

_ATOMIC = frozenset([
    type(None), type(...), type(NotImplemented), int, float, bool, complex, str, bytes, type, range,
    property, type(len), type(lambda: 0), type((lambda: 0).__code__), slice,
])

# They have a method for it.
_COPIED = frozenset([list, dict, set, bytearray])


def copy(x):
    cls = type(x)
    if cls in _COPIED:
        return x.copy()
    if cls in _ATOMIC or cls is tuple or cls is frozenset:
        return x
    if issubclass(cls, type):
        return x
    copier = getattr(cls, "__copy__", None)
    if copier is not None:
        return copier(x)
    return _rebuild(x, _reduced(x, cls, "copy"), None)


def deepcopy(x, memo=None, _nil=[]):
    cls = type(x)
    if cls in _ATOMIC:
        return x
    if memo is None:
        memo = {}
    known = memo.get(id(x), _nil)
    if known is not _nil:
        return known
    copier = _DEEP.get(cls)
    if copier is not None:
        y = copier(x, memo)
    elif issubclass(cls, type):
        return x
    else:
        copier = getattr(x, "__deepcopy__", None)
        if copier is not None:
            y = copier(memo)
        else:
            y = _rebuild(x, _reduced(x, cls, "deepcopy"), memo)
    if y is not x:
        memo[id(x)] = y
        # Keeps `x` alive for as long as its id stands in the memo.
        memo.setdefault(id(memo), []).append(x)
    return y


def _deep_list(x, memo):
    y = []
    memo[id(x)] = y
    for item in x:
        y.append(deepcopy(item, memo))
    return y


def _deep_tuple(x, memo):
    y = [deepcopy(item, memo) for item in x]
    # A tuple inside itself was copied while its items were.
    if id(x) in memo:
        return memo[id(x)]
    for old, new in zip(x, y):
        if old is not new:
            return tuple(y)
    return x


def _deep_dict(x, memo):
    y = {}
    memo[id(x)] = y
    for key, value in x.items():
        y[deepcopy(key, memo)] = deepcopy(value, memo)
    return y


def _deep_set(x, memo):
    return type(x)([deepcopy(item, memo) for item in x])


def _deep_method(x, memo):
    return type(x)(x.__func__, deepcopy(x.__self__, memo))


class _Sample:
    def method(self):
        pass


_DEEP = {
    list: _deep_list,
    tuple: _deep_tuple,
    dict: _deep_dict,
    set: _deep_set,
    frozenset: _deep_set,
    bytearray: lambda x, memo: x.copy(),
    type(_Sample().method): _deep_method,
}


def _reduced(x, cls, what):
    """The reduce value of `x`: callable, arguments, state, list items, dict items."""
    import copyreg
    reductor = copyreg.dispatch_table.get(cls)
    if reductor is not None:
        return reductor(x)
    custom = getattr(cls, "__reduce_ex__", None)
    if custom is not None and custom is not getattr(object, "__reduce_ex__", None):
        return x.__reduce_ex__(4)
    custom = getattr(cls, "__reduce__", None)
    if custom is not None and custom is not getattr(object, "__reduce__", None):
        return x.__reduce__()
    return copyreg.default_reduce(x)


def _rebuild(x, reduced, memo):
    if isinstance(reduced, str):
        return x
    func, args, state, items, pairs = (tuple(reduced) + (None, None, None))[:5]
    if memo is not None and args:
        args = tuple(deepcopy(arg, memo) for arg in args)
    y = func(*args)
    if memo is not None:
        memo[id(x)] = y
    if state is not None:
        if memo is not None:
            state = deepcopy(state, memo)
        if hasattr(y, "__setstate__"):
            y.__setstate__(state)
        else:
            slots = None
            if isinstance(state, tuple) and len(state) == 2:
                state, slots = state
            if state:
                y.__dict__.update(state)
            if slots:
                for key, value in slots.items():
                    setattr(y, key, value)
    if items is not None:
        for item in items:
            y.append(item if memo is None else deepcopy(item, memo))
    if pairs is not None:
        for key, value in pairs:
            if memo is not None:
                key, value = deepcopy(key, memo), deepcopy(value, memo)
            y[key] = value
    return y
