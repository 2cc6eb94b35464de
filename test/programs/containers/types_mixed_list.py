# Lists of tensors, ints, floats, strings, None and lists.
import torch


def fold(items):
    total = torch.zeros(2)
    words = []
    for item in items:
        if item is None:
            continue
        if isinstance(item, str):
            words.append(item)
        elif isinstance(item, (int, float)):
            total = total + item
        elif isinstance(item, list):
            inner, more = fold(item)
            total = total + inner
            words += more
        else:
            total = total * item
    return total, words


for i in range(14):
    total, words = fold([1, torch.tensor([1.0, 2.0]), None, "a", [2.5, "b", [i, None]], True])
    if i % 4 == 0:
        print(i, total.tolist(), words)
