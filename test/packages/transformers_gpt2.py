# needs: transformers
"""GPT-2 with random weights: training, greedy and sampled generation with a cache."""
import torch
from transformers import GPT2Config, GPT2LMHeadModel

torch.manual_seed(1)
config = GPT2Config(vocab_size=64, n_positions=48, n_embd=32, n_layer=2, n_head=4, bos_token_id=0, eos_token_id=1)
model = GPT2LMHeadModel(config)
ids = torch.randint(2, 64, (3, 16))
optimizer = torch.optim.AdamW(model.parameters(), lr=3e-3)
for step in range(5):
    loss = model(input_ids=ids, labels=ids).loss
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    print(step, f"{loss.item():.4f}")
model.eval()
prompt = ids[:2, :5]
mask = torch.ones_like(prompt)
print(model.generate(prompt, attention_mask=mask, max_new_tokens=10, do_sample=False, pad_token_id=1).tolist())
torch.manual_seed(7)
print(model.generate(prompt, attention_mask=mask, max_new_tokens=10, do_sample=True, top_k=20, temperature=0.8,
                     pad_token_id=1).tolist())
torch.manual_seed(8)
print(model.generate(prompt, attention_mask=mask, max_new_tokens=8, do_sample=True, top_p=0.9, top_k=0,
                     pad_token_id=1).tolist())
print(model.generate(prompt, attention_mask=mask, max_new_tokens=6, num_beams=3, do_sample=False,
                     pad_token_id=1).tolist())
