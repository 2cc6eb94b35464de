import torch, operator
import torch.nn as nn
import torch.fx as fx
from torch.fx import symbolic_trace
torch.manual_seed(0)
class M(nn.Module):
    def __init__(self):
        super().__init__()
        self.param = nn.Parameter(torch.rand(3, 4)); self.linear = nn.Linear(4, 5); self.register_buffer('b', torch.ones(5))
        self.seq = nn.Sequential(nn.Linear(5, 5), nn.ReLU())
    def forward(self, x: torch.Tensor, k=2, *, flag=True) -> torch.Tensor:
        y = self.linear(x + self.param).clamp(min=0.0, max=1.0) * self.b
        z = self.seq(y)
        a, b = torch.chunk(z, 2, dim=1)
        z = torch.cat([a, b], dim=-1)
        s = z.shape[0]
        w = z[:, 1:].view(s, -1)
        return torch.relu(w).sum() ** 2 + k
m = M()
gm = symbolic_trace(m)
print(gm.graph); print(gm.code); print(gm)
x = torch.rand(3, 4)
print(m(x), gm(x), torch.equal(m(x), gm(x)))
for n in gm.graph.nodes: print(n.op, n.name, n.target if isinstance(n.target, str) else n.target.__name__, n.args, n.kwargs, list(n.users))
for n in gm.graph.nodes:
    if n.op == 'call_function' and n.target is torch.relu:
        with gm.graph.inserting_after(n):
            new = gm.graph.call_function(torch.sigmoid, n.args, n.kwargs)
        n.replace_all_uses_with(new); gm.graph.erase_node(n)
gm.graph.lint(); gm.recompile(); print(gm.code); print(gm(x))
def f(x, y):
    t = x + y
    u = torch.neg(t) + torch.relu(t)
    return {'a': u.sum(), 'b': [t.T, -x]}
g = symbolic_trace(f); print(g.code); print(g(x, x))
for bad in (lambda x: x if x > 0 else -x, lambda x: [i for i in x], lambda x: len(x), lambda x: 3 in x):
    try: symbolic_trace(bad); print('traced')
    except Exception as e: print(type(e).__name__, str(e)[:90])
class Prof(fx.Interpreter):
    def run_node(self, n):
        r = super().run_node(n); print('ran', n.op, n.name); return r
print(Prof(g).run(x, x)['a'])
class Tr(fx.Transformer):
    def call_function(self, target, args, kwargs):
        if target is torch.relu: return torch.tanh(*args)
        return super().call_function(target, args, kwargs)
print(Tr(g).transform().code)
from torch.fx.passes.shape_prop import ShapeProp
ShapeProp(gm).propagate(x)
for n in gm.graph.nodes:
    if 'tensor_meta' in n.meta: print(n.name, n.meta['tensor_meta'] if not isinstance(n.meta['tensor_meta'], (tuple, list)) or hasattr(n.meta['tensor_meta'], 'shape') else len(n.meta['tensor_meta']))
gr = fx.Graph(); a = gr.placeholder('a'); b = gr.placeholder('float'); c = gr.call_function(operator.mul, (a, b)); d = gr.call_method('add', (c, 1)); gr.output((d, c)); print(gr, gr.python_code('self').src)
try: gr.erase_node(c)
except Exception as e: print(type(e).__name__, e)
import copy, pickle
g2 = copy.deepcopy(gm); print(torch.equal(g2(x), gm(x)), type(g2).__name__)
gr2 = fx.Graph(); gr2.graph_copy(gr, {}); print([n.name for n in gr2.nodes])
class P(nn.Module):
    def forward(self, x, w1, w2):
        m1 = torch.cat([w1, w2]).sum(); m2 = torch.cat([w1, w2]).sum()
        return x + torch.max(m1) + torch.max(m2)
t = symbolic_trace(P())
def pat(w1, w2): return torch.cat([w1, w2]).sum()
def rep(w1, w2): return torch.stack([w1, w2])
print(len(fx.replace_pattern(t, pat, rep))); print(t.code)
print(symbolic_trace(lambda x, n=None: x * 2 if n is None else x + n, concrete_args={'n': None}).code)
print(symbolic_trace(lambda *a, **k: a[0] + k['z']).code)
def augmented(x):
    x += 1
    x *= x
    return x
print(symbolic_trace(augmented).code)
print(symbolic_trace(lambda x: x.__setitem__(0, 1)).code)
def assigned(x): x[0] = 1
try: symbolic_trace(assigned)
except TypeError as e: print(e)
class Strict(fx.Tracer):
    record_stack_traces = False
print([n.name for n in Strict().trace(augmented).nodes])
