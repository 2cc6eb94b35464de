import torch

x = torch.arange(24).view(2, 3, 4)
print(x[0], x[1, 2], x[1, 2, 3], x[-1, -1, -1])
print(x[:, 1], x[..., 0], x[0, ..., 1], x[:, None].shape, x[None, ..., None].shape)
print(x[0, 1:], x[0, :, ::2], x[:, :2, 1:3], x[0, -2:])
print(x[0, [0, 2]], x[torch.tensor([1, 0])][:, 0, 0], x[:, torch.tensor([0, 2]), 1])
print(x[torch.tensor([0, 1]), torch.tensor([1, 2])], x[0, torch.tensor([[0, 1], [2, 0]])].shape)
print(x[torch.tensor([0, 1]), :, torch.tensor([3, 0])])
m = x[0] % 2 == 0
print(m, x[0][m], x[0][~m], x[x > 20])
print(x[0][torch.tensor([True, False, True])])
y = torch.zeros(3, 4)
y[0] = 1
y[1, 2] = 5
y[:, 3] = torch.tensor([7.0, 8.0, 9.0])
y[2, :2] = -1
print(y)
y[y > 6] = 0
y[torch.tensor([0, 2]), torch.tensor([1, 1])] = 42
y[[1]] += 10
print(y)
y[..., 0] *= 2
y[0:2, 0:2] = torch.eye(2)
print(y)
v = y[1]
v += 100
print(y, v.data_ptr() == y[1].data_ptr())
z = torch.arange(5)
z[1:4] = z[0:3].clone()
print(z, z[torch.tensor(2)], z[z.argmax()], int(z[3]), z[-1].item())
z[torch.tensor([0, 0, 1])] = torch.tensor([5, 6, 7])
print(z)
for row in x[0]:
    print(row.tolist())
print([int(i) for i in z], 3 in z, 99 in z)
for f in [
    lambda: z[7],
    lambda: z[0, 0],
    lambda: z[torch.tensor([9])],
    lambda: z[1.5],
    lambda: torch.tensor(1)[0],
    lambda: z[::-1],
    lambda: z[torch.tensor([True, False])],
]:
    try:
        f()
    except (IndexError, TypeError, ValueError) as e:
        print(type(e).__name__, str(e)[:60])
