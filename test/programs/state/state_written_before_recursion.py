# A region writes to an object before a recursion over it reads it.
import torch


class Cell:
    def __init__(self, v, next=None):
        self.v, self.next = v, next


class Head(Cell):
    pass


w = torch.ones(2)


def fold(cell):
    if cell.next is None:
        return w * cell.v
    return torch.tanh(fold(cell.next) + w * cell.v)


heads = [Head(0.5, Cell(1.0, Cell(2.0) if n else None)) for n in (0, 1)]
for i in range(40):
    head = heads[i % 2]
    head.v = head.v * 0.5 + i * 0.01
    h = fold(head)
    if i % 8 == 7:
        print(i, f"{h.sum().item():.5f} {head.v:.5f}")
