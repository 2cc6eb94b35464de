"""AdaptiveLogSoftmaxWithLoss: rare classes share a cluster each, in a smaller space (Grave et al., 2017)."""

import collections

import torch
from torch.nn import functional as F
from torch.nn.modules.container import ModuleList, Sequential
from torch.nn.modules.linear import Linear
from torch.nn.modules.module import Module

_ASMoutput = collections.namedtuple("_ASMoutput", ["output", "loss"])


class AdaptiveLogSoftmaxWithLoss(Module):
    def __init__(
        self, in_features, n_classes, cutoffs, div_value=4.0, head_bias=False, device=None, dtype=None
    ):
        super().__init__()
        cutoffs = list(cutoffs)
        if len(cutoffs) == 0:
            raise ValueError("cutoffs should be a sequence of length larger than 0")
        rising = cutoffs == sorted(cutoffs) and len(set(cutoffs)) == len(cutoffs)
        if not rising or min(cutoffs) <= 0 or max(cutoffs) > n_classes - 1 or any([int(c) != c for c in cutoffs]):
            raise ValueError(
                "cutoffs should be a sequence of unique, positive integers sorted in an increasing order, "
                "where each value is between 1 and n_classes-1"
            )
        self.in_features = in_features
        self.n_classes = n_classes
        self.cutoffs = cutoffs + [n_classes]
        self.div_value = div_value
        self.head_bias = head_bias
        self.shortlist_size = self.cutoffs[0]
        self.n_clusters = len(self.cutoffs) - 1
        self.head_size = self.shortlist_size + self.n_clusters
        self.head = Linear(in_features, self.head_size, bias=head_bias, device=device, dtype=dtype)
        self.tail = ModuleList()
        for i in range(self.n_clusters):
            width = int(in_features // (div_value ** (i + 1)))
            classes = self.cutoffs[i + 1] - self.cutoffs[i]
            self.tail.append(Sequential(
                Linear(in_features, width, bias=False, device=device, dtype=dtype),
                Linear(width, classes, bias=False, device=device, dtype=dtype),
            ))

    def reset_parameters(self):
        self.head.reset_parameters()
        for first, second in self.tail:
            first.reset_parameters()
            second.reset_parameters()

    def forward(self, input_, target_):
        dims = target_.dim()
        if dims == 1:
            if input_.size(0) != target_.size(0):
                raise RuntimeError("Input and target should have the same size in the batch dimension.")
            if input_.dim() != 2:
                raise RuntimeError(f"1D target tensor expects 2D input tensors, but found inputs with size {input_.size()}")
        elif dims == 0:
            if input_.dim() != 1:
                raise RuntimeError(f"0D target tensor expects 1D input tensors, but found inputs with size {input_.size()}")
        else:
            raise RuntimeError("0D or 1D target tensor expected, multi-target not supported")
        input, target = (input_, target_) if dims > 0 else (input_.unsqueeze(0), target_.unsqueeze(0))
        used = 0
        output = input.new_zeros(target.size(0))
        at = target.new_empty(target.size(0))
        bounds = [0] + self.cutoffs
        for i in range(len(bounds) - 1):
            low, high = bounds[i], bounds[i + 1]
            inside = (target >= low) & (target < high)
            rows = inside.nonzero().squeeze(1)
            if rows.numel() == 0:
                continue
            if i == 0:
                at = at.index_copy(0, rows, target[inside])
            else:
                relative = target[inside] - low
                cluster = self.tail[i - 1](input.index_select(0, rows))
                at = at.index_fill(0, rows, self.shortlist_size + i - 1)
                local = F.log_softmax(cluster, dim=1).gather(1, relative.unsqueeze(1))
                output = output.index_copy(0, rows, local.squeeze(1))
            used += rows.numel()
        if used != target.size(0):
            raise RuntimeError(
                f"Target values should be in [0, {self.n_classes - 1}], but values in range "
                f"[{target.min().item()}, {target.max().item()}] were found. "
            )
        head = F.log_softmax(self.head(input), dim=1)
        output = output + head.gather(1, at.unsqueeze(1)).squeeze()
        loss = (-output).mean()
        return _ASMoutput(output if dims > 0 else output.squeeze(0), loss)

    def _full(self, input, head_output):
        out = input.new_empty((head_output.size(0), self.n_classes))
        head = F.log_softmax(head_output, dim=1)
        out[:, : self.shortlist_size] = head[:, : self.shortlist_size]
        for i in range(self.n_clusters):
            local = F.log_softmax(self.tail[i](input), dim=1)
            out[:, self.cutoffs[i]: self.cutoffs[i + 1]] = local + head[:, self.shortlist_size + i].unsqueeze(1)
        return out

    def log_prob(self, input):
        return self._full(input, self.head(input))

    def predict(self, input):
        head = self.head(input)
        output = torch.argmax(head, dim=1)
        rare = output >= self.shortlist_size
        if not rare.any():
            return output
        if rare.all():
            return torch.argmax(self._full(input, head), dim=1)
        output[rare] = torch.argmax(self._full(input[rare], head[rare]), dim=1)
        return output
