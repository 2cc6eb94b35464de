# `torch._foreach_add` and its relatives.
import torch

CALLS = """
torch._foreach_add(a,1)
torch._foreach_add(a,b,alpha=2)
torch._foreach_add(a,[1,2])
torch._foreach_add(a,torch.tensor(3.))
torch._foreach_add_(a,b)
torch._foreach_add(a,torch.tensor(3.),alpha=2)
torch._foreach_add(a,1,alpha=2)
torch._foreach_sub(a,b,alpha=2)
torch._foreach_sub(a,1)
torch._foreach_mul(a,torch.tensor(2.))
torch._foreach_mul_(a,[2,3])
torch._foreach_div(a,b)
torch._foreach_div_(a,2)
torch._foreach_pow(a,2)
torch._foreach_pow(2,a)
torch._foreach_pow(a,b)
torch._foreach_addcmul(a,b,b,value=.5)
torch._foreach_addcmul(a,b,b,[1,2])
torch._foreach_addcmul(a,b,b,torch.tensor([1.,2.]))
torch._foreach_addcdiv_(a,b,b,.5)
torch._foreach_lerp(a,b,.5)
torch._foreach_lerp(a,b,b)
torch._foreach_lerp_(a,b,[.1,.2])
torch._foreach_norm(a)
torch._foreach_norm(a,1)
torch._foreach_norm(a,float('inf'))
torch._foreach_norm(a,2,dtype=torch.float64)
torch._foreach_powsum(a)
torch._foreach_powsum(a,3)
torch._foreach_max(a)
torch._foreach_maximum(a,b)
torch._foreach_maximum(a,1.5)
torch._foreach_minimum_(a,[1,2])
torch._foreach_clamp_min(a,1.5)
torch._foreach_clamp_max_(a,b)
torch._foreach_copy_(a,b)
torch._foreach_zero_(a)
torch._foreach_sqrt(a)
torch._foreach_exp_(a)
torch._foreach_neg(a)
torch._foreach_sign_(a)
torch._foreach_sigmoid(a)
torch._foreach_add(a,b[:1])
torch._foreach_add(a,[1])
torch._foreach_add([],1)
torch._foreach_add_([],[])
torch._foreach_add(torch.ones(2),1)
torch._foreach_add((a[0],),1)
torch._foreach_add(a,None)
torch._foreach_add(a,'x')
torch._foreach_abs(a, 1)
torch._foreach_mul(a,b,alpha=1)
torch._foreach_sub(a,torch.tensor(1.))
torch._foreach_maximum(a,torch.tensor(1.))
torch._foreach_norm([])
torch._foreach_sqrt([torch.tensor([4])])
torch._foreach_add([torch.tensor([4])],1.5)
torch._foreach_add_([torch.tensor([4])],1.5)
torch._foreach_add_([a[0].requires_grad_()],1.5)
""".strip().split("\n")


def told(text):
    a, b = [torch.tensor([1.0, 2.0]), torch.tensor([3.0])], [torch.tensor([0.5, 0.5]), torch.tensor([2.0])]
    try:
        print(text, "->", eval(text), a)
    except Exception as e:
        print(text, type(e).__name__, str(e).split(" - ")[0].split("\n")[0])


for text in CALLS:
    told(text)
a, b = [torch.tensor([1.0, 2.0], requires_grad=True), torch.tensor([3.0], requires_grad=True)], [torch.ones(2), torch.ones(1)]
total = sum([t.sum() for t in torch._foreach_mul(a, torch._foreach_add(a, b))]) + sum(torch._foreach_norm(a))
total.backward()
print([t.grad for t in a])
averages = [torch.zeros(2), torch.zeros(1)]
with torch.no_grad():
    for _ in range(5):
        torch._foreach_mul_(averages, 0.9)
        torch._foreach_add_(averages, [t.detach() for t in a], alpha=0.1)
        torch._foreach_lerp_(averages, [t.detach() for t in a], 0.25)
print(averages)
