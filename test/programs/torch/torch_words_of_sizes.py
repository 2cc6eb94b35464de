# What is said of sizes that do not fit, or of nothing to divide by.
import torch
def t(f):
    try: print(f())
    except Exception as e: print(str(e).split("\n")[0][:200])
a = torch.ones(2, 2).t()
t(lambda: a + torch.ones(3)); t(lambda: torch.ones(2, 3) + torch.ones(3, 2)); t(lambda: torch.ones(3) + a); t(lambda: torch.where(a > 0, a, torch.ones(3)));t(lambda: torch.arange(6.).reshape(2, 3)[:, ::2] + torch.zeros(2,0))
t(lambda: torch.ones(2, 3).t() + torch.ones(4)); t(lambda: torch.ones(2, 3, 4).permute(2, 0, 1) + torch.ones(4))
t(lambda: torch.ones(3, 4).expand(2, 3)); t(lambda: torch.ones(3, 2).expand_as(torch.ones(2, 3)))
t(lambda: torch.nn.functional.linear(torch.ones(2, 2), torch.ones(2, 2, 2)))
for other in (1j, 0, torch.tensor(0)):
    t(lambda: torch.tensor([7, 8]) // other); t(lambda: torch.zeros(0, dtype=torch.int64) % other)
t(lambda: torch.zeros(3).gather(0, torch.zeros(2, 0, dtype=torch.int64))); t(lambda: torch.zeros(3).gather(0, torch.zeros(2, 1, dtype=torch.int64)))
t(lambda: torch.zeros(3).scatter(0, torch.zeros(2, 1, dtype=torch.int64), 1.))
for part in ((0, 5, 2), (0, 2, 3), (0, 1, -1), (0, -5, 1), (1, 4, 0)):
    t(lambda: torch.ones(4, 4).narrow(*part).shape)
