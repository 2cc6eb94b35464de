# needs: torchdiffeq
"""Differential equations, by the solvers of torchdiffeq and their gradients."""
import torch
from torchdiffeq import odeint, odeint_adjoint

torch.manual_seed(0)


class F(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.net = torch.nn.Sequential(torch.nn.Linear(2, 16), torch.nn.Tanh(), torch.nn.Linear(16, 2))

    def forward(self, t, y):
        return self.net(y)


f = F()
y0, t = torch.tensor([[2.0, 0.0]]), torch.linspace(0, 1, 5)
for method in ("euler", "midpoint", "rk4", "dopri5", "bosh3", "explicit_adams"):
    print(method, [[round(v, 4) for v in row] for row in odeint(f, y0, t, method=method)[-1].tolist()])
for solve in (odeint, odeint_adjoint):
    f.zero_grad()
    solve(f, y0, t, method="dopri5")[-1].pow(2).sum().backward()
    print([f"{p.grad.norm().item():.4f}" for p in f.parameters()])
