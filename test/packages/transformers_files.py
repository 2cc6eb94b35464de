# needs: transformers
"""A model is saved and loaded again, with its configuration."""
import os
import tempfile

import torch
from transformers import AutoConfig, BertConfig, BertModel

torch.manual_seed(0)
model = BertModel(BertConfig(vocab_size=20, hidden_size=16, num_hidden_layers=1, num_attention_heads=2,
                             intermediate_size=32, max_position_embeddings=16)).eval()
with tempfile.TemporaryDirectory() as folder:
    model.save_pretrained(folder)
    print(sorted(os.listdir(folder)))
    again = BertModel.from_pretrained(folder).eval()
    print(AutoConfig.from_pretrained(folder).hidden_size)
ids = torch.arange(10).reshape(2, 5)
print(torch.equal(model(ids).last_hidden_state, again(ids).last_hidden_state))
