# LSTMs whose shown states are projections, and attention of several heads as a function of its weights.
import torch
import torch.nn as nn
import torch.nn.functional as F


def text(t):
    return [round(n, 4) for n in t.detach().reshape(-1)[:3].tolist()], tuple(t.shape)


def attempt(f):
    try:
        print(f())
    except Exception as e:
        print(type(e).__name__, e)


for options in ({}, {"bidirectional": True, "num_layers": 2}, {"batch_first": True, "bias": False}):
    torch.manual_seed(1)
    lstm = nn.LSTM(4, 6, proj_size=3, **options)
    print(lstm, [(k, tuple(p.shape)) for k, p in lstm.named_parameters()], len(lstm.all_weights[0]))
    x = torch.rand(5, 2, 4, requires_grad=True)
    y, (h, c) = lstm(x)
    print(text(y), text(h), text(c))
    (y.sum() + c.sum()).backward()
    print(text(x.grad), text(lstm.weight_hr_l0.grad))
lstm = nn.LSTM(4, 6, proj_size=3)
out, (h, c) = lstm(nn.utils.rnn.pack_padded_sequence(torch.rand(5, 2, 4), [5, 3]))
print(text(out.data), text(h), text(c))
y, (h, c) = lstm(torch.rand(5, 4), (torch.ones(1, 3), torch.ones(1, 6)))
print(text(y), text(h), text(c))
attempt(lambda: nn.LSTM(4, 6, proj_size=6))
attempt(lambda: nn.LSTM(4, 6, proj_size=-1))
attempt(lambda: nn.GRU(4, 6, proj_size=2))
attempt(lambda: nn.RNN(4, 6, proj_size=2))
attempt(lambda: lstm(torch.rand(5, 2, 4), (torch.zeros(1, 2, 6), torch.zeros(1, 2, 6))))
attempt(lambda: lstm(torch.rand(5, 2, 4), (torch.zeros(1, 2, 3), torch.zeros(1, 2, 3))))

opt = torch.optim.SGD(lstm.parameters(), lr=0.1)
data = torch.rand(6, 3, 4)
for step in range(30):
    opt.zero_grad()
    loss = lstm(data)[0].pow(2).mean()
    loss.backward()
    opt.step()
print(f"{loss.item():.4f}")

torch.manual_seed(3)
attention = nn.MultiheadAttention(8, 2)
q, k, v = torch.rand(3, 2, 8), torch.rand(4, 2, 8), torch.rand(4, 2, 8)
bias, weight = attention.in_proj_bias, attention.in_proj_weight
last = (attention.out_proj.weight, attention.out_proj.bias)


def attended(heads, weight, last, *rest, width=8, zero=False, **options):
    return F.multi_head_attention_forward(
        q, k, v, width, heads, weight, bias, None, None, zero, 0.0, *last, *rest, **options
    )


own, given = attention(q, k, v), attended(2, weight, last)
print(torch.allclose(own[0], given[0]), torch.allclose(own[1], given[1]), text(given[0]))
w, wide = torch.rand(8, 8), nn.Linear(8, 5)
out, weights = attended(
    2, None, (wide.weight, wide.bias), False, use_separate_proj_weight=True, q_proj_weight=w, k_proj_weight=w,
    v_proj_weight=w, need_weights=False,
)
print(text(out), weights)
out, weights = attended(2, weight, last, zero=True, static_k=torch.rand(4, 6, 4), static_v=torch.rand(4, 6, 4))
print(text(out), text(weights))
out, weights = attended(
    2, weight, last, key_padding_mask=torch.tensor([[False, True, False, False]] * 2), average_attn_weights=False,
    attn_mask=torch.ones(3, 4).tril().bool().logical_not(),
)
print(text(out), text(weights))
attempt(lambda: attended(2, weight, last, width=9))
attempt(lambda: attended(3, weight, last))
attempt(lambda: attended(2, weight, last, static_k=torch.rand(3, 6, 4)))
attempt(lambda: attended(2, None, last))
