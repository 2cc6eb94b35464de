# Attributes and entries that are deleted and set again stand last; what is not there cannot be deleted.
import torch


class Box:
    pass


def renew(box, table, x):
    box.a = x * 2
    del box.b
    box.c = x + 1
    box.b = x.sum()
    table["a"] = x * 2
    del table["b"]
    table["b"] = x.sum()
    fresh = Box()
    fresh.p, fresh.q = x, 1
    del fresh.p
    fresh.p = x * 3
    return x + box.a, list(vars(fresh))


def drop(box, x):
    try:
        del box.__dict__["nope"]
    except KeyError as e:
        return x * 2, str(e)
    return x, "gone"


x = torch.ones(2)
box, table = Box(), {"a": 1, "b": 2, "c": 3}
box.a, box.b, box.c = 1, 2, 3
for i in range(12):
    y, names = renew(box, table, x)
    z, text = drop(box, y)
    if i % 4 == 3:
        print(list(vars(box)), list(table), names, y.tolist(), z.tolist(), text)
