# What index_copy and index_add say of sources and indices that do not fit.
import torch
def t(f):
    try: print(f())
    except Exception as e: print(type(e).__name__, str(e).split("\n")[0][:300])
x = torch.zeros(4, 5)
i = torch.tensor([0, 1])
for s in ((2, 5), (3, 5), (2, 4), (2,), (1, 5)):
    t(lambda: x.index_copy(0, i, torch.ones(s)).sum()); t(lambda: x.index_add(0, i, torch.ones(s)).sum()); t(lambda: x.index_copy(1, i, torch.ones(s)).sum());  t(lambda: x.index_add(1, i, torch.ones(s)).sum())
t(lambda: x.index_copy(0, torch.tensor([[0]]), torch.ones(1, 5))); t(lambda: x.index_copy(0, i, torch.ones(2, 5).double())); t(lambda: x.index_copy(0, i.float(), torch.ones(2, 5)));  t(lambda: x.index_copy(0, torch.tensor([0, 7]), torch.ones(2, 5))); t(lambda: x.index_copy(0, i.int(), torch.ones(2, 5)))
t(lambda: torch.tensor(1.).index_copy(0, torch.tensor([0]), torch.tensor(3.))); t(lambda: torch.zeros(3).index_copy(0, torch.tensor(1), torch.tensor(3.))); t(lambda: x.index_copy(0, torch.tensor(1), torch.tensor(3.)))
t(lambda: x.index_copy(0, torch.tensor(1), torch.ones(1, 5)))
