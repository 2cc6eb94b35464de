//! Makes random programs about hooks: of modules, tensors, parameters, optimizers and state dicts, that look, change,
//! count, and in some iterations raise; what is left after an exception is shown.
//!
//! In: a seed. Out: the text of a program. Always: it ends, and prints the same on every run.

use super::random::Draft;

/// Hooks: how each is put on, with `F` for its function, and what that function takes.
struct Hook {
    on: &'static [&'static str],
    takes: &'static str,
    does: &'static [&'static str],
}

const HOOKS: &[Hook] = &[
    Hook {
        on: &[
            "«net|net.a|net.b|net.act».register_forward_hook(F)",
            "«net|net.a».register_forward_hook(F, prepend=True)",
            "net.b.register_forward_hook(F, always_call=True)",
        ],
        takes: "mod, args, out",
        does: &[
            "return out * «0.5|1.1»",
            "log.append(round(out.sum().item(), 3))",
            "mod.seen = out.detach()",
            "return out + args[0].mean() * 0.1",
            "if out.requires_grad: out.register_hook(lambda g: g * 0.5)",
            "if now[0] % 3 == 1: return out.relu()",
            "return out.detach() if now[0] % 5 == 4 else None",
            "count[0] += int(out.sum() > 0)",
        ],
    },
    Hook {
        on: &["«net|net.a|net.b».register_forward_hook(F, with_kwargs=True)"],
        takes: "mod, args, kwargs, out",
        does: &[
            "return out * (1 + 0.1 * len(kwargs))",
            "log.append((len(args), sorted(kwargs)))",
        ],
    },
    Hook {
        on: &["«net|net.a|net.b|net.act».register_forward_pre_hook(F)"],
        takes: "mod, args",
        does: &[
            "return (args[0] * «0.9|0.5»,)",
            "return args[0] + 0.1",
            "count[0] += args[0].shape[0]",
            "mod.weight.data.clamp_(-0.5, 0.5) if hasattr(mod, 'weight') else None",
            "log.append(type(mod).__name__)",
        ],
    },
    Hook {
        on: &["net.register_forward_pre_hook(F, with_kwargs=True)"],
        takes: "mod, args, kwargs",
        does: &[
            "return args, dict(kwargs, scale=0.5)",
            "log.append(sorted(kwargs))",
        ],
    },
    Hook {
        on: &["«net.a|net.b|net|net.act».register_full_backward_hook(F)"],
        takes: "mod, gi, go",
        does: &[
            "log.append([g is None for g in gi])",
            "log.append(round(go[0].sum().item(), 3))",
            "return tuple(None if g is None else g * 0.5 for g in gi)",
            "count[0] += 1",
        ],
    },
    Hook {
        on: &["«net.a|net.b|net».register_full_backward_pre_hook(F)"],
        takes: "mod, go",
        does: &[
            "return (go[0] * 0.5,)",
            "log.append(tuple(go[0].shape))",
            "count[0] += 1",
        ],
    },
    Hook {
        on: &["«net.a.weight|net.b.bias|net.w».register_hook(F)"],
        takes: "g",
        does: &[
            "return g * «0.5|2.0»",
            "return g.clamp(-0.1, 0.1)",
            "log.append(round(g.sum().item(), 3))",
            "count[0] += g.numel()",
            "return g + net.w.detach().mean()",
            "return torch.zeros_like(g) if now[0] % 4 == 2 else g",
        ],
    },
    Hook {
        on: &["«net.a.weight|net.w».register_post_accumulate_grad_hook(F)"],
        takes: "p",
        does: &[
            "log.append(round(p.grad.sum().item(), 3))",
            "p.grad.mul_(0.5)",
            "p.grad = None",
            "count[0] += 1",
        ],
    },
    Hook {
        on: &[
            "opt.register_step_pre_hook(F)",
            "opt.register_step_post_hook(F)",
        ],
        takes: "o, args, kwargs",
        does: &[
            "count[0] += len(o.param_groups)",
            "log.append('step')",
            "net.w.data.mul_(0.99)",
            "o.param_groups[0]['lr'] *= 0.99",
        ],
    },
    Hook {
        on: &["net.register_state_dict_post_hook(F)"],
        takes: "mod, state, prefix, meta",
        does: &["state['extra'] = torch.ones(1)", "log.append(len(state))"],
    },
];

/// What raises; of every few calls one.
const RAISES: &[&str] = &[
    "raise ValueError('hook %d' % now[0])",
    "raise RuntimeError('stop')",
    "raise KeyError(now[0])",
    "raise Stop(now[0])",
    "assert False, 'hook'",
    "raise StopIteration(now[0])",
    "1 / 0",
    "return undefined_name",
];

const WHEN: &[&str] = &[
    "now[0] % 5 == 3",
    "now[0] % 7 == 6",
    "now[0] in (4, 11, 12)",
    "now[0] > 9 and now[0] % 4 == 0",
    "len(log) % 6 == 5",
    "net.w.sum() > 0.5 and now[0] % 2",
];

/// Hooks of a tensor inside of the forward pass.
const INNER: &[&str] = &[
    "h.register_hook(lambda g: g * 0.5) if h.requires_grad else None",
    "h.register_hook(guarded) if h.requires_grad else None",
    "h.retain_grad() if h.requires_grad else None",
    "h.register_hook(lambda g: log.append(round(g.norm().item(), 3))) if h.requires_grad else None",
    "h.register_hook(raising) if h.requires_grad and now[0] % 6 == 4 else None",
    "self.kept = h",
    "if now[0] % 8 == 7: raise Stop('forward')",
    "h = Guard.apply(h)",
];

/// The program of a seed.
pub fn program(seed: u64) -> String {
    let mut draft = Draft::of(seed);
    draft.text.push(PROLOGUE);
    draft.text.line("class Net(nn.Module):");
    draft.text.indent = 1;
    draft.text.line("def __init__(self):");
    draft.text.lines("    super().__init__()", &[]);
    draft.text.indent = 2;
    draft
        .text
        .line("self.a, self.b, self.act = nn.Linear(4, 5), nn.Linear(5, 3), nn.Tanh()");
    draft
        .text
        .line("self.w = nn.Parameter(torch.ones(5) * 0.5)");
    draft.text.push("\n");
    draft.text.indent = 1;
    draft.text.line("def forward(self, x, scale=1.0):");
    draft.text.indent = 2;
    draft.text.line("h = self.act(self.a(x) * scale)");
    for _ in 0..draft.random.below(3) {
        let line = draft.random.pick(INNER);
        draft.text.line(line);
    }
    draft.text.line("return self.b(h * self.w)");
    draft.text.indent = 0;
    draft.text.push("\n\n");
    draft.text.line("net = Net()");
    let opt = draft.random.pick(&[
        "SGD(net.parameters(), lr=0.05)",
        "Adam(net.parameters(), lr=0.01)",
        "SGD(net.parameters(), lr=0.05, momentum=0.9)",
    ]);
    draft.text.line(&format!("opt = torch.optim.{opt}"));
    draft.text.line("handles = []");
    for n in 0..1 + draft.random.below(4) {
        let at = draft.random.below(HOOKS.len() as u64);
        let Some(hook) = usize::try_from(at).ok().and_then(|i| HOOKS.get(i)) else {
            continue;
        };
        let mut body = Vec::new();
        if draft.random.one_in(2) {
            let (when, raised) = (draft.random.pick(WHEN), draft.random.pick(RAISES));
            body.push(format!("if {when}: {raised}"));
        }
        body.push(draft.random.pick_filled(hook.does));
        draft.text.push("\n\n");
        draft
            .text
            .lines(&format!("def hook{n}({}):", hook.takes), &body);
        draft.text.push("\n\n");
        let on = draft
            .random
            .pick_filled(hook.on)
            .replace("(F", &format!("(hook{n}"));
        draft.text.line(&format!("handles.append({on})"));
    }
    draft.text.push("\n\n");
    draft.text.line("def step(x, i):");
    draft.text.indent = 1;
    draft.text.line("now[0] = i");
    let moved = draft.random.pick(&[
        "pass",
        "if i == 14: handles.pop().remove()",
        "if i == 10: [h.remove() for h in handles]",
        "with torch.no_grad(): log.append(round(net(x).sum().item(), 3))",
        "if i == 8: handles.append(net.a.register_forward_hook(lambda m, a, o: o * 0.5))",
        "net.train(i % 3 != 2)",
    ]);
    draft.text.line(moved);
    draft.text.line("opt.zero_grad()");
    let call = draft.random.pick(&[
        "net(x)",
        "net(x, scale=0.8)",
        "net(x) + net(x * 0.5)",
        "nn.Sequential(net, nn.Tanh())(x)",
        "net(x.requires_grad_())",
    ]);
    let inside = draft.random.one_in(3);
    if inside {
        draft.text.lines("try:", &[format!("y = {call}")]);
        draft.text.lines(
            "except (ValueError, Stop) as e:",
            &[
                "log.append(type(e).__name__)".to_owned(),
                "y = net.b(net.act(net.a(x)) * net.w) if i % 2 else x[:, :3] * net.w[:3]"
                    .to_owned(),
            ],
        );
    } else {
        draft.text.line(&format!("y = {call}"));
    }
    draft.text.line("loss = (y ** 2).mean()");
    let backward = draft.random.pick(&[
        "loss.backward()",
        "loss.backward()",
        "loss.backward(retain_graph=True); loss.backward()",
        "g = torch.autograd.grad(loss, [net.w], retain_graph=True, allow_unused=True)[0]; log.append(g is None); loss.backward()",
    ]);
    if draft.random.one_in(3) {
        draft.text.lines("try:", &[backward.to_owned()]);
        draft.text.lines(
            "except Exception as e:",
            &["log.append(type(e).__name__)".to_owned()],
        );
        let last = draft.random.pick(&[
            "count[0] += 1",
            "net.w.grad = None",
            "log.append(net.a.weight.grad is None)",
        ]);
        draft.text.lines("finally:", &[last.to_owned()]);
    } else {
        draft.text.line(backward);
    }
    draft.text.line("opt.step()");
    draft.text.line("return loss.item()");
    draft.text.push(EPILOGUE);
    draft.text.finish()
}

const PROLOGUE: &str = "\
import warnings
import torch
from torch import nn

warnings.simplefilter('ignore')
torch.manual_seed(1)
log, count, now = [], [0], [0]


class Stop(Exception):
    pass


class Guard(torch.autograd.Function):
    @staticmethod
    def forward(ctx, v):
        if now[0] % 9 == 8:
            raise Stop('guard')
        ctx.save_for_backward(v)
        return v * 0.5

    @staticmethod
    def backward(ctx, g):
        v, = ctx.saved_tensors
        if now[0] % 9 == 5:
            raise ValueError('backward')
        return g * v


def raising(g):
    raise ValueError('tensor')


def guarded(g):
    try:
        return raising(g)
    except ValueError:
        return g * 0.5


def text(t):
    return None if t is None else round(t.sum().item(), 3)


";

const EPILOGUE: &str = "

for i in range(24):
    x = torch.randn(3, 4)
    try:
        print(i, round(step(x, i), 4), end=' ')
    except (ValueError, RuntimeError, KeyError, AssertionError, ArithmeticError, NameError, StopIteration, Stop) as e:
        print(i, type(e).__name__, str(e)[:70], end=' ')
    print(count, log[-4:], [text(p) for p in net.parameters()], [text(p.grad) for p in net.parameters()], torch.is_grad_enabled())
    del log[:-4]
print(list(net.state_dict()), len(log))
";
