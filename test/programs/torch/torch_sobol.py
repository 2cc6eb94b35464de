# Sobol's sequence, plain and scrambled.

import torch
s = torch.quasirandom.SobolEngine(dimension=5)
print(s.draw(3))
print(s.draw(2))
s.reset()
s.fast_forward(2)
print(s.draw(2))
print(s)
s = torch.quasirandom.SobolEngine(3, scramble=True, seed=42)
print(s.draw(4))
print(s.draw_base2(2))
print(s, s.num_generated)
print(torch.quasirandom.SobolEngine(2).draw(3, dtype=torch.float64))
try:
    torch.quasirandom.SobolEngine(30000)
except ValueError as e:
    print(e)
n = torch.distributions.Normal(0, 1).icdf(torch.quasirandom.SobolEngine(2, scramble=True, seed=1).draw(4).clamp(1e-06, 1 - 1e-06))
print(n)
print(torch.quasirandom.SobolEngine(40).draw(8)[:, 30:])
