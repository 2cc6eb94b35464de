"""Trees of dicts, lists and tuples: their leaves in order, and trees of the same form."""

from collections import OrderedDict


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


LeafSpec = TreeSpec


def _parts(tree):
    """The children of a node and what names them; None of a leaf."""
    if isinstance(tree, (dict, OrderedDict)):
        return list(tree.values()), list(tree)
    if isinstance(tree, (list, tuple)):
        return list(tree), None
    return None


def _made(kind, context, children):
    if issubclass(kind, dict):
        return kind(zip(context, children))
    if hasattr(kind, "_fields"):
        return kind(*children)
    return kind(children)


def tree_flatten(tree, is_leaf=None):
    parts = None if is_leaf is not None and is_leaf(tree) else _parts(tree)
    if parts is None:
        return [tree], TreeSpec(None, None, [])
    leaves, specs = [], []
    for child in parts[0]:
        found, spec = tree_flatten(child, is_leaf)
        leaves.extend(found)
        specs.append(spec)
    return leaves, TreeSpec(type(tree), parts[1], specs)


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
