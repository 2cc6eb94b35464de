import torch, torch.nn as nn, copy
import torch.nn.utils.parametrize as P
import torch.nn.utils.prune as prune
from torch.nn.utils import parametrizations as PZ, spectral_norm, remove_spectral_norm
torch.manual_seed(0)
class Sym(nn.Module):
    def forward(self, X): return X.triu() + X.triu(1).T
    def right_inverse(self, A): return A.triu()
l = nn.Linear(3, 3); P.register_parametrization(l, 'weight', Sym())
print(l); print(type(l).__name__, P.is_parametrized(l), P.is_parametrized(l, 'bias'), [n for n, _ in l.named_parameters()], list(l.state_dict()))
print(torch.equal(l.weight, l.weight.T)); opt = torch.optim.SGD(l.parameters(), lr=.1)
x = torch.randn(4, 3)
for _ in range(3):
    loss = l(x).pow(2).mean(); opt.zero_grad(); loss.backward(); opt.step(); print(round(loss.item(), 5))
l.weight = torch.eye(3); print(l.weight)
with P.cached(): print(l.weight is l.weight)
print(l.weight is l.weight); l2 = copy.deepcopy(l); print(torch.equal(l2.weight, l.weight))
P.remove_parametrizations(l, 'weight'); print(l, type(l).__name__, l.weight)
m = PZ.weight_norm(nn.Linear(4, 2)); print(m, list(m.state_dict())); print(m(torch.ones(1, 4)))
s = PZ.spectral_norm(nn.Conv2d(2, 3, 3)); print(s(torch.ones(1, 2, 4, 4)).sum(), list(s.state_dict())); s.eval(); print(s.weight.norm())
o = spectral_norm(nn.Linear(5, 4)); print(o(torch.ones(2, 5))); print(list(o.state_dict()), o.weight.norm()); 
for _ in range(5): o(torch.ones(1, 5))
n = nn.Sequential(nn.Linear(6, 4), nn.ReLU(), nn.Linear(4, 2))
prune.l1_unstructured(n[0], 'weight', 0.3); print(n[0].weight_mask, list(n.state_dict())); prune.random_unstructured(n[0], 'weight', 3); print(n[0].weight_mask.sum())
prune.ln_structured(n[2], 'weight', amount=0.5, n=2, dim=0); print(n[2].weight); print(prune.is_pruned(n)); print(n(torch.ones(1, 6)))
prune.remove(n[0], 'weight'); print(list(n[0].state_dict()), (n[0].weight == 0).sum())
n = nn.Sequential(nn.Linear(6, 4), nn.ReLU(), nn.Linear(4, 2))
prune.global_unstructured([(n[0], 'weight'), (n[2], 'weight')], pruning_method=prune.L1Unstructured, amount=0.4); print((n[0].weight == 0).sum(), (n[2].weight == 0).sum())
for bad in (lambda: P.register_parametrization(nn.Linear(2, 2), 'w', Sym()), lambda: prune.l1_unstructured(nn.Linear(2, 2), 'weight', -1), lambda: prune.remove(nn.Linear(2, 2), 'weight'), lambda: P.register_parametrization(nn.Linear(2, 3), 'weight', nn.Linear(2, 4)), lambda: spectral_norm(nn.Linear(2, 2), n_power_iterations=0)):
    try: bad(); print('ok')
    except Exception as e: print(type(e).__name__, e)
x = torch.randn(2, 3, 4)
print(nn.Softmax()(x).sum(), nn.LogSoftmax()(x[0]).sum(), nn.functional.softmax(x[0]).sum(0), nn.Softmin()(x).sum())
