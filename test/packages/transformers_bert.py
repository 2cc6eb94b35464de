# needs: transformers
"""BERT with random weights: masked language modelling and classification, a few steps each."""
import torch
from transformers import BertConfig, BertForMaskedLM, BertForSequenceClassification

torch.manual_seed(0)
config = BertConfig(vocab_size=60, hidden_size=32, num_hidden_layers=2, num_attention_heads=4, intermediate_size=64,
                    max_position_embeddings=32, num_labels=3)
model = BertForMaskedLM(config)
ids = torch.randint(0, 60, (4, 12))
mask = torch.ones_like(ids)
mask[1, 8:] = 0
labels = ids.masked_fill(torch.rand(4, 12) > 0.3, -100)
optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3)
for step in range(4):
    out = model(input_ids=ids, attention_mask=mask, labels=labels)
    optimizer.zero_grad()
    out.loss.backward()
    optimizer.step()
    print(step, f"{out.loss.item():.4f}", tuple(out.logits.shape))
model.eval()
with torch.no_grad():
    out = model(input_ids=ids, attention_mask=mask, output_hidden_states=True, output_attentions=False)
print([f"{h.abs().mean().item():.4f}" for h in out.hidden_states])

classifier = BertForSequenceClassification(config)
classifier.train()
optimizer = torch.optim.SGD(classifier.parameters(), lr=0.05)
target = torch.tensor([0, 2, 1, 0])
for step in range(3):
    out = classifier(input_ids=ids, attention_mask=mask, labels=target)
    optimizer.zero_grad()
    out.loss.backward()
    torch.nn.utils.clip_grad_norm_(classifier.parameters(), 1.0)
    optimizer.step()
    print(step, f"{out.loss.item():.4f}")
print(sum(p.numel() for p in classifier.parameters()), len(classifier.state_dict()))
