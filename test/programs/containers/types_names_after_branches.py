# Which object a name means behind a branch: what can be changed stays the one object that it is.
import torch


class Box:
    def __init__(self, value):
        self.value = value


class Other(Box):
    pass


def one_of_two(flag, x):
    first, second = [1], [2]
    y = (x * 2).sum() + x.mean()
    chosen = first if flag else second
    chosen.append(3)
    return first, second, y + (x * 3).sum()


def two_names_on_one_side(flag, x):
    y = (x * 2).sum() + x.mean()
    if flag:
        items = [1]
        same = items
    else:
        items = [2]
        same = [3]
    items.append(4)
    return items, same, items is same, y + (x * 3).sum()


def an_object_from_before(flag, x):
    y = (x * 2).sum() + x.mean()
    box = Box(1)
    chosen = box if flag else Other(2)
    chosen.value += 5
    return box.value, chosen.value, chosen is box, type(chosen).__name__, y + (x * 3).sum()


def inside_of_another(flag, x):
    y = (x * 2).sum() + x.mean()
    if flag:
        outer = [1, [2]]
        inner = outer[1]
    else:
        outer = [1, [3]]
        inner = [4]
    inner.append(9)
    table = {"k": 1}
    used = table if flag else {"k": 2}
    used["k"] += 5
    return outer, inner, table, used, y + (x * 3).sum()


rows = [0]


def from_outside(flag, x):
    y = (x * 2).sum() + x.mean()
    mine = [1]
    chosen = rows if flag else mine
    chosen.append(len(chosen))
    again = chosen if not flag else mine
    again.append(7)
    return len(rows), mine, len(chosen), again is mine, y + (x * 3).sum()


kept = [1]
for i in range(30):
    x = torch.ones(3) * (i % 5)
    flag = i % 3 == 0
    if flag:
        kept = [0] * (i % 2) + kept[:4]
    kept.append(i)
    print(one_of_two(flag, x))
    print(two_names_on_one_side(flag, x))
    print(an_object_from_before(flag, x))
    print(inside_of_another(flag, x))
    print(from_outside(flag, x), len(kept))
print(kept, rows)
