# Encoders, decoders and their layers with masks, in training and evaluation: padding that is dropped, masks of
# numbers of which every one masks, the hint that a mask is causal.
import warnings

import torch
import torch.nn.functional as F
from torch import nn

warnings.simplefilter("ignore")


def rounded(t):
    return [round(v, 3) + 0.0 if v == v else "nan" for v in t.detach().flatten().tolist()]


left = torch.tensor([[False, False, True], [False, True, True]])
whole = torch.tensor([[False, False, True], [True, True, True]])
holes = torch.tensor([[False, True, False], [False, False, True]])
causal = torch.triu(torch.ones(3, 3), 1).bool()
masks = [
    {},
    dict(src_key_padding_mask=left),
    dict(src_key_padding_mask=whole),
    dict(src_key_padding_mask=holes),
    dict(src_key_padding_mask=left.float() * -1e9),
    dict(mask=causal, src_key_padding_mask=left),
    dict(mask=causal, is_causal=True),
    dict(is_causal=True),
    dict(mask=torch.zeros(3, 3), is_causal=True),
    dict(mask=torch.linspace(-1.0, 0.0, 9).view(3, 3)),
]
for batch_first in (True, False):
    for training in (True, False):
        for norm_first, act in ((True, "relu"), (False, "gelu"), (False, torch.tanh)):
            torch.manual_seed(0)
            layer = nn.TransformerEncoderLayer(
                4, 2, 8, 0.0, act, batch_first=batch_first, norm_first=norm_first
            )
            encoder = nn.TransformerEncoder(layer, 2, nn.LayerNorm(4) if norm_first else None)
            for p in encoder.parameters():
                nn.init.uniform_(p, -0.5, 0.5)
            encoder.train(training)
            x = torch.randn(2, 3, 4)
            x = x if batch_first else x.transpose(0, 1)
            for grad in (True, False):
                for i, given in enumerate(masks):
                    name = (batch_first, training, norm_first, getattr(act, "__name__", act), grad, i)
                    try:
                        for _ in range(3):
                            with torch.set_grad_enabled(grad):
                                y = encoder(x, **given)
                        print(*name, rounded(y)[:4], rounded(y)[8:14], rounded(y)[-4:], y.requires_grad)
                    except Exception as e:
                        print(*name, type(e).__name__, e)

torch.manual_seed(0)
x = torch.randn(2, 3, 4)
layer = nn.TransformerEncoderLayer(4, 2, 8, 0.0, batch_first=True).eval()
seen = []
with torch.no_grad():
    hook = layer.linear1.register_forward_hook(lambda m, a, o: seen.append(tuple(o.shape)))
    hooked = layer(x, src_key_padding_mask=left)
    hook.remove()
    print(seen, rounded(hooked - layer(x, src_key_padding_mask=left))[:3])
plain = nn.TransformerEncoder(layer, 1, enable_nested_tensor=False).eval()
odd = nn.TransformerEncoder(nn.TransformerEncoderLayer(3, 3, 4, 0.0, batch_first=True), 1)
print(plain.use_nested_tensor, odd.use_nested_tensor, odd.enable_nested_tensor)
with torch.no_grad():
    print(rounded(plain(x, src_key_padding_mask=left))[8:12], rounded(odd.eval()(x[..., :3]))[:3])

model = nn.Transformer(4, 2, 1, 1, 8, 0.0, batch_first=True)
for p in model.parameters():
    nn.init.uniform_(p, -0.5, 0.5)
optimizer = torch.optim.SGD(model.parameters(), lr=0.05)
square = nn.Transformer.generate_square_subsequent_mask(3)
for i in range(30):
    optimizer.zero_grad()
    y = model(x, x.flip(1), tgt_mask=square, tgt_is_causal=i % 2 == 0, src_key_padding_mask=left)
    loss = (y - 0.1).pow(2).mean()
    loss.backward()
    optimizer.step()
print(square, round(loss.item(), 4), rounded(y)[:4])
