"""Recurrent cells and layers.

The gate arithmetic is written once, in `_lstm_gates` and `_gru_gates`; cells and layers call it.
"""

import math
import warnings

import torch
from torch.nn import functional as F
from torch.nn import init
from torch.nn.modules.module import Module
from torch.nn.parameter import Parameter
from torch.nn.utils.rnn import PackedSequence


def _lstm_gates(gates, c):
    i, f, g, o = gates.chunk(4, 1)
    c = torch.sigmoid(f) * c + torch.sigmoid(i) * torch.tanh(g)
    return torch.sigmoid(o) * torch.tanh(c), c


def _gru_gates(gi, gh, h):
    i_r, i_z, i_n = gi.chunk(3, 1)
    h_r, h_z, h_n = gh.chunk(3, 1)
    r = torch.sigmoid(i_r + h_r)
    z = torch.sigmoid(i_z + h_z)
    n = torch.tanh(i_n + r * h_n)
    return (h - n) * z + n


class RNNCellBase(Module):
    def __init__(self, input_size, hidden_size, bias, num_chunks, device=None, dtype=None):
        super().__init__()
        self.input_size = input_size
        self.hidden_size = hidden_size
        self.bias = bias
        rows = num_chunks * hidden_size
        self.weight_ih = Parameter(torch.empty((rows, input_size), device=device, dtype=dtype))
        self.weight_hh = Parameter(torch.empty((rows, hidden_size), device=device, dtype=dtype))
        if bias:
            self.bias_ih = Parameter(torch.empty(rows, device=device, dtype=dtype))
            self.bias_hh = Parameter(torch.empty(rows, device=device, dtype=dtype))
        else:
            self.register_parameter("bias_ih", None)
            self.register_parameter("bias_hh", None)
        self.reset_parameters()

    def reset_parameters(self):
        stdv = 1.0 / math.sqrt(self.hidden_size) if self.hidden_size > 0 else 0
        for weight in self.parameters():
            init.uniform_(weight, -stdv, stdv)

    def extra_repr(self):
        text = f"{self.input_size}, {self.hidden_size}"
        if self.bias is not True:
            text += f", bias={self.bias}"
        return text

    def _check(self, input, states):
        """What does not fit the cell, told by its rows of examples."""
        name = type(self).__name__
        if input.dim() not in (1, 2):
            raise ValueError(f"{name}: Expected input to be 1D or 2D, got {input.dim()}D instead")
        if input.size(-1) != self.input_size:
            raise RuntimeError(f"input has inconsistent input_size: got {input.size(-1)} expected {self.input_size}")
        for i, state in enumerate(states):
            if input.dim() == 2 and state.dim() == 2 and input.size(0) != state.size(0):
                raise RuntimeError(
                    f"Input batch size {input.size(0)} doesn't match hidden{i} batch size {state.size(0)}"
                )
            if state.size(-1) != self.hidden_size:
                raise RuntimeError(
                    f"hidden{i} has inconsistent hidden_size: got {state.size(-1)}, expected {self.hidden_size}"
                )

    def _zeros(self, input):
        return torch.zeros(input.size(0), self.hidden_size, dtype=input.dtype, device=input.device)


class RNNCell(RNNCellBase):
    def __init__(
        self, input_size, hidden_size, bias=True, nonlinearity="tanh", device=None, dtype=None
    ):
        super().__init__(input_size, hidden_size, bias, 1, device, dtype)
        self.nonlinearity = nonlinearity

    def forward(self, input, hx=None):
        self._check(input, () if hx is None else (hx,))
        batched = input.dim() == 2
        if not batched:
            input = input.unsqueeze(0)
            hx = hx.unsqueeze(0) if hx is not None else None
        if hx is None:
            hx = self._zeros(input)
        gates = F.linear(input, self.weight_ih, self.bias_ih) + F.linear(
            hx, self.weight_hh, self.bias_hh
        )
        if self.nonlinearity == "tanh":
            result = torch.tanh(gates)
        elif self.nonlinearity == "relu":
            result = torch.relu(gates)
        else:
            raise RuntimeError(f"Unknown nonlinearity: {self.nonlinearity}")
        return result if batched else result.squeeze(0)

    def extra_repr(self):
        text = super().extra_repr()
        if self.nonlinearity != "tanh":
            text += f", nonlinearity={self.nonlinearity}"
        return text


class LSTMCell(RNNCellBase):
    def __init__(self, input_size, hidden_size, bias=True, device=None, dtype=None):
        super().__init__(input_size, hidden_size, bias, 4, device, dtype)

    def forward(self, input, hx=None):
        self._check(input, () if hx is None else tuple(hx))
        batched = input.dim() == 2
        if not batched:
            input = input.unsqueeze(0)
        if hx is None:
            h = c = self._zeros(input)
        else:
            h, c = hx
            if not batched:
                h, c = h.unsqueeze(0), c.unsqueeze(0)
        gates = F.linear(input, self.weight_ih, self.bias_ih) + F.linear(
            h, self.weight_hh, self.bias_hh
        )
        h, c = _lstm_gates(gates, c)
        if not batched:
            h, c = h.squeeze(0), c.squeeze(0)
        return h, c


class GRUCell(RNNCellBase):
    def __init__(self, input_size, hidden_size, bias=True, device=None, dtype=None):
        super().__init__(input_size, hidden_size, bias, 3, device, dtype)

    def forward(self, input, hx=None):
        self._check(input, () if hx is None else (hx,))
        batched = input.dim() == 2
        if not batched:
            input = input.unsqueeze(0)
            hx = hx.unsqueeze(0) if hx is not None else None
        if hx is None:
            hx = self._zeros(input)
        result = _gru_gates(
            F.linear(input, self.weight_ih, self.bias_ih),
            F.linear(hx, self.weight_hh, self.bias_hh),
            hx,
        )
        return result if batched else result.squeeze(0)


class RNNBase(Module):
    _gates = {"LSTM": 4, "GRU": 3, "RNN_TANH": 1, "RNN_RELU": 1}

    def __init__(
        self,
        mode,
        input_size,
        hidden_size,
        num_layers=1,
        bias=True,
        batch_first=False,
        dropout=0.0,
        bidirectional=False,
        proj_size=0,
        device=None,
        dtype=None,
    ):
        super().__init__()
        if isinstance(dropout, bool) or not 0 <= dropout <= 1:
            raise ValueError(
                "dropout should be a number in range [0, 1] "
                "representing the probability of an element being zeroed"
            )
        if not isinstance(hidden_size, int):
            raise TypeError(
                f"hidden_size should be of type int, got: {type(hidden_size).__name__}"
            )
        if hidden_size <= 0:
            raise ValueError("hidden_size must be greater than zero")
        if proj_size < 0:
            raise ValueError("proj_size should be a positive integer or zero to disable projections")
        if proj_size >= hidden_size:
            raise ValueError("proj_size has to be smaller than hidden_size")
        if num_layers <= 0:
            raise ValueError("num_layers must be greater than zero")
        self.mode = mode
        self.input_size = input_size
        self.hidden_size = hidden_size
        self.num_layers = num_layers
        self.bias = bias
        self.batch_first = batch_first
        if dropout > 0 and num_layers == 1:
            warnings.warn(
                "dropout option adds dropout after all but last recurrent layer, so non-zero dropout expects "
                f"num_layers greater than 1, but got dropout={dropout} and num_layers={num_layers}"
            )
        self.dropout = float(dropout)
        self.bidirectional = bidirectional
        self.proj_size = proj_size
        rows = self._gates[mode] * hidden_size
        directions = 2 if bidirectional else 1
        shown = proj_size if proj_size > 0 else hidden_size
        for layer in range(num_layers):
            for direction in range(directions):
                columns = input_size if layer == 0 else shown * directions
                suffix = f"_l{layer}" + ("_reverse" if direction == 1 else "")
                shapes = [("weight_ih", (rows, columns)), ("weight_hh", (rows, shown))]
                if bias:
                    shapes += [("bias_ih", (rows,)), ("bias_hh", (rows,))]
                if proj_size > 0:
                    shapes.append(("weight_hr", (proj_size, hidden_size)))
                for name, shape in shapes:
                    value = Parameter(torch.empty(shape, device=device, dtype=dtype))
                    setattr(self, name + suffix, value)
        self.reset_parameters()

    def reset_parameters(self):
        stdv = 1.0 / math.sqrt(self.hidden_size) if self.hidden_size > 0 else 0
        for weight in self.parameters():
            init.uniform_(weight, -stdv, stdv)

    def flatten_parameters(self):
        """Nothing to do: weights are used where they are."""

    def _weights(self, layer, direction):
        suffix = f"_l{layer}" + ("_reverse" if direction == 1 else "")
        params = self._parameters
        bias_ih = params["bias_ih" + suffix] if self.bias else None
        bias_hh = params["bias_hh" + suffix] if self.bias else None
        weight_hr = params["weight_hr" + suffix] if self.proj_size > 0 else None
        return params["weight_ih" + suffix], params["weight_hh" + suffix], bias_ih, bias_hh, weight_hr

    def _first_states(self, batch, like):
        rows = self.num_layers * (2 if self.bidirectional else 1)
        shown = self.proj_size if self.proj_size > 0 else self.hidden_size
        zeros = torch.zeros(rows, batch, shown, dtype=like.dtype, device=like.device)
        if self.mode != "LSTM":
            return (zeros,)
        if self.proj_size > 0:
            return (zeros, torch.zeros(rows, batch, self.hidden_size, dtype=like.dtype, device=like.device))
        return (zeros, zeros)

    @property
    def all_weights(self):
        directions = 2 if self.bidirectional else 1
        result = []
        for layer in range(self.num_layers):
            for direction in range(directions):
                result.append([w for w in self._weights(layer, direction) if w is not None])
        return result

    def _check(self, input, states, batch):
        if self.input_size != input.size(-1):
            raise RuntimeError(
                "input.size(-1) must be equal to input_size. "
                f"Expected {self.input_size}, got {input.size(-1)}"
            )
        directions = 2 if self.bidirectional else 1
        names = ["hidden[0]", "hidden[1]"] if self.mode == "LSTM" else ["hidden"]
        for name, state in zip(names, states):
            is_projected = self.proj_size > 0 and name != "hidden[1]"
            width = self.proj_size if is_projected else self.hidden_size
            expected = (self.num_layers * directions, batch, width)
            if tuple(state.size()) != expected:
                raise RuntimeError(f"Expected {name} size {expected}, got {list(state.size())}")

    def _step(self, gi, state, weight_hh, bias_hh, weight_hr):
        """The states after one step; `gi`: the input's part of its gates."""
        gh = F.linear(state[0], weight_hh, bias_hh)
        mode = self.mode
        if mode == "LSTM":
            h, c = _lstm_gates(gi + gh, state[1])
            return (h if weight_hr is None else F.linear(h, weight_hr)), c
        if mode == "GRU":
            return (_gru_gates(gi, gh, state[0]),)
        if mode == "RNN_TANH":
            return (torch.tanh(gi + gh),)
        return (torch.relu(gi + gh),)

    def _run_direction(self, input, state, weights, backwards):
        """One layer in one direction over all of `input`: the inputs' part of all gates is one product."""
        weight_ih, weight_hh, bias_ih, bias_hh, weight_hr = weights
        gates = F.linear(input, weight_ih, bias_ih)
        if backwards:
            gates = gates.flip(0)
        outputs = []
        for gi in gates:
            state = self._step(gi, state, weight_hh, bias_hh, weight_hr)
            outputs.append(state[0])
        output = torch.stack(outputs)
        if backwards:
            output = output.flip(0)
        # What PyTorch has one kernel for.
        if self.mode == "LSTM" and weight_hr is None and output.dtype != torch.float64:
            output = torch._C._as_made_by(output, "MkldnnRnnLayerBackward0")
        return output, state

    def _run(self, input, states):
        directions = 2 if self.bidirectional else 1
        finals = [[] for _ in states]
        for layer in range(self.num_layers):
            results = []
            for direction in range(directions):
                row = layer * directions + direction
                state = tuple([s[row] for s in states])
                weights = self._weights(layer, direction)
                output, state = self._run_direction(input, state, weights, direction == 1)
                results.append(output)
                for final, value in zip(finals, state):
                    final.append(value)
            input = results[0] if directions == 1 else torch.cat(results, 2)
            if self.dropout > 0 and self.training and layer < self.num_layers - 1:
                input = F.dropout(input, self.dropout, True)
        return input, tuple([torch.stack(final) for final in finals])

    def _direction_of_packed(self, steps, state, weights, backwards):
        """As `_run_direction` where sequences end at different steps, the longest ones first."""
        weight_ih, weight_hh, bias_ih, bias_hh, weight_hr = weights
        outputs = []
        first = state
        ended = []
        if backwards:
            state = tuple([s[: steps[0].size(0)] for s in state])
        for x in steps:
            rows, n = state[0].size(0), x.size(0)
            if n < rows:
                ended.append(tuple([s[n:] for s in state]))
                state = tuple([s[:n] for s in state])
            elif n > rows:
                state = tuple([torch.cat([s, f[rows:n]]) for s, f in zip(state, first)])
            state = self._step(F.linear(x, weight_ih, bias_ih), state, weight_hh, bias_hh, weight_hr)
            outputs.append(state[0])
        for i in range(len(state) if ended else 0):
            parts = [state[i]] + [e[i] for e in reversed(ended)]
            state = state[:i] + (torch.cat(parts),) + state[i + 1 :]
        return outputs, state

    def _forward_packed(self, packed, hx):
        counts = packed.batch_sizes.tolist()
        directions = 2 if self.bidirectional else 1
        if hx is None:
            hx = self._first_states(counts[0], packed.data)
        else:
            hx = tuple(hx) if self.mode == "LSTM" else (hx,)
            if packed.sorted_indices is not None:
                hx = tuple([h.index_select(1, packed.sorted_indices) for h in hx])
        self._check(packed.data, hx, counts[0])
        steps = list(packed.data.split(counts))
        finals = [[] for _ in hx]
        for layer in range(self.num_layers):
            results = []
            for direction in range(directions):
                state = tuple([h[layer * directions + direction] for h in hx])
                order = steps if direction == 0 else steps[::-1]
                outputs, state = self._direction_of_packed(
                    order, state, self._weights(layer, direction), direction == 1
                )
                results.append(outputs if direction == 0 else outputs[::-1])
                for final, value in zip(finals, state):
                    final.append(value)
            if directions == 1:
                steps = results[0]
            else:
                steps = [torch.cat([a, b], 1) for a, b in zip(results[0], results[1])]
            if self.dropout > 0 and self.training and layer < self.num_layers - 1:
                steps = list(F.dropout(torch.cat(steps), self.dropout, True).split(counts))
        states = [torch.stack(final) for final in finals]
        if packed.unsorted_indices is not None:
            states = [s.index_select(1, packed.unsorted_indices) for s in states]
        output = PackedSequence(
            torch.cat(steps), packed.batch_sizes, packed.sorted_indices, packed.unsorted_indices
        )
        return output, tuple(states) if self.mode == "LSTM" else states[0]

    def forward(self, input, hx=None):
        if isinstance(input, PackedSequence):
            return self._forward_packed(input, hx)
        name = self.mode.split("_")[0]
        if input.dim() not in (2, 3):
            kind = f"{input.dim()}D tensor" if name == "RNN" else f"{input.dim()}D"
            raise ValueError(f"{name}: Expected input to be 2D or 3D, got {kind} instead")
        batched = input.dim() == 3
        if hx is not None and not isinstance(hx, tuple):
            hx = tuple(hx) if self.mode == "LSTM" else (hx,)
        if not batched:
            input = input.unsqueeze(1)
            if hx is not None:
                hx = tuple([state.unsqueeze(1) for state in hx])
        elif self.batch_first:
            input = input.transpose(0, 1)
        batch = input.size(1)
        if hx is None:
            hx = self._first_states(batch, input)
        self._check(input, hx, batch)
        output, states = self._run(input, hx)
        if not batched:
            output = output.squeeze(1)
            states = tuple([state.squeeze(1) for state in states])
        elif self.batch_first:
            output = output.transpose(0, 1)
            if self.mode != "LSTM":
                # PyTorch transposes what it has just made in place.
                output = torch._C._as_made_by(output, "TransposeBackward1")
        if self.mode == "LSTM":
            return output, states
        return output, states[0]

    def extra_repr(self):
        text = f"{self.input_size}, {self.hidden_size}"
        if self.proj_size != 0:
            text += f", proj_size={self.proj_size}"
        if self.num_layers != 1:
            text += f", num_layers={self.num_layers}"
        if self.bias is not True:
            text += f", bias={self.bias}"
        if self.batch_first is not False:
            text += f", batch_first={self.batch_first}"
        if self.dropout != 0:
            text += f", dropout={self.dropout}"
        if self.bidirectional is not False:
            text += f", bidirectional={self.bidirectional}"
        return text


class RNN(RNNBase):
    def __init__(
        self, input_size, hidden_size, num_layers=1, nonlinearity="tanh", *args, **kwargs
    ):
        if "proj_size" in kwargs:
            raise ValueError("proj_size argument is only supported for LSTM, not RNN or GRU")
        if nonlinearity == "tanh":
            mode = "RNN_TANH"
        elif nonlinearity == "relu":
            mode = "RNN_RELU"
        else:
            raise ValueError(
                f"Unknown nonlinearity '{nonlinearity}'. Select from 'tanh' or 'relu'."
            )
        super().__init__(mode, input_size, hidden_size, num_layers, *args, **kwargs)
        self.nonlinearity = nonlinearity


class LSTM(RNNBase):
    def __init__(self, *args, **kwargs):
        super().__init__("LSTM", *args, **kwargs)


class GRU(RNNBase):
    def __init__(self, *args, **kwargs):
        if "proj_size" in kwargs:
            raise ValueError("proj_size argument is only supported for LSTM, not RNN or GRU")
        super().__init__("GRU", *args, **kwargs)
