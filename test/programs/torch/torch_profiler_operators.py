# torch.ops.profiler: a name that begins and ends by two calls, which a handle connects; a tracer has them as nodes.
import torch
import torch.fx


def work(x):
    handle = torch.ops.profiler._record_function_enter("part")
    y = torch.relu(x)
    torch.ops.profiler._record_function_exit(handle)
    return y


print(work(torch.tensor([-1.0, 2.0])))
with torch.autograd.profiler.profile() as profile:
    work(torch.ones(2))
    work(torch.ones(2))
print([(e.key, e.count) for e in profile.key_averages() if e.key == "part"])


class Tracer(torch.fx.Tracer):
    def trace(self, root):
        graph = super().trace(root)
        first = next(n for n in graph.nodes if n.op == "call_function")
        with graph.inserting_before(first):
            began = graph.call_function(torch.ops.profiler._record_function_enter, ("traced",))
        with graph.inserting_after(first):
            graph.call_function(torch.ops.profiler._record_function_exit, (began,))
        return graph


graph = Tracer().trace(lambda x: torch.relu(x) + 1)
print([n.name for n in graph.nodes])
traced = torch.fx.GraphModule(torch.nn.Module(), graph)
with torch.autograd.profiler.profile() as profile:
    print(traced(torch.tensor([-1.0, 2.0])))
print([(e.key, e.count) for e in profile.key_averages() if e.key == "traced"])
try:
    torch.ops.profiler._nothing
except AttributeError as e:
    print(e)
