import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(0)
logits = torch.randn(4, 3, requires_grad=True)
target = torch.tensor([0, 2, 1, 2])


def show(name, loss):
    logits.grad = None
    loss.sum().backward()
    print(name, loss.detach(), logits.grad)


show("ce", F.cross_entropy(logits, target))
show("ce sum", F.cross_entropy(logits, target, reduction="sum"))
show("ce none", F.cross_entropy(logits, target, reduction="none"))
show("ce weight", F.cross_entropy(logits, target, weight=torch.tensor([1.0, 2.0, 0.5])))
show("ce ignore", F.cross_entropy(logits, torch.tensor([0, -100, 1, 2])))
show("ce ignore 2", F.cross_entropy(logits, target, ignore_index=2))
show("ce smooth", F.cross_entropy(logits, target, label_smoothing=0.1))
show("ce soft", F.cross_entropy(logits, torch.softmax(torch.ones(4, 3), 1)))
show("nll", F.nll_loss(F.log_softmax(logits, 1), target))
show("mse", F.mse_loss(logits, torch.ones(4, 3)))
show("l1", F.l1_loss(logits, torch.ones(4, 3)))
show("smooth", F.smooth_l1_loss(logits, torch.ones(4, 3), beta=0.5))
show("huber", F.huber_loss(logits, torch.ones(4, 3), delta=0.5))
show("bce", F.binary_cross_entropy(torch.sigmoid(logits), torch.ones(4, 3) * 0.3))
show("bcel", F.binary_cross_entropy_with_logits(logits, torch.ones(4, 3) * 0.3))
show("bcel pos", nn.BCEWithLogitsLoss(pos_weight=torch.tensor([2.0, 1.0, 3.0]))(logits, torch.eye(4, 3)))
show("kl", F.kl_div(F.log_softmax(logits, 1), torch.softmax(torch.ones(4, 3), 1), reduction="batchmean"))
show("3d", F.cross_entropy(logits.view(2, 3, 2), torch.tensor([[0, 1], [2, 0]])))
show("one", F.cross_entropy(logits[0], torch.tensor(1)))
show("margin", nn.MarginRankingLoss(0.5)(logits[0], logits[1], torch.ones(3)))
show("triplet", nn.TripletMarginLoss()(logits[:1], logits[1:2], logits[2:3]))
show("cos", nn.CosineEmbeddingLoss()(logits[:2], logits[2:], torch.tensor([1, -1])))
show("hinge", nn.HingeEmbeddingLoss()(logits, torch.sign(logits.detach())))
print(nn.CrossEntropyLoss(), nn.MSELoss(reduction="sum"), nn.NLLLoss()(F.log_softmax(logits, 1), target).item())
for f in [
    lambda: F.cross_entropy(logits, torch.tensor([0, 1, 2, 3])),
    lambda: F.cross_entropy(logits, torch.tensor([0, 1])),
    lambda: F.mse_loss(logits, torch.ones(4, 3), reduction="bad"),
    lambda: F.binary_cross_entropy(logits.sigmoid(), torch.ones(3)),
]:
    try:
        f()
    except (IndexError, ValueError) as e:
        print(type(e).__name__, e)
