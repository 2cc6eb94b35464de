//! Makes random programs about optimizers: one of any kind with random options, groups of parameters and a scheduler,
//! that trains a small network, is changed on the way, and may be saved, copied and loaded in mid-run.
//!
//! In: a seed. Out: the text of a program. Always: it ends, prints the same on every run, and shows losses, learning
//! rates, parameters and what the optimizer keeps.

use super::random::{Draft, Random};

const OPTIMIZERS: &[&str] = &[
    "SGD(P, lr=«0.05|0.1», momentum=«0.0|0.9|0.5», weight_decay=«0.0|0.01», maximize=«False|False|True»)",
    "SGD(P, lr=«0.05|0.1», momentum=«0.9|0.5», nesterov=True, weight_decay=«0.0|0.1»)",
    "SGD(P, lr=0.05, momentum=0.9, dampening=«0.0|0.3», foreach=«None|True|False»)",
    "Adam(P, lr=«0.01|0.05», betas=«(0.9, 0.999)|(0.5, 0.9)|(0.0, 0.99)», eps=«1e-8|1e-3», weight_decay=«0.0|0.05», amsgrad=«True|False», maximize=«False|False|True»)",
    "Adam(P, lr=0.02, fused=«None|False», foreach=«None|False|True», decoupled_weight_decay=«True|False», weight_decay=0.1)",
    "AdamW(P, lr=«0.01|0.05», betas=«(0.9, 0.999)|(0.5, 0.9)», weight_decay=«0.0|0.05|0.3», amsgrad=«True|False», maximize=«False|False|True»)",
    "NAdam(P, lr=0.02, betas=«(0.9, 0.999)|(0.5, 0.9)», weight_decay=«0.0|0.05», momentum_decay=«0.004|0.1», decoupled_weight_decay=«True|False», maximize=«False|True»)",
    "RAdam(P, lr=0.02, betas=«(0.9, 0.999)|(0.5, 0.9)», weight_decay=«0.0|0.05», decoupled_weight_decay=«True|False», maximize=«False|True»)",
    "Adamax(P, lr=0.02, betas=«(0.9, 0.999)|(0.5, 0.9)», weight_decay=«0.0|0.05», maximize=«False|True»)",
    "RMSprop(P, lr=0.01, alpha=«0.99|0.5», eps=«1e-8|1e-3», weight_decay=«0.0|0.05», momentum=«0.0|0.9», centered=«True|False», maximize=«False|True»)",
    "Adagrad(P, lr=0.05, lr_decay=«0.0|0.1», weight_decay=«0.0|0.05», initial_accumulator_value=«0.0|0.3», eps=1e-3, maximize=«False|True»)",
    "Adadelta(P, lr=«1.0|0.5», rho=«0.9|0.5», eps=«1e-6|1e-3», weight_decay=«0.0|0.05», maximize=«False|True»)",
    "ASGD(P, lr=0.05, lambd=«1e-4|0.1», alpha=«0.75|0.5», t0=«1e6|5.0», weight_decay=«0.0|0.05», maximize=«False|True»)",
    "Rprop(P, lr=0.01, etas=«(0.5, 1.2)|(0.3, 1.5)», step_sizes=«(1e-6, 50)|(1e-3, 0.05)», maximize=«False|True»)",
];

/// Of one group only.
const OF_ONE_GROUP: &[&str] = &[
    "LBFGS(net.parameters(), lr=«0.1|0.5», max_iter=«2|4», history_size=«3|10», line_search_fn=«None|'strong_wolfe'», tolerance_grad=«1e-7|1e-2»)",
];

const GROUPS: &[&str] = &[
    "net.parameters()",
    "net.parameters()",
    "list(net.parameters())",
    "net.named_parameters()",
    "[{'params': net.a.parameters()}, {'params': net.b.parameters(), 'lr': 0.02}]",
    "[{'params': [net.a.weight], 'weight_decay': 0.1}, {'params': [net.a.bias, *net.b.parameters()]}]",
    "[{'params': net.a.parameters(), 'maximize': True}, {'params': net.b.parameters()}]",
    "[{'params': [p for p in net.parameters() if p.dim() > 1]}, {'params': [p for p in net.parameters() if p.dim() == 1], 'weight_decay': 0.0, 'name': 'rest'}]",
];

const SCHEDULERS: &[&str] = &[
    "StepLR(opt, «3|5», gamma=«0.5|0.9»)",
    "MultiStepLR(opt, [4, 9, 9, 15], gamma=0.6)",
    "ConstantLR(opt, factor=«0.3|0.5», total_iters=«4|9»)",
    "LinearLR(opt, start_factor=«0.2|0.5», end_factor=«1.0|0.7», total_iters=«5|12»)",
    "ExponentialLR(opt, «0.9|0.97»)",
    "CosineAnnealingLR(opt, «6|20», eta_min=«0.0|0.001»)",
    "CosineAnnealingWarmRestarts(opt, «3|5», T_mult=«1|2», eta_min=«0.0|0.002»)",
    "OneCycleLR(opt, max_lr=«0.1|0.05», total_steps=30, pct_start=«0.3|0.5», anneal_strategy=«'cos'|'linear'», three_phase=«True|False», cycle_momentum=False, div_factor=«25.0|4.0»)",
    "CyclicLR(opt, base_lr=0.005, max_lr=0.05, step_size_up=«3|5», step_size_down=«None|2», mode=«'triangular'|'triangular2'|'exp_range'», gamma=0.95, cycle_momentum=False)",
    "PolynomialLR(opt, total_iters=«6|20», power=«1.0|2.0»)",
    "LambdaLR(opt, lambda e: «0.95 ** e|1 / (1 + e * 0.2)»)",
    "MultiplicativeLR(opt, lambda e: 0.9 + (e % 2) * 0.05)",
    "SequentialLR(opt, [LR.LinearLR(opt, 0.2, 1.0, 4), LR.«ExponentialLR(opt, 0.9)|CosineAnnealingLR(opt, 8)|StepLR(opt, 3)»], milestones=[5])",
    "ChainedScheduler([LR.ConstantLR(opt, 0.5, 4), LR.ExponentialLR(opt, 0.9)])",
    "ReduceLROnPlateau(opt, mode=«'min'|'max'», factor=«0.5|0.3», patience=«0|2», threshold=«1e-4|0.05», threshold_mode=«'rel'|'abs'», cooldown=«0|2», min_lr=0.001)",
];

/// What a step may do beside an update.
const EXTRAS: &[&str] = &[
    "nn.utils.clip_grad_norm_(net.parameters(), «0.5|1.0», norm_type=«2.0|1.0|float('inf')»)",
    "nn.utils.clip_grad_value_(net.parameters(), 0.1)",
    "opt.param_groups[0]['lr'] *= 0.97",
    "if i == 9: opt.param_groups[-1]['weight_decay'] = 0.05",
    "net.b.bias.grad = None",
    "if i % 3 == 0: net.a.weight.grad = None",
    "net.a.weight.grad.mul_(0.5)",
    "for p in net.parameters(): p.grad.add_(p.detach(), alpha=0.01)",
    "for g in opt.param_groups: g['lr'] = g['lr'] * 0.99 if loss.item() > 0.2 else g['lr']",
    "if i == 12: opt.state.clear()",
    "if i == 7: net.a.weight.requires_grad_(False)",
    "if i == 8: opt.zero_grad(set_to_none=False)",
    "torch.nn.utils.parameters_to_vector(net.parameters()).sum().item()",
];

/// Ways to go on from what was saved.
const RESUMES: &[&str] = &[
    "net, opt, sched = resumed(saved(net, opt, sched, 'file'))",
    "net, opt, sched = resumed(saved(net, opt, sched, 'bytes'))",
    "net, opt, sched = resumed(saved(net, opt, sched, 'copy'))",
    "net.load_state_dict(kept['net']); opt.load_state_dict(kept['opt']); sched and sched.load_state_dict(kept['sched'])",
    "opt.load_state_dict(opt.state_dict())",
    "opt.load_state_dict(copy.deepcopy(opt.state_dict()))",
    "net.load_state_dict({k: v * 0.9 for k, v in net.state_dict().items()})",
    "print(net.load_state_dict({'a.bias': torch.zeros(5), 'no': torch.ones(1)}, strict=False))",
    "net, opt, sched = resumed(saved(net, opt, None, 'bytes'))",
    "net = copy.deepcopy(net); opt, sched = made(net)",
    "net.load_state_dict(net.state_dict(), assign=True)",
    "other = Net(); other.load_state_dict(net.state_dict()); kept['other'] = other(x).sum().item()",
    "whole = through(net); print(text(whole(x)), type(whole).__name__)",
    "both = through([net.state_dict(), {'i': i, 'loss': loss.detach()}]); print(both[1]['i'], text(both[1]['loss']), list(both[0]))",
    "shared = through({'p': net.a.weight, 'q': net.a.weight, 'v': net.a.weight[0]}); shared['p'].data.fill_(1.0); print(shared['q'].sum().item(), shared['v'].sum().item(), shared['p'] is shared['q'])",
    "torch.set_rng_state(through({'rng': torch.get_rng_state()})['rng'])",
    "torch.save(kept, buffer := io.BytesIO()); buffer.seek(0); kept = torch.load(buffer, weights_only=«True|False»)",
];

fn optimizer(random: &mut Random) -> String {
    if random.one_in(15) {
        return random.pick_filled(OF_ONE_GROUP);
    }
    let groups = random.pick(GROUPS);
    random
        .pick_filled(OPTIMIZERS)
        .replacen("(P,", &format!("({groups},"), 1)
}

/// The program of a seed.
fn program(seed: u64, saves: bool) -> String {
    let mut draft = Draft::of(seed);
    let random = &mut draft.random;
    let opt = optimizer(random);
    let closure = opt.starts_with("LBFGS");
    let sched = if random.one_in(3) {
        "None".to_owned()
    } else {
        format!("LR.{}", random.pick_filled(SCHEDULERS))
    };
    let plateau = sched.contains("Plateau");
    // Rounding decides over steps of these.
    let sensitive = closure || opt.starts_with("Rprop");
    if sensitive || random.one_in(3) {
        draft.text.push(DOUBLE);
    }
    draft.text.push(PROLOGUE);
    draft.text.line("def made(net):");
    draft.text.line(&format!("    opt = torch.optim.{opt}"));
    draft.text.line(&format!("    return opt, {sched}"));
    draft.text.push(HELPERS);

    draft.text.line("def step(x, y, i):");
    draft.text.indent = 1;
    draft.text.line("global net, opt, sched, kept");
    if closure || draft.random.one_in(5) {
        draft.text.lines(
            "def closure():",
            &[
                "opt.zero_grad()".to_owned(),
                "loss = ((net(x) - y) ** 2).mean()".to_owned(),
                "loss.backward()".to_owned(),
                "return loss".to_owned(),
            ],
        );
        draft.text.line("loss = opt.step(closure)");
    } else {
        let zero = draft.random.pick(&[
            "opt.zero_grad()",
            "net.zero_grad()",
            "opt.zero_grad(set_to_none=False)",
            "if i % 2: opt.zero_grad()",
        ]);
        draft.text.line(zero);
        let loss = draft.random.pick(&[
            "loss = ((net(x) - y) ** 2).mean()",
            "loss = nn.functional.smooth_l1_loss(net(x), y)",
            "loss = (net(x) - y).abs().mean() + net.a.weight.pow(2).sum() * 0.01",
            "loss = ((net(x) - y) ** 2).mean() if i % 4 else (net.b(x[:, :5] if x.shape[1] > 4 else x.repeat(1, 2)[:, :5]) ** 2).mean()",
        ]);
        draft.text.line(loss);
        draft.text.line("loss.backward()");
        if draft.random.one_in(2) {
            let extra = draft.random.pick_filled(EXTRAS);
            let guarded = if extra.contains("grad.") {
                "if all(p.grad is not None for p in net.parameters()):"
            } else {
                "if True:"
            };
            draft.text.lines(guarded, &[extra]);
        }
        if draft.random.one_in(4) {
            draft.text.line("if i % 2 or loss.item() > 0.3: opt.step()");
        } else {
            draft.text.line("opt.step()");
        }
    }
    if sched != "None" {
        draft.text.line(match (plateau, draft.random.one_in(4)) {
            (true, _) => "if sched: sched.step(round(loss.item(), 2))",
            (false, true) => "if sched and i % 2: sched.step()",
            (false, false) => "if sched: sched.step()",
        });
    }
    if saves {
        for _ in 0..1 + draft.random.below(3) {
            let when = draft.random.pick_filled(&[
                "i == «3|6|11|17»",
                "i % 8 == «2|5»",
                "i > 20 and loss.item() > 0.2",
            ]);
            let line = draft.random.pick_filled(RESUMES);
            draft.text.lines(&format!("if {when}:"), &[line]);
        }
        draft
            .text
            .line("if i % 5 == 0: kept = copy.deepcopy(state(net, opt, sched))");
    }
    draft.text.line("return loss");
    draft.text.push(EPILOGUE);
    draft.text.finish()
}

/// The program of a seed about optimizers.
pub fn about_optimizers(seed: u64) -> String {
    program(seed, false)
}

/// The program of a seed about saving and loading.
pub fn about_checkpoints(seed: u64) -> String {
    program(seed, true)
}

const DOUBLE: &str = "\
import torch
torch.set_default_dtype(torch.float64)
";

const PROLOGUE: &str = "\
import copy, io, os, tempfile, warnings
import torch
from torch import nn
from torch.optim import lr_scheduler as LR

warnings.simplefilter('ignore')
torch.manual_seed(1)


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.a = nn.Linear(4, 5)
        self.b = nn.Linear(5, 2)
        self.register_buffer('seen', torch.zeros(1))

    def forward(self, x):
        if self.training:
            self.seen += 1
        return self.b(torch.tanh(self.a(x)))


";

const HELPERS: &str = "

def state(net, opt, sched):
    return {'net': net.state_dict(), 'opt': opt.state_dict(), 'sched': sched and sched.state_dict()}


def through(value, how='bytes'):
    if how == 'copy':
        return copy.deepcopy(value)
    if how == 'bytes':
        buffer = io.BytesIO()
        torch.save(value, buffer)
        buffer.seek(0)
        return torch.load(buffer, weights_only=False)
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, 'state.pt')
        torch.save(value, path)
        return torch.load(path, weights_only=False)


def saved(net, opt, sched, how):
    return through(state(net, opt, sched), how)


def resumed(kept):
    net = Net()
    opt, sched = made(net)
    net.load_state_dict(kept['net'])
    opt.load_state_dict(kept['opt'])
    if kept['sched']:
        sched.load_state_dict(kept['sched'])
    return net, opt, sched


def number(v):
    return float('%.3g' % v) if abs(v) > 1e-4 else 0.0


def text(t):
    t = t.detach().double()
    return tuple(t.shape), number(t.sum().item()), number(t.abs().sum().item())


net = Net()
opt, sched = made(net)
kept = copy.deepcopy(state(net, opt, sched))


";

const EPILOGUE: &str = "

for i in range(26):
    x, y = torch.randn(3, 4), torch.randn(3, 2)
    try:
        loss = step(x, y, i)
        print(i, number(loss.item()), [number(g['lr']) for g in opt.param_groups], [text(p) for p in net.parameters()][:2])
    except (RuntimeError, ValueError, KeyError, TypeError) as e:
        print(i, type(e).__name__, str(e)[:60])
    if i % 9 == 8:
        print('  kept', len(opt.state), [sorted(s) for s in opt.state_dict()['state'].values()][:1])
        for group in opt.state_dict()['param_groups']:
            print('  ', {k: v for k, v in group.items() if not isinstance(v, float)})
        for s in opt.state.values():
            print('  ', [(k, text(v)) for k, v in s.items() if isinstance(v, torch.Tensor)])
for p in net.parameters():
    print(text(p), p.requires_grad)
print(net.seen.item(), getattr(sched, 'last_epoch', None), sched and [number(v) for v in sched.get_last_lr()])
";
