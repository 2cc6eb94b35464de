# needs: x_transformers
"""A decoder of x-transformers: training, generation."""
import torch
from x_transformers import AutoregressiveWrapper, Decoder, Encoder, TransformerWrapper, XTransformer

torch.manual_seed(0)
model = TransformerWrapper(num_tokens=40, max_seq_len=32,
                           attn_layers=Decoder(dim=32, depth=2, heads=4, rotary_pos_emb=True, attn_dim_head=8))
model = AutoregressiveWrapper(model)
ids = torch.randint(0, 40, (3, 20))
optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
for step in range(4):
    loss = model(ids)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    print(step, f"{loss.item():.4f}")
model.eval()
torch.manual_seed(1)
print(model.generate(ids[:1, :4], 8, temperature=0.0).tolist())

encoder = TransformerWrapper(num_tokens=40, max_seq_len=32, attn_layers=Encoder(dim=32, depth=1, heads=2, alibi_pos_bias=True,
                                                                               ff_glu=True, use_rmsnorm=True))
print(f"{encoder(ids).abs().mean().item():.4f}")
