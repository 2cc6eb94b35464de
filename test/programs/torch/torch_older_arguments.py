"""`size_average` and `reduce` of losses, dropout of channels in place, in both modes."""
import torch
import torch.nn.functional as F

torch.manual_seed(0)
x, y = torch.rand(4, 3), torch.rand(4, 3)
labels = torch.tensor([0, 2, 1, 0])
losses = {
    "mse": lambda **how: F.mse_loss(x, y, **how),
    "l1": lambda **how: F.l1_loss(x, y, **how),
    "smooth": lambda **how: F.smooth_l1_loss(x, y, **how),
    "nll": lambda **how: F.nll_loss(x.log(), labels, **how),
    "cross": lambda **how: F.cross_entropy(x, labels, **how),
    "bce": lambda **how: F.binary_cross_entropy(x, y, **how),
    "logits": lambda **how: F.binary_cross_entropy_with_logits(x, y, **how),
    "kl": lambda **how: F.kl_div(x.log(), y, **how),
}
for i in range(12):
    for name, loss in losses.items():
        for how in ({"size_average": True}, {"size_average": False}, {"reduce": False}, {"reduce": True, "size_average": False}):
            value = loss(**how)
            if i == 11:
                print(name, how, value.shape, f"{value.sum().item():.4f}")

for dropout, shape in ((F.dropout, (3, 4)), (F.dropout1d, (2, 5, 3)), (F.dropout2d, (2, 4, 2, 2)), (F.dropout3d, (1, 6, 2, 1, 1))):
    for training in (True, False):
        for i in range(8):
            t = torch.ones(shape)
            out = dropout(t, 0.4, training, inplace=True)
        print(dropout.__name__, training, out is t, f"{out.sum().item():.2f} {t.sum().item():.2f}")
for layer in (torch.nn.Dropout(0.3, inplace=True), torch.nn.Dropout2d(0.3, inplace=True)):
    t = torch.ones(2, 3, 2, 2)
    layer(t)
    print(f"{t.sum().item():.2f}", layer.eval()(t) is t)
