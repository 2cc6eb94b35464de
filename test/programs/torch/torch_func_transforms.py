import torch, warnings
warnings.simplefilter('ignore')
from torch.func import vmap, grad, vjp, jvp, jacrev, jacfwd, hessian, functional_call, stack_module_state, grad_and_value
torch.manual_seed(0)
def show(x):
    if isinstance(x, torch.Tensor): print(tuple(x.shape), x.requires_grad, [round(v, 4) for v in x.reshape(-1).tolist()][:12])
    elif isinstance(x, dict): [ (print(k, end=' '), show(v)) for k, v in x.items()]
    elif isinstance(x, (tuple, list)): [show(v) for v in x]
    else: print(x)
x = torch.randn(3, 4); w = torch.randn(4)
show(vmap(torch.dot, in_dims=(0, None))(x, w))
show(vmap(lambda a: (a.sum(), a * 2), out_dims=(0, 1))(x))
show(vmap(vmap(lambda a, b: a * b, in_dims=(0, None)), in_dims=(0, None))(x, torch.tensor(3.)))
show(vmap(lambda d: d['a'] + d['b'], in_dims=({'a': 0, 'b': None},))({'a': x, 'b': w}))
show(grad(lambda z: (z ** 3).sum())(w))
show(grad(grad(lambda z: z ** 3))(torch.tensor(2.)))
show(vmap(grad(lambda z: z.sin()))(w))
show(jacrev(torch.sin)(w)); show(jacfwd(lambda z: z ** 2)(w)); show(hessian(lambda z: (z ** 3).sum())(w))
out, f = vjp(lambda a, b: (a * b, a.sum()), w, w + 1)
show(out); show(f((torch.ones(4), torch.tensor(2.))))
show(jvp(lambda a: a.exp(), (w,), (torch.ones(4),)))
show(jvp(lambda a, b: {'s': a * b}, (w, w), (torch.ones(4), torch.zeros(4))))
m = torch.nn.Linear(4, 2)
params = dict(m.named_parameters())
def loss(p, s, t): return torch.nn.functional.mse_loss(functional_call(m, p, (s.unsqueeze(0),)), t.unsqueeze(0))
ft = vmap(grad(loss), in_dims=(None, 0, 0))
g = ft({k: v.detach() for k, v in params.items()}, x, torch.randn(3, 2)); show(g)
models = [torch.nn.Linear(2, 2) for _ in range(3)]
p, b = stack_module_state(models); show(p)
base = models[0]
show(vmap(lambda p, b, x: functional_call(base, (p, b), (x,)), in_dims=(0, 0, None))(p, b, torch.ones(2)))
from torch.autograd.functional import jacobian, hessian as H, vhp, hvp, vjp as avjp, jvp as ajvp
show(jacobian(lambda a, b: a.outer(b), (w, w[:2]))); show(H(lambda a: (a ** 4).sum(), w)); show(vhp(lambda a: (a ** 3).sum(), w, w)); show(hvp(lambda a: (a ** 3).sum(), w, w))
show(avjp(lambda a: a * 2, w, torch.ones(4))); show(ajvp(lambda a: a ** 2, w, torch.ones(4)))
show(H(lambda a, b: (a * b).sum(), (w, w)))
for bad in (lambda: vmap(lambda a: a)(), lambda: vmap(torch.add)(x, w), lambda: vmap(lambda a: 3)(x), lambda: vmap(lambda a: torch.rand(2))(x), lambda: vmap(lambda a: a, in_dims=5)(x), lambda: grad(lambda a: a)(w), lambda: jvp(torch.sin, w, w), lambda: vhp(lambda a: a, w, w), lambda: avjp(lambda a: a, w, torch.ones(3)), lambda: vmap(lambda a: a, in_dims=(None,))(x)):
    try: print(bad())
    except Exception as e: print(type(e).__name__, e)
show(vmap(lambda a: torch.rand(2) + a[0] * 0, randomness='same')(x))
pull = vjp(lambda t: t * t, w)[1](torch.ones(4))
show(type(pull).__name__); show(pull[0])
