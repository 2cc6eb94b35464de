# Functions in place with sparse operands: what is written, and to whom.
import torch

CALLS = """
d.add_(sp, alpha=-1)
d.add_(sp)
d.__iadd__(sp)
d.sub_(sp)
d.__isub__(sp)
d.mul_(sp)
d.zero_().add_(sp)
d.fill_(1.0).sub_(sp, alpha=2)
sp.mul_(2)
sp.add_(other)
sp.add_(other, alpha=3)
sp.sub_(other)
sp.div_(2)
sp.__imul__(3)
sp.__itruediv__(4)
sp.zero_()
sp.neg_()
sp.copy_(other)
sp.sqrt_()
sp.coalesce().sqrt_()
sp.coalesce().relu_()
sp.coalesce().sin()
sp.detach().mul_(5)
sp.tanh()
sp.norm()
torch.sqrt(sp)
torch.sign(sp)
""".strip().split("\n")


def told(text):
    d = torch.arange(8.0).reshape(4, 2)
    sp = torch.sparse_coo_tensor(torch.tensor([[0, 2]]), torch.ones(2, 2), (4, 2))
    other = torch.sparse_coo_tensor(torch.tensor([[2, 3]]), torch.ones(2, 2) * 2, (4, 2))
    try:
        r = eval(text, {"torch": torch}, {"d": d, "sp": sp, "other": other})
        r = r.to_dense() if r.layout is not torch.strided else r
        print(text, [round(v, 5) for v in r.flatten().tolist()], d.tolist(), sp.to_dense().tolist(), other.to_dense().tolist())
    except RuntimeError as e:
        print(text, type(e).__name__, str(e)[:50], d.tolist(), sp.to_dense().tolist())


for _ in range(2):
    for text in CALLS:
        told(text)
w = torch.nn.Parameter(torch.ones(4, 2))
for k in range(4):
    g = torch.sparse_coo_tensor(torch.tensor([[k, 0]]), torch.ones(2, 2), (4, 2))
    with torch.no_grad():
        w.add_(g, alpha=-0.1)
print([round(v, 5) for v in w.detach().flatten().tolist()])
