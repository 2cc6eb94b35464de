"""The copy of a parameter starts without a gradient; an optimizer's state has what PyTorch's has."""
import copy
import io

import torch
from torch import nn

torch.manual_seed(0)
torch.set_default_dtype(torch.float64)
p = nn.Parameter(torch.ones(2))
p.sum().backward()
t = torch.ones(2, requires_grad=True)
t.sum().backward()
print(copy.deepcopy(p).grad, copy.deepcopy([p, p])[1].grad, copy.deepcopy(t).grad, p.grad)
buffer = io.BytesIO()
torch.save({'p': p, 't': t}, buffer)
buffer.seek(0)
loaded = torch.load(buffer, weights_only=False)
print(loaded['p'].grad, loaded['t'].grad, loaded['p'].requires_grad, type(loaded['p']).__name__)

net = nn.Linear(3, 1)
for i in range(30):
    net(torch.ones(3) * i * 0.01).sum().backward()
    if i % 10 == 9:
        kept = copy.deepcopy(net)
        print(i, kept.weight.grad, round(net.weight.grad.sum().item(), 4), kept.weight.equal(net.weight))
        net = kept

for search in (None, 'strong_wolfe'):
    net = nn.Linear(3, 1)
    opt = torch.optim.LBFGS(net.parameters(), lr=0.5, max_iter=4, history_size=3, line_search_fn=search)
    x, y = torch.randn(8, 3), torch.randn(8, 1)
    calls = [0]

    def closure():
        calls[0] += 1
        if calls[0] == 17:
            raise ValueError('closure')
        opt.zero_grad()
        loss = ((net(x) - y) ** 2).mean()
        loss.backward()
        return loss

    for i in range(6):
        try:
            loss = opt.step(closure)
        except ValueError as e:
            print(e)
        state = opt.state_dict()['state'][0]
        print(i, list(state), state['n_iter'], state['func_evals'], round(loss.item(), 4), len(state['old_dirs']))
        if i == 2:
            opt.load_state_dict(copy.deepcopy(opt.state_dict()))
