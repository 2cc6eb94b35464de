# needs: transformers
"""T5 with random weights: encoder, decoder, training and generation."""
import torch
from transformers import T5Config, T5ForConditionalGeneration

torch.manual_seed(3)
config = T5Config(vocab_size=64, d_model=32, d_kv=8, d_ff=64, num_layers=2, num_heads=4, decoder_start_token_id=0,
                  pad_token_id=0, eos_token_id=1, dropout_rate=0.1)
model = T5ForConditionalGeneration(config)
ids = torch.randint(2, 64, (3, 9))
labels = torch.randint(2, 64, (3, 7))
optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3)
for step in range(4):
    out = model(input_ids=ids, labels=labels)
    optimizer.zero_grad()
    out.loss.backward()
    optimizer.step()
    print(step, f"{out.loss.item():.4f}")
model.eval()
print(model.generate(ids, attention_mask=torch.ones_like(ids), max_new_tokens=8, do_sample=False).tolist())
torch.manual_seed(4)
print(model.generate(ids, attention_mask=torch.ones_like(ids), max_new_tokens=8, do_sample=True).tolist())
