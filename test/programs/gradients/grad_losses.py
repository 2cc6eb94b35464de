# Many loss functions on the same predictions, in one loop.
import torch
import torch.nn.functional as F

torch.manual_seed(15)
w = torch.randn(4, 3, requires_grad=True)
x = torch.randn(8, 4)
t = torch.randn(8, 3)
c = torch.randint(0, 3, (8,))
losses = {
    "mse": lambda y: F.mse_loss(y, t),
    "l1": lambda y: F.l1_loss(y, t),
    "smooth": lambda y: F.smooth_l1_loss(y, t, beta=0.5),
    "huber": lambda y: F.huber_loss(y, t, delta=0.7),
    "ce": lambda y: F.cross_entropy(y, c, label_smoothing=0.1),
    "nll": lambda y: F.nll_loss(F.log_softmax(y, 1), c),
    "bce": lambda y: F.binary_cross_entropy(torch.sigmoid(y), (t > 0).float()),
    "kl": lambda y: F.kl_div(F.log_softmax(y, 1), F.softmax(t, 1), reduction="batchmean"),
    "cos": lambda y: 1 - F.cosine_similarity(y, t).mean(),
    "hinge": lambda y: (1 - y * t.sign()).clamp(min=0).sum(),
}
for name, f in losses.items():
    w.grad = None
    for _ in range(4):
        loss = f(x @ w)
        loss.backward()
    print(f"{name:<7} {loss.item():.5f} {w.grad.norm().item():.5f}")
