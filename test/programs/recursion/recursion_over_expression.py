"""An interpreter of expressions: a recursion over nested tuples that a parser made."""
import torch
torch.manual_seed(7)
def parse(s):
    toks, i = s.replace("(", " ( ").replace(")", " ) ").split(), 0
    def expr():
        nonlocal i
        t = toks[i]; i += 1
        if t == "(":
            op = toks[i]; i += 1
            args = []
            while toks[i] != ")": args.append(expr())
            i += 1
            return (op, args)
        return t
    return expr()
def ev(e, env):
    if isinstance(e, str): return env[e]
    op, args = e
    vs = [ev(a, env) for a in args]
    if op == "+": return sum(vs[1:], vs[0])
    if op == "*":
        out = vs[0]
        for v in vs[1:]: out = out * v
        return out
    return torch.tanh(vs[0])
prog = parse("(+ (* x y) (tanh (+ x z)) y)")
env = {k: torch.randn(3) for k in "xyz"}
for i in range(80):
    r = ev(prog, env)
    env["xyz"[i % 3]] = torch.tanh(r)
print([round(v, 4) for v in r.tolist()])
