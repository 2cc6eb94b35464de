# Cholesky factors and logarithms of determinants, of batches too, with their gradients.
import torch

torch.manual_seed(0)


def spread(n, *batch):
    a = torch.randn(*batch, n, n, dtype=torch.float64)
    return a @ a.transpose(-1, -2) + n * torch.eye(n, dtype=torch.float64)


for shape in ((1,), (3,), (5, 2), (4, 2, 3)):
    a = spread(*shape).requires_grad_()
    for upper in (False, True):
        f = torch.linalg.cholesky(a, upper=upper)
        g, = torch.autograd.grad((f * torch.arange(f.numel()).reshape(f.shape)).sum(), a)
        print(f.shape, f.sum(), g)
    sign, size = torch.linalg.slogdet(a)
    g, = torch.autograd.grad(size.sum(), a)
    print(sign, size, g)

# Of the matrix one triangle is read.
skewed = torch.tensor([[4.0, 9.0], [2.0, 5.0]])
print(torch.linalg.cholesky(skewed), torch.linalg.cholesky(skewed.T, upper=True), torch.cholesky(skewed))
for m in (torch.tensor([[0.0, 2.0], [3.0, 1.0]]), torch.ones(2, 2), torch.zeros(0, 0)):
    print(torch.slogdet(m), m.slogdet().logabsdet, torch.linalg.slogdet(m).sign)
print(torch.linalg.cholesky(torch.zeros(0, 0)), torch.linalg.cholesky(torch.zeros(0, 2, 2)).shape)

# A Gaussian process: its likelihood is learned.
x = torch.linspace(0, 1, 8)
y = torch.sin(6 * x)
scale = torch.tensor(0.5, requires_grad=True)
noise = torch.tensor(0.3, requires_grad=True)
opt = torch.optim.Adam([scale, noise], lr=0.05)
for step in range(12):
    k = torch.exp(-0.5 * ((x[:, None] - x[None]) / scale) ** 2) + (noise**2 + 1e-3) * torch.eye(8)
    f = torch.linalg.cholesky(k)
    z = torch.linalg.solve(f, y)
    loss = 0.5 * z.dot(z) + f.diagonal().log().sum()
    opt.zero_grad()
    loss.backward()
    opt.step()
    print(step, f"{loss.item():.4f} {scale.item():.4f} {noise.item():.4f}", f"{torch.logdet(k).item() - torch.slogdet(k)[1].item():.4f}")


def solved(a, right):
    return torch.linalg.solve(a + 0, right)


many = spread(2, 3)
for i in range(6):
    print(solved(many, torch.ones(2, dtype=torch.float64)), solved(many[0], torch.ones(4, 2, 1, dtype=torch.float64)).shape)
    print(solved(many, torch.ones(3, 2, dtype=torch.float64)).shape, solved(many, torch.ones(2, 5, dtype=torch.float64)).shape)
