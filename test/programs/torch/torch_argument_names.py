# Arguments by the names that PyTorch's overloads have, and those that it does not know.
import torch

x, y, a, b = torch.arange(24.0).view(4, 6), torch.arange(24.0).view(2, 3, 4), torch.eye(2) * 2, torch.ones(2, 1)
base = y[:, :, :1].repeat(1, 1, 3)


def show(name, f):
    try:
        r = f()
        parts = r if isinstance(r, (tuple, list)) else [r]
        print(name, [(tuple(t.shape), round(t.sum().item(), 3)) if isinstance(t, torch.Tensor) else t for t in parts])
    except TypeError as e:
        print(name, "TypeError")


show("baddbmm", lambda: torch.baddbmm(base, batch1=y, batch2=y.mT))
show("baddbmm method", lambda: base.baddbmm(batch1=y, batch2=y.mT, beta=0.5, alpha=2))
show("baddbmm_", lambda: base.clone().baddbmm_(batch1=y, batch2=y.mT))
show("layer_norm", lambda: torch.layer_norm(x, [6], None, None, 1e-5, False).abs())
show("hsplit", lambda: torch.hsplit(x, indices=[1, 3]))
show("hsplit sections", lambda: torch.hsplit(x, sections=2))
show("vsplit", lambda: x.vsplit(sections=2))
show("dsplit", lambda: y.dsplit(indices=[1]))
show("tensor_split", lambda: torch.tensor_split(x, sections=3))
show("tensor_split indices", lambda: x.tensor_split(indices=[1, 2]))
show("tensor_split tensor", lambda: torch.tensor_split(x, tensor_indices_or_sections=torch.tensor([1, 2])))
show("tensor_split wrong", lambda: torch.tensor_split(x, indices_or_sections=2))
show("hsplit wrong", lambda: torch.hsplit(x, split_size_or_sections=2))
show("swapaxes", lambda: x.swapaxes(axis0=0, axis1=1))
show("swapaxes_", lambda: x.clone().swapaxes_(axis0=0, axis1=1))
show("swapdims", lambda: torch.swapdims(x, dim0=0, dim1=1))
show("det", lambda: torch.linalg.det(A=a))
show("det wrong", lambda: torch.linalg.det(input=a))
show("inv", lambda: torch.linalg.inv(A=a))
show("inverse", lambda: torch.inverse(input=a))
show("slogdet", lambda: tuple(torch.linalg.slogdet(A=a)))
show("solve", lambda: torch.linalg.solve(A=a, B=b))
show("solve_triangular", lambda: torch.linalg.solve_triangular(a, B=b, upper=True))
show("view", lambda: x.view(size=(6, 4)))
show("view wrong", lambda: x.view(shape=(6, 4)))
show("result_type", lambda: torch.result_type(tensor=x, other=2))
show("result_type scalar", lambda: torch.result_type(scalar=1, tensor=x.long()))
show("result_type scalars", lambda: torch.result_type(scalar1=1, scalar2=2.0))
show("result_type wrong", lambda: torch.result_type(tensor1=x, tensor2=x))
show("polygamma", lambda: (x + 1).polygamma(n=1).sum() > 0)
show("nan_to_num", lambda: torch.arange(3).nan_to_num(nan=0.0, posinf=1.0))
show("type", lambda: [x.double().type(torch.Tensor), str(x.double().type(torch.Tensor).dtype)])
for missing in ("abc", None):
    try:
        print(missing in x)
    except RuntimeError as e:
        print(e)
