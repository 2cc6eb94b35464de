# A small beam search: lists of (score, path) sorted, cut and extended by tensors' rows.
import torch

torch.manual_seed(9)
logits = torch.randn(5, 6, 6)


def search(width, steps):
    beams = [(0.0, [0])]
    for t in range(steps):
        table = logits[t].log_softmax(-1)
        grown = []
        for score, path in beams:
            values, ids = table[path[-1]].topk(width)
            for v, k in zip(values.tolist(), ids.tolist()):
                grown.append((score + v, path + [k]))
        grown.sort(key=lambda c: c[0], reverse=True)
        beams = grown[:width]
    return beams


for width in (1, 2, 2, 2, 3, 2, 4):
    score, path = search(width, 5)[0]
    print(width, f"{score:.4f}", path)
