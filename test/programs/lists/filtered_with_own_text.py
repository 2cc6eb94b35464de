import torch
torch.manual_seed(1)
class Item:
    def __init__(self, name, t):
        self.name, self.t = name, t
    def __repr__(self):
        return f'<{self.name}>'
class Store:
    def __init__(self):
        self.kept = []
        self.log = []
    def update(self, xs):
        self.kept = [Item(f'i{k}', x) for k, x in enumerate(xs) if x.sum() > 0]
        for item in self.kept:
            self.log.append(item.name)
        if len(self.log) > 20:
            self.log = self.log[-5:]
        return self.kept
store = Store()
best = []
for i in range(40):
    kept = store.update([torch.randn(2) for _ in range(3)])
    print(i, kept, len(store.kept), store.log)
    if kept:
        best.append(round(kept[0].t.sum().item(), 3))
    best = [b for b in best if b > 0.5][-4:]
    print('  ', best, kept is store.kept)
