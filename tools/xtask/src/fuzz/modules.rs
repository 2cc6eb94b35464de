//! Makes random programs about modules of `torch.nn`: a network of some of them with random options, trained and
//! evaluated in turns, with its outputs, gradients and buffers shown.
//!
//! In: a seed. Out: the text of a program. Always: it ends, and prints the same on every run; what a module gives is
//! made to fit the next one, so any may follow any.

use super::random::Draft;

/// A module: what makes it, and how it is used: `@` stands for it, `h` for the tensor so far.
struct Module(&'static str, &'static str);

const MODULES: &[Module] = &[
    Module("nn.Linear(6, «3|6», bias=«True|False»)", "@(fit(h, 4, 6))"),
    Module(
        "nn.Bilinear(4, 3, «2|5», bias=«True|False»)",
        "@(fit(h, 5, 4), fit(h * 0.5, 5, 3))",
    ),
    Module("nn.Identity()", "@(h)"),
    Module(
        "nn.«ReLU|SiLU|Mish|SELU|Hardsigmoid|Hardswish|ReLU6»(inplace=«True|False»)",
        "@(h * 1.0)",
    ),
    Module("nn.«Sigmoid|Tanh|LogSigmoid|Softsign|Tanhshrink»()", "@(h)"),
    Module("nn.Threshold(«0.1|-0.2», «0.5|0.0»)", "@(h)"),
    Module("nn.Hardtanh(«-1.0|-0.3», «1.0|0.4»)", "@(h)"),
    Module("nn.«ELU|CELU»(«0.5|1.0»)", "@(h)"),
    Module("nn.GELU(approximate=«'none'|'tanh'»)", "@(h)"),
    Module("nn.GLU(«0|1|-1»)", "@(fit(h, 4, 6))"),
    Module("nn.«Hardshrink|Softshrink»(«0.1|0.5»)", "@(h)"),
    Module(
        "nn.LeakyReLU(«0.01|0.2», inplace=«True|False»)",
        "@(h * 1.0)",
    ),
    Module("nn.Softplus(beta=«1|2», threshold=«20|1»)", "@(h)"),
    Module("nn.PReLU(«1|3»)", "@(fit(h, 2, 3, 4))"),
    Module("nn.RReLU(«0.1|0.2», 0.3)", "@(h)"),
    Module(
        "nn.«Softmax|Softmin|LogSoftmax»(dim=«0|1|-1»)",
        "@(fit(h, 3, 4))",
    ),
    Module("nn.Softmax2d()", "@(fit(h, 2, 3, 2, 2))"),
    Module(
        "nn.Dropout(«0.2|0.5|0.0», inplace=«True|False»)",
        "@(h * 1.0)",
    ),
    Module(
        "nn.«Dropout1d|AlphaDropout|FeatureAlphaDropout»(«0.2|0.5»)",
        "@(fit(h, 2, 3, 4))",
    ),
    Module("nn.Dropout2d(«0.2|0.5»)", "@(fit(h, 2, 3, 2, 2))"),
    Module("nn.Dropout3d(0.4)", "@(fit(h, 2, 3, 2, 1, 2))"),
    Module(
        "nn.BatchNorm1d(6, eps=«1e-5|1e-3», momentum=«0.1|0.3|None», affine=«True|False», track_running_stats=«True|True|False»)",
        "@(fit(h, «4, 6|3, 6, 2|2, 6, 1»))",
    ),
    Module(
        "nn.BatchNorm2d(3, momentum=«0.1|None», affine=«True|False»)",
        "@(fit(h, «2, 3, 4, 2|3, 3, 2, 2»))",
    ),
    Module(
        "nn.BatchNorm3d(2, affine=«True|False»)",
        "@(fit(h, 2, 2, 2, 3, 2))",
    ),
    Module(
        "nn.InstanceNorm1d(3, affine=«True|False», track_running_stats=«True|False»)",
        "@(fit(h, 2, 3, 4))",
    ),
    Module(
        "nn.InstanceNorm2d(3, affine=«True|False», track_running_stats=«True|False», momentum=«0.1|0.4»)",
        "@(fit(h, 2, 3, 3, 2))",
    ),
    Module("nn.InstanceNorm3d(2)", "@(fit(h, 1, 2, 2, 2, 2))"),
    Module(
        "nn.LayerNorm(«6|(6,)|[4, 6]», eps=«1e-5|1e-2», elementwise_affine=«True|False»)",
        "@(fit(h, 2, 4, 6))",
    ),
    Module("nn.LayerNorm(6, bias=«True|False»)", "@(fit(h, 4, 6))"),
    Module(
        "nn.RMSNorm(«6|[4, 6]», eps=«None|1e-5», elementwise_affine=«True|False»)",
        "@(fit(h, 2, 4, 6))",
    ),
    Module(
        "nn.GroupNorm(«1|2|4», 4, affine=«True|False»)",
        "@(fit(h, «2, 4, 3|2, 4, 2, 2»))",
    ),
    Module(
        "nn.LocalResponseNorm(«2|3», alpha=«1e-4|0.1»)",
        "@(fit(h, 2, 4, 3))",
    ),
    Module(
        "nn.Conv1d(4, «4|6», «1|3», stride=«1|2», padding=«0|1», dilation=«1|2», groups=«1|2», bias=«True|False»)",
        "@(fit(h, 2, 4, 7))",
    ),
    Module(
        "nn.Conv1d(2, 3, 3, padding=«'same'|'valid'|2», padding_mode=«'zeros'|'circular'|'reflect'|'replicate'»)",
        "@(fit(h, «2, 2, 6|2, 6»))",
    ),
    Module(
        "nn.Conv2d(4, «4|2», «2|3|(1, 3)», stride=«1|2|(2, 1)», padding=«0|1|(0, 1)», groups=«1|2», bias=«True|False»)",
        "@(fit(h, 2, 4, 5, 4))",
    ),
    Module(
        "nn.Conv2d(3, 2, 3, padding=1, dilation=1, padding_mode=«'zeros'|'circular'|'reflect'|'replicate'»)",
        "@(fit(h, 2, 3, 4, 4))",
    ),
    Module(
        "nn.Conv3d(2, 2, «2|(1, 2, 2)», stride=«1|2», padding=«0|1», groups=«1|2»)",
        "@(fit(h, 1, 2, 3, 3, 3))",
    ),
    Module(
        "nn.ConvTranspose1d(4, «2|4», «2|3», stride=«1|2», padding=«0|1», groups=«1|2», bias=«True|False»)",
        "@(fit(h, 2, 4, 5))",
    ),
    Module(
        "nn.ConvTranspose2d(2, 2, «2|3», stride=2, padding=«0|1», output_padding=«0|1», dilation=«1|2»)",
        "@(fit(h, 2, 2, 3, 3))",
    ),
    Module(
        "nn.ConvTranspose3d(1, 2, 2, stride=«1|2»)",
        "@(fit(h, 1, 1, 2, 3, 2))",
    ),
    Module(
        "nn.MaxPool1d(«2|3», stride=«None|1|2», padding=«0|1», dilation=«1|2», ceil_mode=«True|False»)",
        "@(fit(h, 2, 2, 7))",
    ),
    Module(
        "nn.MaxPool2d(«2|3|(2, 1)», stride=«None|1|2», padding=«0|0|1», ceil_mode=«True|False»)",
        "@(fit(h, «2, 2, 5, 6|2, 5, 5»))",
    ),
    Module(
        "nn.MaxPool2d(2, return_indices=True)",
        "sum(q * 0.1 for q in @(fit(h, 1, 2, 4, 4)))",
    ),
    Module("nn.MaxPool3d(2, stride=«1|2»)", "@(fit(h, 1, 2, 3, 4, 3))"),
    Module(
        "nn.AvgPool1d(«2|3», stride=«None|1», padding=«0|1», ceil_mode=«True|False», count_include_pad=«True|False»)",
        "@(fit(h, 2, 2, 7))",
    ),
    Module(
        "nn.AvgPool2d(«2|3», stride=«None|1|2», padding=«0|1», ceil_mode=«True|False», count_include_pad=«True|False», divisor_override=«None|3»)",
        "@(fit(h, 2, 2, 5, 6))",
    ),
    Module("nn.AvgPool3d(2, stride=«1|2»)", "@(fit(h, 1, 2, 3, 4, 3))"),
    Module("nn.Adaptive«Avg|Max»Pool1d(«1|3|5»)", "@(fit(h, 2, 2, 7))"),
    Module(
        "nn.Adaptive«Avg|Max»Pool2d(«1|(2, 3)|(None, 2)|3»)",
        "@(fit(h, 2, 2, 5, 7))",
    ),
    Module(
        "nn.Adaptive«Avg|Max»Pool3d(«1|2»)",
        "@(fit(h, 1, 2, 3, 4, 3))",
    ),
    Module(
        "nn.LPPool1d(2, «2|3», stride=«None|1», ceil_mode=«True|False»)",
        "@(fit(h, 2, 2, 7).abs() + 0.1)",
    ),
    Module(
        "nn.LPPool2d(«1|2», 2, stride=«None|1»)",
        "@(fit(h, 2, 2, 4, 5).abs() + 0.1)",
    ),
    Module(
        "nn.ConstantPad1d(«1|(1, 2)|(-1, 1)», 0.5)",
        "@(fit(h, 2, 2, 5))",
    ),
    Module(
        "nn.«ConstantPad2d|ConstantPad2d»(«1|(1, 0, 2, 1)», 0.3)",
        "@(fit(h, 2, 2, 3, 3))",
    ),
    Module(
        "nn.«ReflectionPad1d|ReplicationPad1d|ZeroPad1d|CircularPad1d»(«1|(2, 1)»)",
        "@(fit(h, 2, 2, 5))",
    ),
    Module(
        "nn.«ReflectionPad2d|ReplicationPad2d|ZeroPad2d|CircularPad2d»(«1|(1, 0, 2, 1)»)",
        "@(fit(h, 2, 2, 4, 4))",
    ),
    Module(
        "nn.«ReflectionPad3d|ReplicationPad3d|ZeroPad3d»(1)",
        "@(fit(h, 1, 1, 2, 3, 2))",
    ),
    Module(
        "nn.Upsample(scale_factor=«2|1.5», mode='nearest')",
        "@(fit(h, 2, 2, 3, 4))",
    ),
    Module(
        "nn.Upsample(size=«(4, 5)|(2, 2)», mode=«'bilinear'|'bicubic'», align_corners=«True|False»)",
        "@(fit(h, 1, 2, 3, 4))",
    ),
    Module(
        "nn.Upsample(scale_factor=2, mode='linear', align_corners=«True|False»)",
        "@(fit(h, 2, 2, 4))",
    ),
    Module(
        "nn.UpsamplingNearest2d(scale_factor=2)",
        "@(fit(h, 1, 2, 3, 2))",
    ),
    Module(
        "nn.UpsamplingBilinear2d(size=(4, 5))",
        "@(fit(h, 1, 2, 3, 2))",
    ),
    Module(
        "nn.«PixelShuffle|PixelUnshuffle»(2)",
        "@(fit(h, 1, 4, 4, 2))",
    ),
    Module("nn.ChannelShuffle(2)", "@(fit(h, 1, 4, 2, 2))"),
    Module(
        "nn.Unfold(«2|(2, 3)», padding=«0|1», stride=«1|2», dilation=1)",
        "@(fit(h, 1, 2, 4, 4))",
    ),
    Module("nn.Fold((4, 5), 2, stride=«1|1»)", "@(fit(h, 1, 8, 12))"),
    Module("nn.Flatten(«1|0», «-1|2»)", "@(fit(h, 2, 3, 2, 2))"),
    Module("nn.Unflatten(1, («2, 3|3, 2|-1, 2»))", "@(fit(h, 2, 6))"),
    Module(
        "nn.Embedding(7, 4, padding_idx=«None|2|-1»)",
        "@(ids(h, 7, 3, 5))",
    ),
    Module(
        "nn.EmbeddingBag(7, 4, mode=«'sum'|'mean'|'max'»)",
        "@(ids(h, 7, 3, 5))",
    ),
    Module(
        "nn.RNN(4, 3, «1|2», nonlinearity=«'tanh'|'relu'», bias=«True|False», batch_first=«True|False», bidirectional=«True|False»)",
        "@(fit(h, «3, 2, 4|3, 4»))[0]",
    ),
    Module(
        "nn.GRU(4, 3, «1|2», batch_first=«True|False», bidirectional=«True|False», dropout=«0.0|0.0|0.2»)",
        "@(fit(h, 3, 2, 4))[0]",
    ),
    Module(
        "nn.LSTM(4, 3, «1|2», bias=«True|False», batch_first=«True|False», bidirectional=«True|False», proj_size=«0|0|2»)",
        "@(fit(h, 3, 2, 4))[«0|1»]",
    ),
    Module(
        "nn.«RNNCell|GRUCell»(4, 3, bias=«True|False»)",
        "@(fit(h, 2, 4), fit(h, 2, 3))",
    ),
    Module(
        "nn.LSTMCell(4, 3)",
        "@(fit(h, 2, 4), (fit(h, 2, 3), fit(-h, 2, 3)))[«0|1»]",
    ),
    Module(
        "nn.CosineSimilarity(dim=«0|1»)",
        "@(fit(h, 4, 3), fit(h + 0.5, 4, 3))",
    ),
    Module(
        "nn.PairwiseDistance(p=«1|2.0», keepdim=«True|False»)",
        "@(fit(h, 4, 3), fit(h * 0.5, 4, 3))",
    ),
    Module(
        "nn.«L1Loss|MSELoss|SmoothL1Loss|HuberLoss|SoftMarginLoss»(reduction=«'mean'|'sum'|'none'»)",
        "@(fit(h, 4, 3), fit(h.detach() * 2, 4, 3).sign())",
    ),
    Module(
        "nn.«SmoothL1Loss(beta|HuberLoss(delta»=«0.2|2.0»)",
        "@(fit(h, 4, 3), fit(h * 0.3, 4, 3))",
    ),
    Module(
        "nn.CrossEntropyLoss(weight=«None|torch.tensor([0.5, 1.0, 2.0])», ignore_index=«-100|1», reduction=«'mean'|'sum'|'none'», label_smoothing=«0.0|0.2»)",
        "@(fit(h, «4, 3|4, 3»), torch.tensor([0, 2, 1, 2]))",
    ),
    Module(
        "nn.CrossEntropyLoss(label_smoothing=«0.0|0.1»)",
        "@(fit(h, 4, 3), torch.softmax(fit(h * 2, 4, 3), -1))",
    ),
    Module(
        "nn.NLLLoss(weight=«None|torch.tensor([0.5, 1.0, 2.0])», ignore_index=«-100|2», reduction=«'mean'|'sum'|'none'»)",
        "@(torch.log_softmax(fit(h, 4, 3), 1), torch.tensor([0, 2, 1, 2]))",
    ),
    Module(
        "nn.BCELoss(reduction=«'mean'|'sum'|'none'»)",
        "@(torch.sigmoid(fit(h, 4, 3)), (fit(h, 4, 3) > 0).float())",
    ),
    Module(
        "nn.BCEWithLogitsLoss(pos_weight=«None|torch.tensor([2.0, 1.0, 0.5])», reduction=«'mean'|'sum'|'none'»)",
        "@(fit(h, 4, 3), (fit(h, 4, 3) > 0.1).float())",
    ),
    Module(
        "nn.KLDivLoss(reduction=«'batchmean'|'sum'|'none'», log_target=«True|False»)",
        "@(torch.log_softmax(fit(h, 4, 3), 1), torch.softmax(fit(-h, 4, 3), 1).detach())",
    ),
    Module(
        "nn.HingeEmbeddingLoss(margin=«1.0|0.3»)",
        "@(fit(h, 6), torch.tensor([1, -1, 1, 1, -1, -1]))",
    ),
    Module(
        "nn.MarginRankingLoss(margin=«0.0|0.5», reduction=«'mean'|'sum'|'none'»)",
        "@(fit(h, 4), fit(h * 0.5 + 0.1, 4), torch.tensor([1, -1, 1, -1]))",
    ),
    Module(
        "nn.CosineEmbeddingLoss(margin=«0.0|0.3»)",
        "@(fit(h, 4, 3), fit(h + 0.5, 4, 3), torch.tensor([1, -1, 1, -1]))",
    ),
    Module(
        "nn.TripletMarginLoss(margin=«1.0|0.2», p=«2|1», swap=«True|False», reduction=«'mean'|'sum'|'none'»)",
        "@(fit(h, 4, 3), fit(h * 0.5, 4, 3), fit(-h, 4, 3))",
    ),
    Module(
        "nn.TripletMarginWithDistanceLoss(distance_function=«None|lambda a, b: (a - b).abs().sum(-1)», margin=«1.0|0.2»)",
        "@(fit(h, 4, 3), fit(h * 0.5, 4, 3), fit(-h, 4, 3))",
    ),
    Module(
        "nn.GaussianNLLLoss(full=«True|False», reduction=«'mean'|'sum'|'none'»)",
        "@(fit(h, 4, 3), fit(h * 0.3, 4, 3), fit(h, 4, 3).abs() + 0.2)",
    ),
    Module(
        "nn.PoissonNLLLoss(log_input=«True|True|False», full=«True|False», reduction=«'mean'|'sum'|'none'»)",
        "@(fit(h, 4, 3).abs(), fit(h * 3, 4, 3).abs().detach())",
    ),
    Module(
        "nn.MultiLabelMarginLoss()",
        "@(fit(h, 2, 4), torch.tensor([[3, 0, -1, 1], [1, -1, 0, 2]]))",
    ),
    Module(
        "nn.MultiLabelSoftMarginLoss(reduction=«'mean'|'sum'|'none'»)",
        "@(fit(h, 4, 3), (fit(h, 4, 3) > 0).float())",
    ),
    Module(
        "nn.MultiMarginLoss(p=«1|2», margin=«1.0|0.5»)",
        "@(fit(h, 4, 3), torch.tensor([0, 2, 1, 2]))",
    ),
    Module(
        "nn.CTCLoss(blank=«0|2», zero_infinity=«True|False»)",
        "@(torch.log_softmax(fit(h, 5, 2, 4), 2), torch.tensor([[1, 3], [3, 1]]), torch.tensor([5, 4]), torch.tensor([2, 1]))",
    ),
    Module(
        "nn.MultiheadAttention(4, «1|2», batch_first=«True|False», bias=«True|False»)",
        "@(fit(h, 2, 3, 4), fit(h, 2, 3, 4), fit(h, 2, 3, 4))[0]",
    ),
    Module(
        "nn.TransformerEncoderLayer(4, 2, 8, dropout=«0.0|0.1», batch_first=«True|False»)",
        "@(fit(h, 2, 3, 4))",
    ),
    Module(
        "nn.Sequential(nn.Linear(4, 5), nn.«ReLU|Tanh»(), nn.Dropout(0.2), nn.Linear(5, 4))",
        "@(fit(h, 3, 4))",
    ),
    Module(
        "nn.ModuleList([nn.Linear(4, 4), nn.Tanh(), nn.Linear(4, 4, bias=False)])",
        "sum(q(fit(h, 3, 4)) for q in @)",
    ),
    Module(
        "nn.ModuleDict({'a': nn.Linear(4, 4), 'b': nn.LayerNorm(4)})",
        "@[['a', 'b'][i % 2]](fit(h, 3, 4))",
    ),
    Module(
        "nn.ParameterList([nn.Parameter(torch.randn(4)) for _ in range(2)])",
        "sum(p * fit(h, 3, 4) for p in @)",
    ),
    Module(
        "nn.ParameterDict({'w': nn.Parameter(torch.randn(4))})",
        "@['w'] * fit(h, 3, 4)",
    ),
    Module(
        "nn.utils.parametrizations.weight_norm(nn.Linear(4, 3))",
        "@(fit(h, 3, 4))",
    ),
    Module("nn.LazyLinear(«3|5»)", "@(fit(h, 3, 4))"),
    Module("nn.LazyConv2d(2, 3, padding=1)", "@(fit(h, 1, 3, 4, 4))"),
];

/// The program of a seed.
pub fn program(seed: u64) -> String {
    let mut draft = Draft::of(seed);
    draft.text.push(PROLOGUE);
    draft.text.line("class Net(nn.Module):");
    draft.text.indent = 1;
    draft.text.line("def __init__(self):");
    draft.text.indent = 2;
    draft.text.line("super().__init__()");
    let mut calls = Vec::new();
    for n in 0..1 + draft.random.below(3) {
        let at = draft.random.below(MODULES.len() as u64);
        let Some(Module(constructor, call)) = usize::try_from(at).ok().and_then(|i| MODULES.get(i))
        else {
            continue;
        };
        let constructor = draft.random.filled(constructor);
        draft.text.line(&format!("self.m{n} = {constructor}"));
        let call = draft.random.filled(call);
        calls.push(call.replace('@', &format!("self.m{n}")));
    }
    draft.text.line("self.f = nn.Linear(6, 6)");
    draft.text.push("\n");
    draft.text.indent = 1;
    draft.text.line("def forward(self, x, i):");
    draft.text.indent = 2;
    draft.text.line("h = self.f(x)");
    for call in &calls {
        match draft.random.below(5) {
            0 => {
                let condition = draft.random.pick(&[
                    "i % 3 != 1",
                    "self.training",
                    "h.sum() > 0",
                    "not self.training or i % 2",
                ]);
                draft
                    .text
                    .lines(&format!("if {condition}:"), &[format!("h = {call}")]);
            }
            1 => draft
                .text
                .lines("for _ in range(1 + i % 2):", &[format!("h = {call}")]),
            2 => draft.text.line(&format!("h = fit(h, 6) + fit({call}, 6)")),
            _ => draft.text.line(&format!("h = {call}")),
        }
    }
    draft.text.line("return h");
    draft.text.indent = 0;
    draft.text.push("\n\n");
    draft.text.line("net = Net()");
    let mode = draft
        .random
        .pick(&["i % 4 != 3", "i < 14", "i % 2 == 0", "True", "i >= 10"]);
    let loss = draft.random.pick(&[
        "h.pow(2).mean()",
        "h.tanh().sum()",
        "(h - 0.3).abs().mean()",
        "fit(h, 5).logsumexp(0)",
    ]);
    let rate = draft.random.pick(&["0.05", "0.01", "0.1"]);
    draft.text.push(
        &EPILOGUE
            .replace("MODE", mode)
            .replace("LOSS", loss)
            .replace("RATE", rate),
    );
    draft.text.finish()
}

const PROLOGUE: &str = "\
import math
import warnings
import torch
from torch import nn

warnings.simplefilter('ignore')
torch.manual_seed(1)


def fit(h, *shape):
    h = (h[0] if isinstance(h, tuple) else h).reshape(-1)
    n = math.prod(shape)
    if h.numel() < n:
        h = h.repeat(n // h.numel() + 1)
    return (h[:n] + torch.linspace(-1.0, 1.0, n)).view(shape)


def ids(h, n, *shape):
    return (fit(h, *shape).detach() * 3).round().long() % n


def number(v):
    return float('%.3g' % v) if abs(v) > 1e-4 else 0.0


def text(t):
    if t is None:
        return None
    t = t.detach().double()
    return tuple(t.shape), number(t.sum().item()), number(t.abs().sum().item()), number(t.flatten()[0].item())


";

const EPILOGUE: &str = "\
opt = None
for i in range(20):
    net.train(MODE)
    h = net(torch.randn(2, 6), i)
    if opt is None:
        opt = torch.optim.SGD([p for p in net.parameters() if p.requires_grad], lr=RATE)
    h = h[0] if isinstance(h, tuple) else h
    shown = [text(h)]
    if net.training and h.requires_grad:
        opt.zero_grad()
        loss = LOSS
        loss.backward()
        shown += [number(loss.item()), [text(p.grad) for p in net.parameters()][:4]]
        nn.utils.clip_grad_value_(net.parameters(), 1.0)
        opt.step()
    print(i, net.training, shown)
print(str(net).split('\\n'))
for name, value in net.state_dict().items():
    print(name, value.dtype, text(value))
";
