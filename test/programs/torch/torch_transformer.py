import torch
import torch.nn as nn

torch.manual_seed(0)
layer = nn.TransformerEncoderLayer(8, 2, 16, dropout=0.0, batch_first=True)
enc = nn.TransformerEncoder(layer, 2, enable_nested_tensor=False)
print(enc)
x = torch.randn(2, 5, 8)
out = enc(x)
print(out[0, :2], out.shape)
out.sum().backward()
print(enc.layers[0].linear1.weight.grad.norm())
mask = nn.Transformer.generate_square_subsequent_mask(5)
print(enc(x, mask=mask)[1, 0])
pad = torch.tensor([[False, False, False, True, True], [False] * 5])
enc.train()
print(enc(x, src_key_padding_mask=pad)[0, 0])
m = nn.Transformer(8, 2, 1, 1, 16, dropout=0.0, batch_first=True, norm_first=True, activation="gelu")
print(m(x, torch.randn(2, 3, 8))[0], sum(p.numel() for p in m.parameters()))
