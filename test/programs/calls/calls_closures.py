# A closure made inside the hot function, and closures that share a list.
import torch


def optimizer(params, lr):
    state = [torch.zeros_like(p) for p in params]

    def step(grads, momentum=0.9):
        def one(i):
            state[i] = momentum * state[i] + grads[i]
            return params[i] - lr * state[i]

        for i in range(len(params)):
            params[i] = one(i)

    return step


torch.manual_seed(2)
ps = [torch.randn(2), torch.randn(3)]
step = optimizer(ps, 0.1)
for k in range(18):
    step([2 * p for p in ps], 0.5 if k < 9 else 0.9)
print([[f"{v:.5f}" for v in p.tolist()] for p in ps])
