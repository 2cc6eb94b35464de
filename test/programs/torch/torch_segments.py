# Reductions of segments, of lengths or offsets.
import torch

CALLS = """
torch.segment_reduce(d,'sum',lengths=torch.tensor([2,3,2]))
torch.segment_reduce(d,'mean',lengths=torch.tensor([2,3,2]))
torch.segment_reduce(d,'max',lengths=torch.tensor([2,0,5]))
torch.segment_reduce(d,'min',lengths=torch.tensor([2,0,5]))
torch.segment_reduce(d,'prod',lengths=torch.tensor([2,3,2]))
torch.segment_reduce(d,'sum',lengths=torch.tensor([2,0,5]))
torch.segment_reduce(d,'mean',lengths=torch.tensor([2,0,5]))
torch.segment_reduce(d,'mean',lengths=torch.tensor([2,0,5]),initial=1)
torch.segment_reduce(d,'sum',lengths=torch.tensor([2,0,5]),initial=10)
torch.segment_reduce(d,'max',lengths=torch.tensor([2,0,5]),initial=3)
torch.segment_reduce(d,'prod',lengths=torch.tensor([2,0,5]),initial=3)
torch.segment_reduce(e,'sum',lengths=torch.tensor([2,3,2]))
torch.segment_reduce(e,'max',lengths=torch.tensor([2,3,2]),axis=0)
torch.segment_reduce(e,'max',lengths=torch.tensor([[1,1]]*7),axis=1)
torch.segment_reduce(e,'sum',lengths=torch.tensor([[1,1]]*7),axis=1)
torch.segment_reduce(e,'sum',lengths=torch.tensor([1,1]),axis=1)
torch.segment_reduce(d,'sum',lengths=torch.tensor([2,3]))
torch.segment_reduce(d,'sum',lengths=torch.tensor([2,3]),unsafe=True)
torch.segment_reduce(d,'sum',offsets=torch.tensor([0,2,5,7]))
torch.segment_reduce(d,'sum',offsets=torch.tensor([0,2,5]))
torch.segment_reduce(d,'mean',offsets=torch.tensor([0,2,2,7]))
torch.segment_reduce(d,'foo',lengths=torch.tensor([7]))
torch.segment_reduce(d,'sum')
torch.segment_reduce(d,'sum',lengths=torch.tensor([7.]))
torch.segment_reduce(d,'sum',lengths=torch.tensor([-1,8]))
torch.segment_reduce(n,'max',lengths=torch.tensor([2,1]))
torch.segment_reduce(n,'min',lengths=torch.tensor([1,2]))
torch.segment_reduce(d,'sum',lengths=torch.tensor([2,3,2]),indices=torch.tensor([0]))
torch.segment_reduce(torch.tensor([3.,3.,1.],requires_grad=True),'max',lengths=torch.tensor([3]))
torch.segment_reduce(torch.tensor([3,3,1]),'max',lengths=torch.tensor([3]))
torch.segment_reduce(d,'sum',lengths=torch.tensor([7],dtype=torch.int32))
torch.segment_reduce(d,'sum',lengths=torch.tensor([7]),offsets=torch.tensor([0,7]))
""".strip().split("\n")


def told(text):
    d = torch.tensor([1.0, 2, 3, 4, 5, 6, 7], requires_grad=True)
    e = torch.arange(14.0).reshape(7, 2).requires_grad_()
    n = torch.tensor([1.0, float("nan"), 2.0])
    try:
        r = eval(text)
        print(text, "->", r)
        if r.requires_grad:
            r.sum().backward()
            print("   ", d.grad, e.grad)
    except Exception as error:
        print(text, type(error).__name__, str(error).split("\n")[0])


for text in CALLS:
    told(text)
for how, values, start in (("max", [3.0, 3.0, 1.0, 2.0, 2.0], None), ("prod", [3.0, 3.0, 1.0, 0.0, 2.0], None), ("max", [3.0, 3.0, 1.0, 0.0, 2.0], 3)):
    x = torch.tensor(values, requires_grad=True)
    torch.segment_reduce(x, how, lengths=torch.tensor([3, 2]), initial=start).sum().backward()
    print(how, x.grad)
