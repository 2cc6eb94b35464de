# Losses at their corners: nothing but ignored targets, probabilities 0 and 1, no rows, wrong shapes, old arguments.
import torch, warnings
from torch import nn
import torch.nn.functional as F
warnings.simplefilter("ignore")
def r(t): return [round(v, 2) + 0.0 if v == v else "nan" for v in t.detach().flatten().tolist()]
def show(name, f):
    try: print(name, *f())
    except Exception as e: print(name, type(e).__name__, str(e).split("\n")[0][:220])
def go(name, fn, x, *rest, **kw):
    def f():
        a = x.detach().clone().requires_grad_(True)
        y = fn(a, *rest, **kw)
        if y.numel(): y.sum().backward()
        return [tuple(y.shape), r(y), None if a.grad is None else r(a.grad)]
    show(name, f)
torch.manual_seed(0)
X = torch.randn(3, 4); L = X.log_softmax(1); P = torch.sigmoid(X)
T = torch.tensor([0, 3, 1]); I = torch.tensor([-100, -100, -100]); J = torch.tensor([0, -100, 2]); W = torch.tensor([1.0, 2.0, 0.0, 0.5])
S = X.softmax(1); Y = (X > 0).float()
for red in ("mean", "sum", "none"):
    for w in (None, W):
        for t in (T, J, I, torch.tensor([0, 4, 1]), torch.tensor([0, -1, 1])):
            for ls in (0.0, 0.1, 1.0):
                go(f"ce {red} {w is None} {t.tolist()[:1]} {ls}", F.cross_entropy, X, t, weight=w, reduction=red, label_smoothing=ls)
            go(f"nll {red} {w is None} {t.tolist()[:1]}", F.nll_loss, L, t, weight=w, reduction=red)
            if t.dtype == torch.long: go(f"ce ig {red}", F.cross_entropy, X, t, weight=w, ignore_index=1, reduction=red, label_smoothing=0.2)
    for n, fn in (("l1", F.l1_loss), ("mse", F.mse_loss), ("sl1", F.smooth_l1_loss), ("huber", F.huber_loss), ("kl", F.kl_div), ("soft", F.soft_margin_loss), ("hinge", F.hinge_embedding_loss), ("mlsm", F.multilabel_soft_margin_loss), ("poisson", F.poisson_nll_loss), ("bce", lambda a, b, reduction: F.binary_cross_entropy(torch.sigmoid(a), b, reduction=reduction)), ("bcel", F.binary_cross_entropy_with_logits)):
        for t in (Y, Y * 2 - 1, torch.zeros(3, 4), torch.ones(3, 1), torch.full((3, 4), float("nan"))):
            go(f"{n} {red} {tuple(t.shape)} {t[0,0]}", fn, X, t, reduction=red)
    go(f"kllog {red}", F.kl_div, L, L, reduction=red, log_target=True)
    go(f"bm", F.kl_div, L, S, reduction="batchmean")
    go(f"bcew {red}", F.binary_cross_entropy_with_logits, X, Y, weight=W, pos_weight=W, reduction=red)
    go(f"bcew2 {red}", F.binary_cross_entropy, P, Y, weight=torch.ones(3, 1), reduction=red)
    go(f"huberd {red}", F.huber_loss, X, Y, reduction=red, delta=0.5); go(f"sl {red}", F.smooth_l1_loss, X, Y, reduction=red, beta=0.0); go(f"sl {red}", F.smooth_l1_loss, X, Y, reduction=red, beta=2.0)
    go(f"gnll {red}", F.gaussian_nll_loss, X, Y, torch.rand(3, 4), reduction=red, full=True); go(f"gnll1 {red}", F.gaussian_nll_loss, X, Y, torch.rand(3, 1), reduction=red); go(f"gnllneg {red}", F.gaussian_nll_loss, X, Y, -torch.ones(3, 4), reduction=red); go(f"gnlls {red}", F.gaussian_nll_loss, X, Y, torch.rand(3), reduction=red)
    go(f"pois {red}", F.poisson_nll_loss, P, torch.tensor([0.0, 1, 2, 5]).expand(3, 4), log_input=False, full=True, reduction=red)
    go(f"margin {red}", F.margin_ranking_loss, X[:, 0], X[:, 1], torch.tensor([1.0, -1, 1]), margin=0.5, reduction=red); go(f"margin {red}", F.margin_ranking_loss, X, X[:, 1], torch.tensor([1.0, -1, 1]), reduction=red)
    go(f"cos {red}", F.cosine_embedding_loss, X, X.flip(0), torch.tensor([1, -1, 1]), margin=0.2, reduction=red); go(f"cos {red}", F.cosine_embedding_loss, X[0], X[1], torch.tensor(-1), reduction=red)
    go(f"tri {red}", F.triplet_margin_loss, X, X.flip(0), X.flip(1), reduction=red, swap=True, p=1); go(f"trid {red}", F.triplet_margin_with_distance_loss, X, X.flip(0), X.flip(1), reduction=red)
    go(f"mm {red}", F.multi_margin_loss, X, T, reduction=red, p=2, margin=0.7, weight=W); go(f"mlm {red}", F.multilabel_margin_loss, X, torch.tensor([[3, 0, -1, 1], [-1, 0, 0, 0], [1, 2, 3, 0]]), reduction=red)
    go(f"mlsmw {red}", F.multilabel_soft_margin_loss, X, Y, weight=W, reduction=red)
    lp = torch.linspace(-2, 2, 40).sin().view(5, 2, 4).log_softmax(2)
    for il, tl in (([5, 5], [2, 3]), ([0, 5], [0, 2])):
        for zi in (False, True):
            go(f"ctc {red} {il} {tl} {zi}", F.ctc_loss, lp, torch.tensor([[1, 2, 3], [1, 1, 2]]), torch.tensor(il), torch.tensor(tl), reduction=red, zero_infinity=zi)
    # empty
    E = torch.zeros(0, 4)
    for n, fn, t in (("ce", F.cross_entropy, torch.zeros(0, dtype=torch.long)), ("nll", F.nll_loss, torch.zeros(0, dtype=torch.long)), ("mse", F.mse_loss, E), ("l1", F.l1_loss, E), ("bcel", F.binary_cross_entropy_with_logits, E), ("bce", F.binary_cross_entropy, E), ("sl1", F.smooth_l1_loss, E), ("kl", F.kl_div, E), ("mlsm", F.multilabel_soft_margin_loss, E), ("ces", F.cross_entropy, E)):
        go(f"empty {n} {red}", fn, E, t, reduction=red)
    # shapes
    X3 = torch.randn(2, 3, 2); T3 = torch.tensor([[0, 2], [-100, 1]])
    go(f"ce3 {red}", F.cross_entropy, X3, T3, reduction=red); go(f"ce3w {red}", F.cross_entropy, X3, T3, reduction=red, weight=torch.tensor([1.0, 0, 2]), label_smoothing=0.1)
    go(f"ce1 {red}", F.cross_entropy, X[0], torch.tensor(2), reduction=red); go(f"ce1i {red}", F.cross_entropy, X[0], torch.tensor(-100), reduction=red); go(f"ce1p {red}", F.cross_entropy, X[0], S[0], reduction=red)
    go(f"nll1 {red}", F.nll_loss, L[0], torch.tensor(2), reduction=red); go(f"nll3 {red}", F.nll_loss, X3, T3, reduction=red); go(f"nll4 {red}", F.nll_loss, X3.unsqueeze(3), T3.unsqueeze(2), reduction=red)
    go(f"bad batch {red}", F.cross_entropy, X, torch.tensor([0, 1]), reduction=red); go(f"bad dt {red}", F.cross_entropy, X, torch.tensor([0.0, 1, 2]), reduction=red); go(f"int {red}", F.cross_entropy, X, T.int(), reduction=red); go(f"badw {red}", F.cross_entropy, X, T, weight=torch.ones(3), reduction=red)
    go(f"bce range {red}", F.binary_cross_entropy, X, Y, reduction=red); go(f"bce shape {red}", F.binary_cross_entropy, P, Y[:, :1], reduction=red); go(f"bcel shape {red}", F.binary_cross_entropy_with_logits, X, Y[:, :1], reduction=red); go(f"bce01 {red}", F.binary_cross_entropy, torch.tensor([0.0, 1.0, 0.0, 1.0]), torch.tensor([0.0, 1.0, 1.0, 0.0]), reduction=red)
for sa in (None, True, False):
    for rd in (None, True, False):
        for n in ("HingeEmbeddingLoss", "SoftMarginLoss", "MSELoss", "L1Loss", "BCEWithLogitsLoss", "MultiLabelSoftMarginLoss", "PoissonNLLLoss", "KLDivLoss", "SmoothL1Loss"):
            go(f"{n} {sa} {rd}", getattr(nn, n)(size_average=sa, reduce=rd), X, Y * 2 - 1)
        for n in ("hinge_embedding_loss", "soft_margin_loss", "mse_loss", "l1_loss", "binary_cross_entropy_with_logits", "multilabel_soft_margin_loss", "poisson_nll_loss", "kl_div", "smooth_l1_loss"):
            go(f"F.{n} {sa} {rd}", getattr(F, n), X, Y * 2 - 1, size_average=sa, reduce=rd)
        go(f"ce {sa} {rd}", F.cross_entropy, X, T, size_average=sa, reduce=rd)
for i in range(30):
    x = X.clone().requires_grad_(True)
    a = F.cross_entropy(x, I); b = F.cross_entropy(x, J, weight=W, label_smoothing=0.1)
    (a.nan_to_num() + b).backward()
print(a, r(b), r(x.grad))
