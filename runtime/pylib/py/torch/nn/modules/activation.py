"""Activations as modules."""

import torch
from torch.nn import functional as F
from torch.nn import init as _init
from torch.nn.modules.linear import NonDynamicallyQuantizableLinear
from torch.nn.modules.module import Module
from torch.nn.parameter import Parameter


class _Inplace(Module):
    """Activations whose only option is `inplace`."""

    def __init__(self, inplace=False):
        super().__init__()
        self.inplace = inplace

    def extra_repr(self):
        return "inplace=True" if self.inplace else ""


class _Along(Module):
    """Activations along one dimension."""

    def __init__(self, dim=None):
        super().__init__()
        self.dim = dim

    def extra_repr(self):
        return f"dim={self.dim}"


class Threshold(Module):
    def __init__(self, threshold, value, inplace=False):
        super().__init__()
        self.threshold = threshold
        self.value = value
        self.inplace = inplace

    def forward(self, input):
        return F.threshold(input, self.threshold, self.value, self.inplace)

    def extra_repr(self):
        inplace = ", inplace=True" if self.inplace else ""
        return f"threshold={self.threshold}, value={self.value}{inplace}"


class ReLU(_Inplace):
    def forward(self, input):
        return F.relu(input, self.inplace)


class SiLU(_Inplace):
    def forward(self, input):
        return F.silu(input, self.inplace)


class Mish(_Inplace):
    def forward(self, input):
        return F.mish(input, self.inplace)


class SELU(_Inplace):
    def forward(self, input):
        return F.selu(input, self.inplace)


class Hardsigmoid(_Inplace):
    def forward(self, input):
        return F.hardsigmoid(input, self.inplace)

    def extra_repr(self):
        return ""


class Hardswish(_Inplace):
    def forward(self, input):
        return F.hardswish(input, self.inplace)

    def extra_repr(self):
        return ""


class Hardtanh(Module):
    def __init__(self, min_val=-1.0, max_val=1.0, inplace=False):
        super().__init__()
        self.min_val = min_val
        self.max_val = max_val
        self.inplace = inplace
        if self.max_val <= self.min_val:
            raise AssertionError(
                f"max_val ({self.max_val}) must be greater than min_val ({self.min_val})"
            )

    def forward(self, input):
        return F.hardtanh(input, self.min_val, self.max_val, self.inplace)

    def extra_repr(self):
        inplace = ", inplace=True" if self.inplace else ""
        return f"min_val={self.min_val}, max_val={self.max_val}{inplace}"


class ReLU6(Hardtanh):
    def __init__(self, inplace=False):
        super().__init__(0.0, 6.0, inplace)

    def extra_repr(self):
        return "inplace=True" if self.inplace else ""


class _Alpha(Module):
    def __init__(self, alpha=1.0, inplace=False):
        super().__init__()
        self.alpha = alpha
        self.inplace = inplace

    def extra_repr(self):
        inplace = ", inplace=True" if self.inplace else ""
        return f"alpha={self.alpha}{inplace}"


class ELU(_Alpha):
    def forward(self, input):
        return F.elu(input, self.alpha, self.inplace)


class CELU(_Alpha):
    def forward(self, input):
        return F.celu(input, self.alpha, self.inplace)


class Sigmoid(Module):
    def forward(self, input):
        return torch.sigmoid(input)


class Tanh(Module):
    def forward(self, input):
        return torch.tanh(input)


class LogSigmoid(Module):
    def forward(self, input):
        return F.logsigmoid(input)


class Softsign(Module):
    def forward(self, input):
        return F.softsign(input)


class Tanhshrink(Module):
    def forward(self, input):
        return F.tanhshrink(input)


class GELU(Module):
    def __init__(self, approximate="none"):
        super().__init__()
        self.approximate = approximate

    def forward(self, input):
        return F.gelu(input, approximate=self.approximate)

    def extra_repr(self):
        return f"approximate={repr(self.approximate)}"


class GLU(Module):
    def __init__(self, dim=-1):
        super().__init__()
        self.dim = dim

    def forward(self, input):
        return F.glu(input, self.dim)

    def extra_repr(self):
        return f"dim={self.dim}"


class Hardshrink(Module):
    def __init__(self, lambd=0.5):
        super().__init__()
        self.lambd = lambd

    def forward(self, input):
        return F.hardshrink(input, self.lambd)

    def extra_repr(self):
        return f"{self.lambd}"


class Softshrink(Module):
    def __init__(self, lambd=0.5):
        super().__init__()
        self.lambd = lambd

    def forward(self, input):
        return F.softshrink(input, self.lambd)

    def extra_repr(self):
        return str(self.lambd)


class LeakyReLU(Module):
    def __init__(self, negative_slope=1e-2, inplace=False):
        super().__init__()
        self.negative_slope = negative_slope
        self.inplace = inplace

    def forward(self, input):
        return F.leaky_relu(input, self.negative_slope, self.inplace)

    def extra_repr(self):
        inplace = ", inplace=True" if self.inplace else ""
        return f"negative_slope={self.negative_slope}{inplace}"


class Softplus(Module):
    def __init__(self, beta=1.0, threshold=20.0):
        super().__init__()
        self.beta = beta
        self.threshold = threshold

    def forward(self, input):
        return F.softplus(input, self.beta, self.threshold)

    def extra_repr(self):
        return f"beta={self.beta}, threshold={self.threshold}"


class PReLU(Module):
    def __init__(self, num_parameters=1, init=0.25, device=None, dtype=None):
        self.num_parameters = num_parameters
        super().__init__()
        self.init = init
        self.weight = Parameter(torch.empty(num_parameters, device=device, dtype=dtype))
        self.reset_parameters()

    def reset_parameters(self):
        _init.constant_(self.weight, self.init)

    def forward(self, input):
        return F.prelu(input, self.weight)

    def extra_repr(self):
        return f"num_parameters={self.num_parameters}"


class Softmax(_Along):
    def forward(self, input):
        return F.softmax(input, self.dim)


class Softmin(_Along):
    def forward(self, input):
        return F.softmin(input, self.dim)


class LogSoftmax(_Along):
    def forward(self, input):
        return F.log_softmax(input, self.dim)


class MultiheadAttention(Module):
    def __init__(
        self,
        embed_dim,
        num_heads,
        dropout=0.0,
        bias=True,
        add_bias_kv=False,
        add_zero_attn=False,
        kdim=None,
        vdim=None,
        batch_first=False,
        device=None,
        dtype=None,
    ):
        if embed_dim <= 0 or num_heads <= 0:
            raise ValueError(
                f"embed_dim and num_heads must be greater than 0, got embed_dim={embed_dim} and num_heads={num_heads} instead"
            )
        super().__init__()
        self.embed_dim = embed_dim
        self.kdim = kdim if kdim is not None else embed_dim
        self.vdim = vdim if vdim is not None else embed_dim
        self._qkv_same_embed_dim = self.kdim == embed_dim and self.vdim == embed_dim
        self.num_heads = num_heads
        self.dropout = dropout
        self.batch_first = batch_first
        self.head_dim = embed_dim // num_heads
        if self.head_dim * num_heads != self.embed_dim:
            raise AssertionError("embed_dim must be divisible by num_heads")
        if self._qkv_same_embed_dim:
            self.in_proj_weight = Parameter(
                torch.empty((3 * embed_dim, embed_dim), device=device, dtype=dtype)
            )
            self.register_parameter("q_proj_weight", None)
            self.register_parameter("k_proj_weight", None)
            self.register_parameter("v_proj_weight", None)
        else:
            self.q_proj_weight = Parameter(
                torch.empty((embed_dim, embed_dim), device=device, dtype=dtype)
            )
            self.k_proj_weight = Parameter(
                torch.empty((embed_dim, self.kdim), device=device, dtype=dtype)
            )
            self.v_proj_weight = Parameter(
                torch.empty((embed_dim, self.vdim), device=device, dtype=dtype)
            )
            self.register_parameter("in_proj_weight", None)
        if bias:
            self.in_proj_bias = Parameter(torch.empty(3 * embed_dim, device=device, dtype=dtype))
        else:
            self.register_parameter("in_proj_bias", None)
        self.out_proj = NonDynamicallyQuantizableLinear(
            embed_dim, embed_dim, bias=bias, device=device, dtype=dtype
        )
        if add_bias_kv:
            self.bias_k = Parameter(torch.empty((1, 1, embed_dim), device=device, dtype=dtype))
            self.bias_v = Parameter(torch.empty((1, 1, embed_dim), device=device, dtype=dtype))
        else:
            self.bias_k = self.bias_v = None
        self.add_zero_attn = add_zero_attn
        self._reset_parameters()

    def _reset_parameters(self):
        if self._qkv_same_embed_dim:
            _init.xavier_uniform_(self.in_proj_weight)
        else:
            _init.xavier_uniform_(self.q_proj_weight)
            _init.xavier_uniform_(self.k_proj_weight)
            _init.xavier_uniform_(self.v_proj_weight)
        if self.in_proj_bias is not None:
            _init.constant_(self.in_proj_bias, 0.0)
            _init.constant_(self.out_proj.bias, 0.0)
        if self.bias_k is not None:
            _init.xavier_normal_(self.bias_k)
            _init.xavier_normal_(self.bias_v)

    def _is_fast(self, query, key, value):
        """Whether PyTorch takes one kernel here, whose rows without any key are NaN whatever is asked for."""
        if self.training or not self.batch_first or self.num_heads % 2 == 1 or query.dim() != 3:
            return False
        if query is not key or key is not value or self.in_proj_weight is None or self.in_proj_bias is None:
            return False
        if self.bias_k is not None or self.add_zero_attn:
            return False
        if not torch.is_grad_enabled():
            return True
        parts = (query, self.in_proj_weight, self.in_proj_bias, self.out_proj.weight, self.out_proj.bias)
        return not any([part is not None and part.requires_grad for part in parts])

    def _check_shapes(self, query, key, value, key_padding_mask, attn_mask):
        n = query.dim()
        if n not in (2, 3):
            raise AssertionError(
                f"query should be unbatched 2D or batched 3D tensor but received {n}-D query tensor"
            )
        kind = "For batched (3-D) `query`, expected " if n == 3 else "For unbatched (2-D) `query`, expected "
        if key.dim() != n or value.dim() != n:
            raise AssertionError(
                f"{kind}`key` and `value` to be {n}-D but found {key.dim()}-D and {value.dim()}-D tensors respectively"
            )
        if key_padding_mask is not None and key_padding_mask.dim() != n - 1:
            raise AssertionError(
                f"{kind}`key_padding_mask` to be `None` or {n - 1}-D but found {key_padding_mask.dim()}-D tensor instead"
            )
        if attn_mask is None:
            return
        if attn_mask.dim() not in (2, 3):
            raise AssertionError(
                f"{kind}`attn_mask` to be `None`, 2-D or 3-D but found {attn_mask.dim()}-D tensor instead"
            )
        if n == 2 and attn_mask.dim() == 3:
            expected = (self.num_heads, query.shape[0], key.shape[0])
            if attn_mask.shape != expected:
                raise AssertionError(f"Expected `attn_mask` shape to be {expected} but got {attn_mask.shape}")

    def _project(self, query, key, value):
        if self._qkv_same_embed_dim:
            wq, wk, wv = self.in_proj_weight.chunk(3)
        else:
            wq, wk, wv = self.q_proj_weight, self.k_proj_weight, self.v_proj_weight
        if self.in_proj_bias is None:
            return F.linear(query, wq), F.linear(key, wk), F.linear(value, wv)
        bq, bk, bv = self.in_proj_bias.chunk(3)
        return F.linear(query, wq, bq), F.linear(key, wk, bk), F.linear(value, wv, bv)

    def forward(
        self,
        query,
        key,
        value,
        key_padding_mask=None,
        need_weights=True,
        attn_mask=None,
        average_attn_weights=True,
        is_causal=False,
    ):
        is_float = attn_mask is not None and attn_mask.is_floating_point()
        is_float = is_float or (key_padding_mask is not None and key_padding_mask.is_floating_point())
        other = None if attn_mask is None else attn_mask.dtype
        dtype = query.dtype
        pad = F._canonical_mask(key_padding_mask, "key_padding_mask", other, "attn_mask", dtype)
        mask = F._canonical_mask(attn_mask, "attn_mask", None, "", dtype)
        weighted = need_weights
        if not is_float and self._is_fast(query, key, value):
            weighted, is_causal = True, False
        self._check_shapes(query, key, value, pad, mask)
        batched = query.dim() == 3
        if not batched:
            query, key, value = query.unsqueeze(1), key.unsqueeze(1), value.unsqueeze(1)
            if pad is not None:
                pad = pad.unsqueeze(0)
        elif self.batch_first:
            query, key, value = query.transpose(1, 0), key.transpose(1, 0), value.transpose(1, 0)
        tgt_len, bsz, embed_dim = query.shape
        src_len = key.shape[0]
        heads, head_dim = self.num_heads, self.head_dim
        if is_causal:
            if mask is None:
                raise RuntimeError(
                    "Need attn_mask if specifying the is_causal hint. You may use the Transformer module method "
                    "`generate_square_subsequent_mask` to create this mask."
                )
            if pad is None and not weighted:
                # The hint stands for the mask.
                mask = None
            else:
                is_causal = False
        if embed_dim != self.embed_dim:
            raise AssertionError(f"was expecting embedding dimension of {self.embed_dim}, but got {embed_dim}")
        if not self._qkv_same_embed_dim:
            if key.shape[:2] != value.shape[:2]:
                raise AssertionError(
                    f"key's sequence and batch dims {key.shape[:2]} do not match value's {value.shape[:2]}"
                )
        elif key.shape != value.shape:
            raise AssertionError(f"key shape {key.shape} does not match value shape {value.shape}")
        q, k, v = self._project(query, key, value)
        if mask is not None:
            if mask.dim() == 2:
                if mask.shape != (tgt_len, src_len):
                    raise RuntimeError(
                        f"The shape of the 2D attn_mask is {mask.shape}, but should be {(tgt_len, src_len)}."
                    )
                mask = mask.unsqueeze(0)
            elif mask.shape != (bsz * heads, tgt_len, src_len):
                raise RuntimeError(
                    f"The shape of the 3D attn_mask is {mask.shape}, but should be {(bsz * heads, tgt_len, src_len)}."
                )
        more = 0
        if self.bias_k is not None:
            k = torch.cat([k, self.bias_k.repeat(1, bsz, 1)])
            v = torch.cat([v, self.bias_v.repeat(1, bsz, 1)])
            more = 1
        q = q.view(tgt_len, bsz * heads, head_dim).transpose(0, 1)
        k = k.view(k.shape[0], bsz * heads, head_dim).transpose(0, 1)
        v = v.view(v.shape[0], bsz * heads, head_dim).transpose(0, 1)
        if self.add_zero_attn:
            zeros = torch.zeros((bsz * heads, 1, head_dim), dtype=k.dtype, device=k.device)
            k, v = torch.cat([k, zeros], dim=1), torch.cat([v, zeros], dim=1)
            more = more + 1
        if more > 0:
            # Keys of our own are masked for nobody.
            if mask is not None:
                mask = F.pad(mask, (0, more))
            if pad is not None:
                pad = F.pad(pad, (0, more))
            src_len = src_len + more
        if pad is not None:
            for i, size in enumerate((bsz, src_len)):
                if pad.shape[i] != size:
                    raise AssertionError(f"Expected key_padded_mask.shape[{i}] to be {size}, but got {pad.shape[i]}")
            pad = pad.view(bsz, 1, 1, src_len).expand(-1, heads, -1, -1)
            pad = pad.reshape(bsz * heads, 1, src_len)
            mask = pad if mask is None else mask + pad
        dropout_p = self.dropout if self.training else 0.0
        if weighted:
            scores = torch.bmm(q * (1.0 / head_dim) ** 0.5, k.transpose(-2, -1))
            if mask is not None:
                scores = scores + mask
            weights = F.softmax(scores, dim=-1)
            if dropout_p > 0.0:
                weights = F.dropout(weights, p=dropout_p)
            output = torch.bmm(weights, v)
            output = output.transpose(0, 1).contiguous().view(tgt_len * bsz, embed_dim)
        else:
            if mask is not None:
                mask = mask.unsqueeze(0) if mask.shape[0] == 1 else mask.view(bsz, heads, -1, src_len)
            q = q.view(bsz, heads, tgt_len, head_dim)
            k, v = k.view(bsz, heads, src_len, head_dim), v.view(bsz, heads, src_len, head_dim)
            output = F.scaled_dot_product_attention(q, k, v, mask, dropout_p, is_causal)
            output = output.permute(2, 0, 1, 3).contiguous().view(bsz * tgt_len, embed_dim)
        output = F.linear(output, self.out_proj.weight, self.out_proj.bias)
        output = output.view(tgt_len, bsz, embed_dim)
        if batched and self.batch_first:
            output = output.transpose(1, 0)
        if not batched:
            output = output.squeeze(1)
        if not need_weights:
            return output, None
        weights = weights.view(bsz, heads, tgt_len, src_len)
        if average_attn_weights:
            weights = weights.mean(dim=1)
        if not batched:
            weights = weights.squeeze(0)
        return output, weights


class RReLU(Module):
    def __init__(self, lower=1.0 / 8, upper=1.0 / 3, inplace=False):
        super().__init__()
        self.lower = lower
        self.upper = upper
        self.inplace = inplace

    def forward(self, input):
        return F.rrelu(input, self.lower, self.upper, self.training, self.inplace)

    def extra_repr(self):
        return f"lower={self.lower}, upper={self.upper}" + (", inplace=True" if self.inplace else "")


class Softmax2d(Module):
    def forward(self, input):
        if input.dim() not in (3, 4):
            raise ValueError(f"Softmax2d: expected input to be 3D or 4D, got {input.dim()}D instead")
        return F.softmax(input, -3)
