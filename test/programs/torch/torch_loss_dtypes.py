# Losses of inputs and targets of different dtypes: which are refused, which compute, and which have no gradient.
import torch
import torch.nn.functional as F

LOSSES = [
    F.mse_loss, F.huber_loss, F.smooth_l1_loss, F.l1_loss, F.binary_cross_entropy, F.binary_cross_entropy_with_logits, F.kl_div,
]


def step(loss, x, y, **options):
    try:
        r = loss(x, y, **options)
    except Exception as e:
        return "refused: " + str(e).split("\n")[0][:80]
    text = str(r.dtype)[6:] + f" {r.item():.4f}"
    try:
        r.backward()
    except Exception as e:
        return text + " no gradient: " + str(e).split("\n")[0][:80]
    return text + " " + str([round(v, 4) for v in x.grad.tolist()])


def main():
    for loss in LOSSES:
        options = {"reduction": "sum"}
        for kind in (torch.float32, torch.float64):
            for other in (torch.float32, torch.float64, torch.int64, torch.int32, torch.bool):
                x = torch.tensor([0.2, 0.7, 0.4], dtype=kind, requires_grad=True)
                print(loss.__name__, kind, other, step(loss, x, torch.tensor([0.0, 1.0, 1.0]).to(other), **options))


for _ in range(4):
    main()
with torch.no_grad():
    print(F.mse_loss(torch.tensor([0.5]), torch.tensor([1])).item())
for weight in (torch.tensor([1, 0, 2]), torch.tensor([0.5, 1.0, 2.0], dtype=torch.float64)):
    x = torch.tensor([0.2, 0.7, 0.4], requires_grad=True)
    print(step(F.binary_cross_entropy, x, torch.tensor([0.0, 1.0, 1.0]), weight=weight))
x = torch.tensor([[0.2, 0.7], [0.4, 0.1]], requires_grad=True)
print(F.cross_entropy(x, torch.tensor([[0.5, 0.5], [0.0, 1.0]], dtype=torch.float64)).dtype)
for f in (
    lambda: F.layer_norm(x, (2,), torch.ones(1)), lambda: F.layer_norm(x, (2, 2), torch.ones(2)),
    lambda: F.layer_norm(x, (2,), torch.ones(2), torch.tensor(1.5)), lambda: F.rms_norm(x, (2,), torch.ones(1)),
):
    try:
        print(f().shape)
    except RuntimeError as e:
        print(e)
