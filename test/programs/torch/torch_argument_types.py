# Arguments of another type than a function takes: None for what has another default, hints that are no bools, tensors for
# devices.
import torch
import torch.nn.functional as F

x = torch.arange(6.0).reshape(2, 3)
i = torch.tensor([0, 1])
spd = torch.tensor([[4.0, 1.0], [1.0, 3.0]])
image = torch.arange(8.0).reshape(1, 1, 2, 4)


def told(name, f):
    try:
        r = f()
        print(name, "gives", [tuple(t.shape) for t in r] if isinstance(r, tuple) else tuple(r.shape))
    except Exception as e:
        print(name, type(e).__name__)


def calls(k):
    bad = [None, "x", 1.5, object()][k % 4]
    none = None
    return [
        ("eye", lambda: torch.eye(2, none)), ("arange", lambda: torch.arange(0, none)),
        ("add alpha", lambda: x.add(1, alpha=none)), ("sub alpha", lambda: torch.sub(x, x, alpha=none)),
        ("max", lambda: x.max(none)), ("min", lambda: x.min(dim=none)), ("prod", lambda: x.prod(none)),
        ("median", lambda: x.median(none)), ("squeeze", lambda: x.squeeze(none)), ("all", lambda: x.all(none)),
        ("amax", lambda: x.amax(none)), ("sum", lambda: x.sum(none)), ("argmax", lambda: x.argmax(none)),
        ("bincount", lambda: torch.bincount(i, minlength=none)), ("gelu", lambda: F.gelu(x, approximate=none)),
        ("gelu by place", lambda: F.gelu(x, "tanh")), ("pad mode", lambda: F.pad(x, (1, 1), none)),
        ("pad value", lambda: F.pad(x, (1, 1), "constant", none)), ("contiguous", lambda: x.contiguous(memory_format=none)),
        ("clone", lambda: x.clone(memory_format=none)), ("normal", lambda: torch.normal(0.0, 1.0, none)),
        ("normal mean", lambda: torch.normal(none, 1)), ("vector_norm", lambda: torch.linalg.vector_norm(x, none)),
        ("matrix_norm", lambda: torch.linalg.matrix_norm(x, none)), ("svd", lambda: torch.linalg.svd(x, none)),
        ("linalg.norm", lambda: torch.linalg.norm(x, none)), ("fft2", lambda: torch.fft.fft2(x, dim=none)),
        ("quantile", lambda: torch.quantile(x, 0.5, interpolation=none)), ("trapezoid", lambda: torch.trapezoid(x, none)),
        ("trapezoid dx", lambda: torch.trapezoid(x, dx=none)), ("conv stride", lambda: F.conv2d(image, image, stride=none)),
        ("conv padding", lambda: F.conv2d(image, image, padding=none)),
        ("pool padding", lambda: F.avg_pool2d(image, 2, padding=none)), ("pool stride", lambda: F.avg_pool2d(image, 2, none)),
        ("adaptive", lambda: F.adaptive_avg_pool2d(image, none)), ("adaptive of one", lambda: F.adaptive_avg_pool2d(image, (none, 1))),
        ("sort stable", lambda: torch.sort(x, stable=bad)), ("argsort stable", lambda: torch.argsort(x, stable=bad)),
        ("unique sorted", lambda: torch.unique(x, sorted=bad)), ("gather sparse", lambda: torch.gather(x, 1, i[:, None], sparse_grad=bad)),
        ("isin unique", lambda: torch.isin(x, x, assume_unique=bad)), ("nanmedian", lambda: torch.nanmedian(x, 0, keepdim=bad)),
        ("histogram", lambda: torch.histogram(x, 3, density=bad)), ("inv_ex", lambda: torch.linalg.inv_ex(spd, check_errors=bad)),
        ("cholesky_ex", lambda: torch.linalg.cholesky_ex(spd, check_errors=bad)), ("lu", lambda: torch.linalg.lu(spd, pivot=bad)),
        ("pinv", lambda: torch.linalg.pinv(spd, hermitian=bad)), ("triangular", lambda: torch.triangular_solve(x[:, :1], spd, upper=bad)),
        ("layout", lambda: torch.zeros(2, layout=bad)), ("device", lambda: torch.zeros(2, device=torch.tensor(1))),
        ("generator", lambda: torch.bernoulli(x / 6, generator=torch.tensor(1))),
        ("rrelu", lambda: F.rrelu(x, training=bad)), ("alpha_dropout", lambda: F.alpha_dropout(x, 0.5, bad)),
        ("cosine dim", lambda: F.cosine_similarity(x, x, dim=none)), ("pairwise p", lambda: F.pairwise_distance(x, x, p=none)),
        ("lerp end", lambda: torch.lerp(x, 1.5, x)), ("unbiased and correction", lambda: x.var(0, unbiased=True, correction=1)),
        ("set_grad_enabled", lambda: torch.set_grad_enabled(none)), ("hardtanh", lambda: F.hardtanh(x, 1.0, 0.0)),
        ("addcdiv of ints", lambda: torch.addcdiv(x, x.long(), x.long() + 1)), ("cross", lambda: torch.linalg.cross(x, x.double())),
    ]


for k in range(8):
    for name, f in calls(k):
        told(name, f)
