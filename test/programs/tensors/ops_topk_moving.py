"""topk whose k moves, of rows whose number moves, with gradients and draws."""
import torch

torch.manual_seed(60)
bank = torch.randn(9, 7) * 2
w = torch.randn(7, requires_grad=True)


def sample(logits, k, temperature):
    vals, idx = logits.topk(k)
    probs = torch.softmax(vals / temperature, -1)
    return idx.gather(-1, torch.multinomial(probs, 1)).squeeze(-1)


def hardest(x, k):
    losses = (x @ w - 1).abs()
    return losses.topk(k).values.mean(), losses.topk(k, largest=False).indices.sum()


hist = torch.zeros(7, dtype=torch.long)
for i in range(90):  # expect: tier 2, at most 6 entries in tier 0
    ids = sample(bank[: 3 + i % 4], 2 + i % 5, 0.5 + 0.1 * (i % 6))
    hist += torch.bincount(ids, minlength=7)
    loss, least = hardest(bank, 1 + (i * 2) % 7)
    loss.backward()
    with torch.no_grad():
        w -= 0.05 * w.grad
    w.grad = None
    if i % 15 == 0:
        print(i, ids.tolist(), f"{loss.item():.4f}", least.item())
    if i == 60:
        try:
            bank.topk(8 + i)
        except RuntimeError as e:
            print(e)
print(hist.tolist(), f"{w.sum().item():.4f}")
