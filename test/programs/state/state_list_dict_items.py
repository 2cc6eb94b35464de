# Items of lists and dicts that live outside are written by the hot function.
import torch

history = {"loss": [], "best": None, "counts": {"up": 0, "down": 0}}
window = [0.0] * 4


def record(x, i):
    value = x.sum()
    history["loss"].append(value)
    window[i % 4] = value
    if history["best"] is None or value < history["best"]:
        history["best"] = value
        history["counts"]["down"] += 1
    else:
        history["counts"]["up"] += 1
    return sum(window) / 4


torch.manual_seed(13)
for i in range(264):
    avg = record(torch.randn(3), i)
print(f"{avg.item():.4f}", len(history["loss"]), f"{history['best'].item():.4f}", history["counts"])
