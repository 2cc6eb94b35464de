import torch
torch.manual_seed(2)
def nms(boxes, scores, thr):
    order = scores.argsort(descending=True).tolist()
    keep = []
    for i in order:
        ok = True
        for j in keep:
            lo = torch.maximum(boxes[i, 0], boxes[j, 0])
            hi = torch.minimum(boxes[i, 1], boxes[j, 1])
            inter = (hi - lo).clamp(min=0)
            union = boxes[i, 1] - boxes[i, 0] + boxes[j, 1] - boxes[j, 0] - inter
            if (inter / union).item() > thr:
                ok = False
                break
        if ok:
            keep.append(i)
    return keep
for t in range(30):
    start = torch.rand(5)
    boxes = torch.stack([start, start + torch.rand(5) * 0.5 + 0.1], 1)
    print(t, nms(boxes, torch.rand(5), 0.3))
