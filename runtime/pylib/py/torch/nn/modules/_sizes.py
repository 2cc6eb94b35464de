"""Numbers that stand for each spatial dimension."""


def ntuple(value, n):
    if isinstance(value, (tuple, list)):
        return tuple(value)
    return (value,) * n
