# Powers of floats: exponents that move, and such that do not.
import torch
x = torch.zeros(1, dtype=torch.float64)
for it in range(40):
    a = 0.97 ** (it * 0.37)
    b = (it + 0.3) ** 3
    c = (it + 0.3) ** 0.5
    x = x + a + b + c
    print(it, a, b, c)
x = torch.zeros(1, dtype=torch.float64)
for it in range(-20, 20):
    a = (it * 0.37) ** 2
    b = (it * 0.37) ** 3
    c = (it * 0.21) ** 4.0
    try:
        d = (it * 1.0) ** -1
    except ZeroDivisionError as e:
        d = str(e)
    x = x + a + b + c
    if it % 5 == 0:
        print(it, a, b, c, d)
print(x)
