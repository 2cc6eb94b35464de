# needs: torchmetrics
"""Metrics of torchmetrics over batches."""
import torch
import torchmetrics
from torchmetrics import functional as F

torch.manual_seed(0)
p, t = torch.rand(40, 4).softmax(1), torch.randint(0, 4, (40,))
for metric in (torchmetrics.Accuracy(task="multiclass", num_classes=4), torchmetrics.F1Score(task="multiclass", num_classes=4,
               average="macro"), torchmetrics.AUROC(task="multiclass", num_classes=4),
               torchmetrics.ConfusionMatrix(task="multiclass", num_classes=4),
               torchmetrics.Precision(task="multiclass", num_classes=4, average="weighted"),
               torchmetrics.CohenKappa(task="multiclass", num_classes=4)):
    for i in range(0, 40, 10):
        metric.update(p[i:i + 10], t[i:i + 10])
    value = metric.compute()
    print(type(metric).__name__, [round(v, 4) for v in value.flatten().tolist()])
    metric.reset()
a, b = torch.randn(30), torch.randn(30)
for metric in (torchmetrics.MeanSquaredError(), torchmetrics.R2Score(), torchmetrics.PearsonCorrCoef(),
               torchmetrics.SpearmanCorrCoef(), torchmetrics.MeanMetric()):
    value = metric(a) if isinstance(metric, torchmetrics.MeanMetric) else metric(a, b)
    print(type(metric).__name__, f"{value.item():.4f}")
both = torchmetrics.MetricCollection([torchmetrics.MeanAbsoluteError(), torchmetrics.MeanSquaredError()])
print({k: round(v.item(), 4) for k, v in sorted(both(a, b).items())})
print(f"{F.kl_divergence(p, p.roll(1, 0)).item():.4f}", f"{F.structural_similarity_index_measure(torch.rand(1, 1, 16, 16), torch.rand(1, 1, 16, 16)).item():.4f}")
