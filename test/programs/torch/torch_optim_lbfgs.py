# torch.optim.LBFGS: plain steps, strong Wolfe search, history that is full, state and errors.
import torch
import torch.nn as nn


def rosenbrock(p):
    return ((1 - p[:-1]) ** 2 + 100 * (p[1:] - p[:-1] ** 2) ** 2).sum()


def minimise(start, steps, **options):
    p = torch.tensor(start, dtype=torch.float64, requires_grad=True)
    optimizer = torch.optim.LBFGS([p], **options)

    def closure():
        optimizer.zero_grad()
        loss = rosenbrock(p)
        loss.backward()
        return loss

    values = [optimizer.step(closure).item() for _ in range(steps)]
    state = optimizer.state[p]
    print([f"{v:.5f}" for v in values], [f"{v:.4f}" for v in p.tolist()])
    print(state["n_iter"], state["func_evals"], len(state.get("old_dirs", ())))


minimise([-1.2, 1.0], 6, max_iter=4, line_search_fn="strong_wolfe")
minimise([-1.0, 0.5, 1.5], 5, max_iter=5, history_size=3, line_search_fn="strong_wolfe")
minimise([0.5, 0.5], 8, lr=0.02, max_iter=3)
# A good start ends at once.
minimise([1.0, 1.0], 2)

torch.manual_seed(4)
x = torch.randn(40, 5)
y = torch.sin(x.sum(1, keepdim=True))
net = nn.Sequential(nn.Linear(5, 8), nn.Tanh(), nn.Linear(8, 1))
frozen = nn.Parameter(torch.zeros(3))
optimizer = torch.optim.LBFGS(list(net.parameters()) + [frozen], lr=0.5, max_iter=6)
calls = 0


def closure():
    global calls
    calls += 1
    optimizer.zero_grad()
    loss = nn.functional.mse_loss(net(x), y)
    loss.backward()
    return loss


for i in range(5):
    print(f"{optimizer.step(closure).item():.5f}")
print(calls, optimizer.param_groups[0]["max_eval"], frozen.tolist(), torch.is_grad_enabled())

for make in (
    lambda: torch.optim.LBFGS([{"params": [x]}, {"params": [y]}]),
    lambda: torch.optim.LBFGS([x], lr=-1.0),
    lambda: torch.optim.LBFGS(net.parameters(), line_search_fn="golden").step(closure),
):
    try:
        make()
        print("no error")
    except (ValueError, RuntimeError) as e:
        print(type(e).__name__, e)
