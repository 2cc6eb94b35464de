"""Sequences of unequal length."""

from collections import namedtuple

import torch

_Fields = namedtuple("PackedSequence_", ["data", "batch_sizes", "sorted_indices", "unsorted_indices"])


class PackedSequence(_Fields):
    """Sequences step by step: first the first step of all, longest sequence first."""

    def __new__(cls, data, batch_sizes=None, sorted_indices=None, unsorted_indices=None):
        if unsorted_indices is None and sorted_indices is not None:
            unsorted_indices = invert_permutation(sorted_indices)
        return super().__new__(cls, data, batch_sizes, sorted_indices, unsorted_indices)

    def to(self, *args, **kwargs):
        return type(self)(self.data.to(*args, **kwargs), self.batch_sizes, self.sorted_indices, self.unsorted_indices)

    def cpu(self):
        return self

    @property
    def is_cuda(self):
        return False


def invert_permutation(permutation):
    if permutation is None:
        return None
    output = torch.empty_like(permutation)
    output[permutation] = torch.arange(permutation.numel(), device=permutation.device)
    return output


def pack_padded_sequence(input, lengths, batch_first=False, enforce_sorted=True):
    lengths = torch.as_tensor(lengths, dtype=torch.int64)
    if batch_first:
        input = input.transpose(0, 1)
    indices = None
    if not enforce_sorted:
        lengths, indices = torch.sort(lengths, descending=True)
        indices = indices.to(input.device)
        input = input.index_select(1, indices)
    sizes = lengths.tolist()
    if len(sizes) != input.size(1):
        raise RuntimeError(
            f"Expected `len(lengths)` to be equal to batch_size, but got {len(sizes)} (batch_size={input.size(1)})"
        )
    if sizes[-1] <= 0:
        raise RuntimeError("Length of all samples has to be greater than 0, but found an element in 'lengths' that is <= 0")
    if any(a < b for a, b in zip(sizes, sizes[1:])):
        raise RuntimeError(
            "`lengths` array must be sorted in decreasing order when `enforce_sorted` is True. You can pass "
            "`enforce_sorted=False` to pack_padded_sequence and/or pack_sequence to sidestep this requirement if you "
            "do not need ONNX exportability."
        )
    counts = [sum([1 for n in sizes if n > t]) for t in range(sizes[0])]
    data = torch.cat([input[t, :n] for t, n in enumerate(counts)])
    return PackedSequence(data, torch.tensor(counts), indices)


def pad_packed_sequence(sequence, batch_first=False, padding_value=0.0, total_length=None):
    counts = sequence.batch_sizes.tolist()
    batch = counts[0]
    steps = []
    for part, n in zip(sequence.data.split(counts), counts):
        if n < batch:
            rest = torch.full((batch - n,) + tuple(part.shape[1:]), padding_value, dtype=part.dtype, device=part.device)
            part = torch.cat([part, rest])
        steps.append(part)
    if total_length is not None:
        if total_length < len(counts):
            raise ValueError(
                f"Expected total_length to be at least the length of the longest sequence in input, but got "
                f"total_length={total_length} and max sequence length being {len(counts)}"
            )
        empty = torch.full_like(steps[0], padding_value)
        steps += [empty] * (total_length - len(counts))
    padded = torch.stack(steps)
    lengths = torch.tensor([sum([1 for n in counts if n > i]) for i in range(batch)])
    if sequence.unsorted_indices is not None:
        padded = padded.index_select(1, sequence.unsorted_indices)
        lengths = lengths[sequence.unsorted_indices.cpu()]
    return padded.transpose(0, 1) if batch_first else padded, lengths


def pack_sequence(sequences, enforce_sorted=True):
    lengths = [s.size(0) for s in sequences]
    return pack_padded_sequence(pad_sequence(sequences), lengths, enforce_sorted=enforce_sorted)


def unpack_sequence(packed_sequences):
    padded, lengths = pad_packed_sequence(packed_sequences, batch_first=True)
    return unpad_sequence(padded, lengths, batch_first=True)


def pad_sequence(sequences, batch_first=False, padding_value=0.0, padding_side="right"):
    if not isinstance(sequences, (list, tuple)):
        sequences = sequences.unbind(0)
    if len(sequences) == 0:
        raise RuntimeError("received an empty list of sequences")
    longest = max([s.size(0) for s in sequences])
    rows = []
    for s in sequences:
        missing = longest - s.size(0)
        if missing > 0:
            pad = torch.full((missing,) + tuple(s.shape[1:]), padding_value, dtype=s.dtype, device=s.device)
            s = torch.cat([s, pad] if padding_side == "right" else [pad, s])
        rows.append(s)
    return torch._C._as_made_by(torch.stack(rows, 0 if batch_first else 1), "CopySlices")


def unpad_sequence(padded_sequences, lengths, batch_first=False):
    if not batch_first:
        padded_sequences = padded_sequences.transpose(0, 1)
    return [row[: int(n)] for row, n in zip(padded_sequences.unbind(0), lengths)]


def __getattr__(name):
    return torch._C._missing_name("torch.nn.utils.rnn", name)
