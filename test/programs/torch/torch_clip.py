import torch
import torch.nn as nn

p = nn.Parameter(torch.tensor([3.0, 4.0]))
q = nn.Parameter(torch.tensor([1.0]))
(p * torch.tensor([3.0, 4.0]) + q * 12).sum().backward()
print(nn.utils.clip_grad_norm_([p, q], 1.0), p.grad, q.grad)
print(nn.utils.clip_grad_norm_(p, 100.0), p.grad)
nn.utils.clip_grad_value_([p, q], 0.1)
print(p.grad, q.grad)
print(nn.utils.clip_grad_norm_([p], 1.0, norm_type=float("inf")))
print(nn.utils.parameters_to_vector([p, q]))
seqs = [torch.tensor([1, 2, 3]), torch.tensor([4])]
print(nn.utils.rnn.pad_sequence(seqs), nn.utils.rnn.pad_sequence(seqs, batch_first=True, padding_value=-1))
