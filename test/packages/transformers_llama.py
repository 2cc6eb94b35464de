# needs: transformers
"""Llama with random weights: grouped-query attention, rotary embeddings, generation."""
import torch
from transformers import LlamaConfig, LlamaForCausalLM

torch.manual_seed(2)
config = LlamaConfig(vocab_size=64, hidden_size=32, intermediate_size=64, num_hidden_layers=2, num_attention_heads=4,
                     num_key_value_heads=2, max_position_embeddings=64, bos_token_id=0, eos_token_id=1)
model = LlamaForCausalLM(config)
ids = torch.randint(2, 64, (2, 14))
optimizer = torch.optim.Adam(model.parameters(), lr=3e-3)
for step in range(4):
    out = model(input_ids=ids, labels=ids)
    optimizer.zero_grad()
    out.loss.backward()
    optimizer.step()
    print(step, f"{out.loss.item():.4f}")
print(f"{model.model.layers[0].self_attn.k_proj.weight.grad.norm().item():.4f}")
model.eval()
prompt = ids[:, :4]
mask = torch.ones_like(prompt)
print(model.generate(prompt, attention_mask=mask, max_new_tokens=12, do_sample=False, pad_token_id=1).tolist())
torch.manual_seed(3)
print(model.generate(prompt, attention_mask=mask, max_new_tokens=12, do_sample=True, pad_token_id=1).tolist())
