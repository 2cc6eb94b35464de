"""Sequences of unequal length."""

import torch


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
            pad = torch.full((missing,) + tuple(s.shape[1:]), padding_value, dtype=s.dtype)
            s = torch.cat([s, pad] if padding_side == "right" else [pad, s])
        rows.append(s)
    return torch.stack(rows, 0 if batch_first else 1)


def unpad_sequence(padded_sequences, lengths, batch_first=False):
    if not batch_first:
        padded_sequences = padded_sequences.transpose(0, 1)
    return [row[: int(n)] for row, n in zip(padded_sequences.unbind(0), lengths)]


def __getattr__(name):
    return torch._C._missing_name("torch.nn.utils.rnn", name)
