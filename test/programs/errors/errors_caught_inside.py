# Exceptions that are raised and caught inside the hot function, with their arguments.
import torch


class Missing(Exception):
    def __init__(self, key):
        super().__init__(f"no {key}")
        self.key = key


def find(table, key):
    if key not in table:
        raise Missing(key)
    return table[key]


def step(x, table):
    total = x
    for key in ("a", "b", "c"):
        try:
            total = total * find(table, key)
        except Missing as e:
            total = total + len(e.key)
        else:
            total = total - 1
    try:
        total = total + table["zzz"]
    except KeyError as e:
        total = total + len(e.args)
    finally:
        total = total * 0.5
    return total


table = {"a": 2.0, "c": 3.0}
x = torch.ones(2)
for i in range(15):
    y = step(x * i, table)
print(y.tolist())
