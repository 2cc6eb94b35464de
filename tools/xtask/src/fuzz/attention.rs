//! Makes random programs about attention: `scaled_dot_product_attention`, `MultiheadAttention` and the layers of the
//! transformer with masks of every kind, where rows may be wholly masked, in training and in evaluation.
//!
//! In: a seed. Out: the text of a program. Always: it ends, prints the same on every run, and shows outputs, weights and
//! gradients.

use super::random::Draft;

/// Masks of scores `[L, S]` that are ways to say which keys are seen, or numbers to add; `r` is moved by the step.
const MASKS: &[&str] = &[
    "None",
    "causal(L, S)",
    "~causal(L, S) if i % 2 else None",
    "banded(L, S, «1|2»)",
    "torch.zeros(L, S).masked_fill(~causal(L, S), NO)",
    "torch.zeros(L, S).masked_fill(dropped(L, S, i), NO)",
    "dropped(L, S, i)",
    "~dropped(L, S, i)",
    "torch.ones(L, S, dtype=torch.bool)",
    "torch.zeros(L, S, dtype=torch.bool)",
    "torch.randn(L, S)",
    "torch.full((L, S), NO)",
    "nn.Transformer.generate_square_subsequent_mask(L) if L == S else None",
];

/// Which keys of a batch are padding.
const PADDING: &[&str] = &[
    "None",
    "padded(B, S, lengths(i, B, S))",
    "padded(B, S, [S] * B)",
    "padded(B, S, [0] + [S] * (B - 1))",
    "torch.zeros(B, S, dtype=torch.bool)",
    "torch.ones(B, S, dtype=torch.bool) if i % 5 == 4 else None",
    "torch.zeros(B, S).masked_fill(padded(B, S, lengths(i, B, S)), NO)",
];

/// Layers with their calls.
const LAYERS: &[(&str, &[&str])] = &[
    (
        "nn.MultiheadAttention(8, «1|2|4», dropout=«0.0|0.0|0.3», bias=«True|False», batch_first=True)",
        &[
            "net(q, k, v, key_padding_mask=pad, need_weights=«True|False», attn_mask=mask, average_attn_weights=«True|False»)",
            "net(q, q, q, need_weights=«True|False»)",
            "net(q, k, v, pad, «True|False», mask)",
        ],
    ),
    (
        "nn.MultiheadAttention(8, 2, kdim=6, vdim=5, batch_first=True)",
        &["net(q, k[..., :6], v[..., :5], key_padding_mask=pad, attn_mask=mask)"],
    ),
    (
        "nn.MultiheadAttention(8, 2, dropout=«0.0|0.2»)",
        &[
            "net(q.transpose(0, 1), k.transpose(0, 1), v.transpose(0, 1), key_padding_mask=pad, attn_mask=mask)",
            "net(q[0], k[0], v[0], attn_mask=mask, need_weights=«True|False»)",
        ],
    ),
    (
        "nn.TransformerEncoderLayer(8, 2, dim_feedforward=12, dropout=«0.0|0.2», activation=«'relu'|'gelu'|torch.tanh», norm_first=«True|False», batch_first=True, bias=«True|False»)",
        &[
            "net(k, src_mask=square(mask, S), src_key_padding_mask=pad)",
            "net(k, src_key_padding_mask=pad)",
            "net(k, torch.zeros(S, S).masked_fill(~causal(S, S), NO), is_causal=True)",
        ],
    ),
    (
        "nn.TransformerEncoder(nn.TransformerEncoderLayer(8, 2, 12, dropout=«0.0|0.2», batch_first=True, norm_first=«True|False»), «1|2», norm=«None|nn.LayerNorm(8)», enable_nested_tensor=«True|False»)",
        &[
            "net(k, mask=square(mask, S), src_key_padding_mask=pad)",
            "net(k, src_key_padding_mask=pad)",
        ],
    ),
    (
        "nn.TransformerDecoderLayer(8, 2, 12, dropout=«0.0|0.2», batch_first=True, norm_first=«True|False»)",
        &[
            "net(q, k, memory_mask=mask, memory_key_padding_mask=pad)",
            "net(q, k, tgt_mask=~causal(L, L), memory_key_padding_mask=pad)",
        ],
    ),
    (
        "nn.TransformerDecoder(nn.TransformerDecoderLayer(8, 2, 12, dropout=0.0, batch_first=True), «1|2»)",
        &["net(q, k, tgt_mask=~causal(L, L), memory_key_padding_mask=pad)"],
    ),
    (
        "nn.Transformer(8, 2, 1, 1, 12, dropout=«0.0|0.1», batch_first=True)",
        &[
            "net(k, q, tgt_mask=~causal(L, L), src_key_padding_mask=pad, memory_key_padding_mask=pad)",
        ],
    ),
    (
        "nn.Linear(8, 8)",
        &[
            "F.scaled_dot_product_attention(net(q), k, v, attn_mask=mask)",
            "F.scaled_dot_product_attention(heads(net(q)), heads(k), heads(v), attn_mask=mask, scale=«None|0.3»)",
            "F.scaled_dot_product_attention(net(q), k, v, is_causal=True)",
            "F.scaled_dot_product_attention(net(q), k, v, attn_mask=mask, dropout_p=0.3 if net.training else 0.0)",
            "F.scaled_dot_product_attention(heads(net(q), 4), heads(k[..., :4]), heads(v[..., :4]), enable_gqa=True, is_causal=«True|False»)",
            "F.scaled_dot_product_attention(net(q), k, v, attn_mask=None if pad is None else (~pad if pad.dtype == torch.bool else pad)[:, None, :])",
            "torch.softmax((net(q) @ k.transpose(1, 2) / 8 ** 0.5).masked_fill(dropped(L, S, i), NO), -1).nan_to_num(0.0) @ v",
            "torch.softmax((net(q) @ k.transpose(1, 2)) + (0.0 if mask is None or mask.dtype == torch.bool else mask), -1) @ v",
            "torch.softmax((net(q) @ k.transpose(1, 2)).masked_fill(dropped(L, S, i), -1e9), -1) @ v",
        ],
    ),
];

/// The program of a seed.
pub fn program(seed: u64) -> String {
    let mut draft = Draft::of(seed);
    let at = draft.random.below(LAYERS.len() as u64);
    let layer = usize::try_from(at).ok().and_then(|i| LAYERS.get(i));
    let Some((constructor, calls)) = layer else {
        return String::new();
    };
    draft.text.push(PROLOGUE);
    let sizes = draft
        .random
        .filled("NO, B, L, S = float('-inf'), «1|2|3», «1|3|4», «3|4»");
    draft.text.line(&sizes);
    let net = draft.random.filled(constructor);
    draft.text.line(&format!("net = {net}"));
    draft
        .text
        .push("opt = torch.optim.SGD(net.parameters(), lr=0.05)\n\n\n");
    draft.text.line("def step(i, L=L):");
    draft.text.indent = 1;
    let inputs = draft.random.pick_filled(&[
        "q, k, v = torch.randn(B, L, 8), torch.randn(B, S, 8), torch.randn(B, S, 8)",
        "q = k = v = torch.randn(B, S, 8)",
        "q, k = torch.randn(B, L, 8), torch.randn(B, S, 8); v = k",
    ]);
    draft.text.line(&inputs);
    if inputs.starts_with("q = k") {
        draft.text.line("L = S");
    }
    if draft.random.one_in(3) {
        // What is masked must be seen by nobody.
        draft.text.line("if i % 4 == 3: k[-1, -1] = float('nan')");
    }
    draft.text.line("q.requires_grad_(); k.requires_grad_()");
    let (mask, pad) = (
        draft.random.pick_filled(MASKS),
        draft.random.pick_filled(PADDING),
    );
    draft.text.line(&format!("mask, pad = {mask}, {pad}"));
    if draft.random.one_in(3) {
        let other = draft.random.pick_filled(MASKS);
        let condition = draft
            .random
            .pick(&["q.sum() > 0", "i % 3 == 0", "net.training"]);
        draft.text.line(&format!("if {condition}: mask = {other}"));
    }
    let mode = draft.random.pick(&[
        "pass",
        "net.train(i % 3 != 1)",
        "net.eval()",
        "net.train(i < 12)",
    ]);
    draft.text.line(mode);
    let call = draft.random.pick_filled(calls);
    draft.text.lines(
        "with torch.set_grad_enabled(i % 5 != 2):",
        &[format!("out = {call}")],
    );
    draft
        .text
        .line("outs = [o for o in (out if isinstance(out, tuple) else (out,)) if o is not None]");
    draft.text.line("shown = [text(o) for o in outs]");
    draft.text.lines(
        "if outs[0].requires_grad:",
        &[
            "net.zero_grad()".to_owned(),
            draft.random.pick(&["loss = outs[0].pow(2).mean()", "loss = outs[0].nan_to_num(0.0).tanh().mean()", "loss = sum(o.sin().mean() for o in outs)"]).to_owned(),
            "loss.backward()".to_owned(),
            "shown += [text(p.grad) for p in (q, k, *list(net.parameters())[:3])]".to_owned(),
            "if all(p.grad is None or p.grad.isfinite().all() for p in net.parameters()): opt.step()".to_owned(),
        ],
    );
    draft.text.line("return shown");
    draft.text.push(EPILOGUE);
    draft.text.finish()
}

const PROLOGUE: &str = "\
import warnings
import torch
from torch import nn
import torch.nn.functional as F

warnings.simplefilter('ignore')
torch.manual_seed(1)


def causal(a, b):
    return torch.ones(a, b, dtype=torch.bool).tril(b - a)


def banded(a, b, w):
    d = torch.arange(a)[:, None] - torch.arange(b)
    return (d.abs() <= w) & (d >= 0)


def dropped(a, b, i):
    hidden = (torch.arange(a)[:, None] * 3 + torch.arange(b) + i) % 3 == 0
    if i % 3 == 0:
        hidden[i % a] = True
    return hidden


def lengths(i, b, s):
    return [(i + j * 2) % (s + 1) for j in range(b)]


def padded(b, s, of):
    return torch.arange(s)[None, :] >= torch.tensor(of[:b])[:, None]


def square(mask, s):
    return mask if mask is not None and mask.shape == (s, s) else None


def heads(t, n=2):
    return t.unflatten(-1, (n, -1)).transpose(1, 2)


def number(v):
    return float('%.3g' % v) if abs(v) > 1e-5 else 0.0


def text(t):
    if t is None:
        return None
    t = t.detach()
    return [tuple(t.shape), number(t.nansum().item()), number((t * t).nansum().item()), int(t.isnan().sum()), number(t.flatten()[0].item())]


";

const EPILOGUE: &str = "

for i in range(20):
    try:
        print(i, step(i))
    except (RuntimeError, ValueError, AssertionError) as e:
        print(i, type(e).__name__)
print([text(p) for p in net.parameters()])
";
