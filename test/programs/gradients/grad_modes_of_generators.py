import torch
@torch.no_grad()
def g(x):
    r = []
    try:
        for i in range(3):
            got = yield (x * i).requires_grad, torch.is_grad_enabled()
            r.append(got)
    except ValueError as e:
        yield 'caught', torch.is_grad_enabled()
    finally:
        print('end', torch.is_grad_enabled(), r)
    return 'ret'
x = torch.ones(2, requires_grad=True)
def outer():
    v = yield from g(x)
    print('v', v)
for i in range(4):
    print(list(outer()))
    it = g(x); print(next(it), it.send(5), torch.is_grad_enabled()); print(it.throw(ValueError)); it.close()
    it = g(x); next(it); it.close(); print(torch.is_grad_enabled())
    it = g(x); next(it)
    try: it.throw(KeyError('k'))
    except KeyError as e: print(repr(e), torch.is_grad_enabled())
@torch.enable_grad()
def h():
    yield torch.is_grad_enabled()
    yield (x * 2).requires_grad
with torch.no_grad():
    for i in range(3): print([(a, torch.is_grad_enabled()) for a in h()])
@torch.inference_mode()
def k():
    for _ in range(2): yield torch.ones(1).is_inference()
for i in range(3): print([(a, torch.ones(1).is_inference()) for a in k()])
print(g.__name__)
class D:
    @torch.no_grad()
    def __iter__(self):
        for i in range(2): yield (x * i).requires_grad
for i in range(3): print(list(D()), [v.requires_grad for v in map(lambda _: x * 1, D())])
