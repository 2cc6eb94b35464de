"""Lists and dicts as nodes hold them: a change of an argument goes through the node, which keeps its users up to date."""


def _refuse(self, *args, **kwargs):
    raise NotImplementedError(
        f"'{type(self).__name__}' object does not support mutation. If you are attempting to modify the kwargs or args of a "
        f"torch.fx.Node object, instead create a new copy of it and assign the copy to the node: "
        f"    new_args = ... # copy and mutate args"
        f"    node.args = new_args"
    )


class immutable_list(list):
    append = clear = extend = insert = pop = remove = reverse = sort = _refuse
    __delitem__ = __iadd__ = __imul__ = __setitem__ = _refuse

    def __hash__(self):
        return hash(tuple(self))

    def __reduce__(self):
        return immutable_list, (tuple(self),)


class immutable_dict(dict):
    clear = pop = popitem = setdefault = update = _refuse
    __delitem__ = __setitem__ = __ior__ = _refuse

    def __hash__(self):
        return hash(frozenset(self.items()))

    def __reduce__(self):
        return immutable_dict, (list(self.items()),)
