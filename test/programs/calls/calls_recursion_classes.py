# methods of the tree's classes; two classes of nodes; state of a node changed between calls
import torch
class Leaf:
    def __init__(self, i): self.i = i
    def value(self, table): return table[self.i]
class Add:
    def __init__(self, a, b): self.a = a; self.b = b
    def value(self, table): return self.a.value(table) + self.b.value(table)
class Mul:
    def __init__(self, a, b): self.a = a; self.b = b
    def value(self, table): return self.a.value(table) * self.b.value(table)
def build(d, i=0):
    if d == 0: return Leaf(i % 4)
    return (Add if (d + i) % 2 else Mul)(build(d - 1, i + 1), build(d - 1 if i % 3 else 0, i + 2))
table = torch.tensor([[1.0, 2.0], [0.5, -1.0], [0.25, 3.0], [1.5, 0.1]])
e = [build(d) for d in range(1, 6)]
for k in range(12):
    print(k, [round(v, 4) for x in e for v in x.value(table).tolist()])
    if k == 6:
        e[2].a = Leaf(3)
