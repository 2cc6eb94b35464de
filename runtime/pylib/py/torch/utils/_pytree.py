"""Trees of dicts, lists and tuples: their leaves in order, and trees of the same form."""

from collections import OrderedDict, defaultdict, deque, namedtuple


class TreeSpec:
    """The form of a tree: what a node is made by, and its children; a leaf has no kind."""

    def __init__(self, type, context, children_specs):
        self.type, self.context, self.children_specs = type, context, children_specs
        self.num_leaves = 1 if type is None else sum([child.num_leaves for child in children_specs])

    def __eq__(self, other):
        return isinstance(other, TreeSpec) and (self.type, self.context, self.children_specs) == (
            other.type, other.context, other.children_specs
        )

    def is_leaf(self):
        return self.type is None

    def __repr__(self):
        if self.type is None:
            return "*"
        inside = ", ".join([repr(child) for child in self.children_specs])
        return f"TreeSpec({self.type.__name__}, {self.context}, [{inside}])"


class LeafSpec(TreeSpec):
    def __init__(self):
        super().__init__(None, None, [])


Context = object
PyTree = object
NodeDef = namedtuple("NodeDef", ["type", "flatten_fn", "unflatten_fn", "flatten_with_keys_fn"])
SUPPORTED_NODES = {}
SUPPORTED_SERIALIZED_TYPES = {}


class _Key:
    """How a child is found in its parent."""

    def __init__(self, value):
        self._value = value

    def __eq__(self, other):
        return type(self) is type(other) and self._value == other._value

    def __hash__(self):
        return hash((type(self), self._value))

    def __repr__(self):
        return f"{type(self).__name__}({self._name}={self._value!r})"


class SequenceKey(_Key):
    _name, idx = "idx", property(lambda self: self._value)

    def __str__(self):
        return f"[{self._value!r}]"

    def get(self, sequence):
        return sequence[self._value]


class MappingKey(_Key):
    _name, key = "key", property(lambda self: self._value)

    def __str__(self):
        return f"[{self._value!r}]"

    def get(self, mapping):
        return mapping[self._value]


class GetAttrKey(_Key):
    _name = "name"
    name = property(lambda self: self._value)

    def __str__(self):
        return f".{self._value}"

    def get(self, obj):
        return getattr(obj, self._value)


def register_pytree_node(cls, flatten_fn, unflatten_fn, *, serialized_type_name=None, to_dumpable_context=None,
                         from_dumpable_context=None, flatten_with_keys_fn=None):
    """From now on, instances of exactly this class are nodes."""
    if cls in SUPPORTED_NODES:
        raise ValueError(f"{cls} is already registered as pytree node.")
    SUPPORTED_NODES[cls] = NodeDef(cls, flatten_fn, unflatten_fn, flatten_with_keys_fn)
    if (to_dumpable_context is None) != (from_dumpable_context is None):
        raise ValueError(f"Both to_dumpable_context and from_dumpable_context for {cls} must be None or registered.")
    SUPPORTED_SERIALIZED_TYPES[serialized_type_name or f"{cls.__module__}.{cls.__qualname__}"] = (
        cls, to_dumpable_context, from_dumpable_context
    )


_register_pytree_node = register_pytree_node


def _list_flatten(d):
    return list(d), None


def _list_unflatten(values, context):
    return list(values)


def _list_flatten_with_keys(d):
    return [(SequenceKey(i), v) for i, v in enumerate(d)], None


def _tuple_unflatten(values, context):
    return tuple(values)


def _dict_flatten(d):
    return list(d.values()), list(d)


def _dict_unflatten(values, context):
    return dict(zip(context, values))


def _dict_flatten_with_keys(d):
    return [(MappingKey(k), v) for k, v in d.items()], list(d)


def _namedtuple_flatten(d):
    return list(d), type(d)


def _namedtuple_unflatten(values, context):
    return context(*values)


def _namedtuple_flatten_with_keys(d):
    return [(GetAttrKey(name), v) for name, v in zip(d._fields, d)], type(d)


register_pytree_node(list, _list_flatten, _list_unflatten, flatten_with_keys_fn=_list_flatten_with_keys)
register_pytree_node(tuple, _list_flatten, _tuple_unflatten, flatten_with_keys_fn=_list_flatten_with_keys)
register_pytree_node(dict, _dict_flatten, _dict_unflatten, flatten_with_keys_fn=_dict_flatten_with_keys)
register_pytree_node(
    OrderedDict, _dict_flatten, lambda values, context: OrderedDict(zip(context, values)),
    flatten_with_keys_fn=_dict_flatten_with_keys,
)
register_pytree_node(
    defaultdict, lambda d: (list(d.values()), [d.default_factory, list(d)]),
    lambda values, context: defaultdict(context[0], zip(context[1], values)),
    flatten_with_keys_fn=lambda d: (_dict_flatten_with_keys(d)[0], [d.default_factory, list(d)]),
)
register_pytree_node(
    deque, lambda d: (list(d), d.maxlen), lambda values, context: deque(values, maxlen=context),
    flatten_with_keys_fn=lambda d: (_list_flatten_with_keys(d)[0], d.maxlen),
)
register_pytree_node(
    namedtuple, _namedtuple_flatten, _namedtuple_unflatten, flatten_with_keys_fn=_namedtuple_flatten_with_keys
)


class _StructSequence:
    """What the named results of functions are registered as."""


register_pytree_node(
    _StructSequence, _namedtuple_flatten, lambda values, context: context(values),
    flatten_with_keys_fn=lambda d: (_list_flatten_with_keys(d)[0], type(d)),
)


def _is_struct_sequence(kind):
    return issubclass(kind, tuple) and kind.__module__ == "torch.return_types"


def _is_namedtuple(kind):
    return issubclass(kind, tuple) and isinstance(getattr(kind, "_fields", None), tuple)


def _get_node_type(tree):
    """What a tree is registered as, or its class."""
    kind = type(tree)
    if kind not in SUPPORTED_NODES and _is_namedtuple(kind):
        return namedtuple
    if kind not in SUPPORTED_NODES and _is_struct_sequence(kind):
        return _StructSequence
    return kind


def _parts(tree):
    """The children of a node, what names them, and what it is registered as; None of a leaf."""
    kind = _get_node_type(tree)
    if kind not in SUPPORTED_NODES:
        return None
    children, context = SUPPORTED_NODES[kind].flatten_fn(tree)
    return children, context, kind


def _is_leaf(tree, is_leaf=None):
    return is_leaf is not None and is_leaf(tree) or _get_node_type(tree) not in SUPPORTED_NODES


def _made(kind, context, children):
    return SUPPORTED_NODES[kind].unflatten_fn(children, context)


def tree_flatten(tree, is_leaf=None):
    parts = None if is_leaf is not None and is_leaf(tree) else _parts(tree)
    if parts is None:
        return [tree], LeafSpec()
    leaves, specs = [], []
    for child in parts[0]:
        found, spec = tree_flatten(child, is_leaf)
        leaves.extend(found)
        specs.append(spec)
    return leaves, TreeSpec(parts[2], parts[1], specs)


def tree_unflatten(leaves, treespec):
    leaves = list(leaves)
    if len(leaves) != treespec.num_leaves:
        raise ValueError(
            f"treespec.unflatten(leaves): `leaves` has length {len(leaves)} but the spec refers to a pytree that "
            f"holds {treespec.num_leaves} items ({treespec})."
        )
    if treespec.type is None:
        return leaves[0]
    children, start = [], 0
    for spec in treespec.children_specs:
        children.append(tree_unflatten(leaves[start : start + spec.num_leaves], spec))
        start += spec.num_leaves
    return _made(treespec.type, treespec.context, children)


def tree_leaves(tree, is_leaf=None):
    return tree_flatten(tree, is_leaf)[0]


def tree_structure(tree, is_leaf=None):
    return tree_flatten(tree, is_leaf)[1]


def tree_map(func, tree, *rests, is_leaf=None):
    leaves, spec = tree_flatten(tree, is_leaf)
    others = [tree_leaves(rest, is_leaf) for rest in rests]
    return tree_unflatten([func(*row) for row in zip(leaves, *others)], spec)


def tree_map_(func, tree, *rests, is_leaf=None):
    tree_map(func, tree, *rests, is_leaf=is_leaf)
    return tree


def tree_map_only(kinds, func, tree, is_leaf=None):
    return tree_map(lambda x: func(x) if isinstance(x, kinds) else x, tree, is_leaf=is_leaf)


def tree_all(pred, tree, is_leaf=None):
    return all([pred(x) for x in tree_leaves(tree, is_leaf)])


def tree_any(pred, tree, is_leaf=None):
    return any([pred(x) for x in tree_leaves(tree, is_leaf)])


def tree_flatten_with_path(tree, is_leaf=None):
    """The leaves with the keys that lead to them."""
    return _with_paths(tree, (), is_leaf), tree_structure(tree, is_leaf)


def tree_leaves_with_path(tree, is_leaf=None):
    return _with_paths(tree, (), is_leaf)


def _with_paths(tree, path, is_leaf):
    if _is_leaf(tree, is_leaf):
        return [(path, tree)]
    kind = _get_node_type(tree)
    flatten = SUPPORTED_NODES[kind].flatten_with_keys_fn
    if flatten is None:
        raise ValueError(f"Did not find a flatten_with_keys_fn for type: {kind}. Please pass a flatten_with_keys_fn "
                         "argument to register_pytree_node.")
    return [found for key, child in flatten(tree)[0] for found in _with_paths(child, (*path, key), is_leaf)]


def tree_map_with_path(func, tree, *rests, is_leaf=None):
    paths, spec = tree_flatten_with_path(tree, is_leaf)
    others = [tree_leaves(rest, is_leaf) for rest in rests]
    return tree_unflatten([func(path, leaf, *row) for (path, leaf), *row in zip(paths, *others)], spec)


def keystr(kp):
    return "".join(map(str, kp))


def key_get(obj, kp):
    for key in kp:
        obj = key.get(obj)
    return obj


def treespec_dumps(treespec, protocol=None):
    raise NotImplementedError("torch.utils._pytree.treespec_dumps is not implemented in janus-jit yet")


def treespec_loads(serialized):
    raise NotImplementedError("torch.utils._pytree.treespec_loads is not implemented in janus-jit yet")
