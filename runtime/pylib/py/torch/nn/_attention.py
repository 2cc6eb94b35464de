"""Attention of several heads as a function of its weights."""

import torch
from torch.nn import functional as F


def _check_shapes(query, key, value, key_padding_mask, attn_mask, num_heads):
    n = query.dim()
    if n not in (2, 3):
        raise AssertionError(f"query should be unbatched 2D or batched 3D tensor but received {n}-D query tensor")
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
        expected = (num_heads, query.shape[0], key.shape[0])
        if attn_mask.shape != expected:
            raise AssertionError(f"Expected `attn_mask` shape to be {expected} but got {attn_mask.shape}")


def _project(query, key, value, weights, bias):
    wq, wk, wv = weights
    if bias is None:
        return F.linear(query, wq), F.linear(key, wk), F.linear(value, wv)
    bq, bk, bv = bias.chunk(3)
    return F.linear(query, wq, bq), F.linear(key, wk, bk), F.linear(value, wv, bv)


def attend(
    query, key, value, embed_dim_to_check, num_heads, in_proj_weight, in_proj_bias, bias_k, bias_v, add_zero_attn,
    dropout_p, out_proj_weight, out_proj_bias, training=True, key_padding_mask=None, need_weights=True,
    attn_mask=None, use_separate_proj_weight=False, q_proj_weight=None, k_proj_weight=None, v_proj_weight=None,
    static_k=None, static_v=None, average_attn_weights=True, is_causal=False, is_fast=False,
):
    """`is_fast`: whether PyTorch takes one kernel, whose rows without any key are NaN whatever is asked for."""
    other = None if attn_mask is None else attn_mask.dtype
    dtype = query.dtype
    pad = F._canonical_mask(key_padding_mask, "key_padding_mask", other, "attn_mask", dtype)
    mask = F._canonical_mask(attn_mask, "attn_mask", None, "", dtype)
    weighted = need_weights
    if is_fast:
        weighted, is_causal = True, False
    _check_shapes(query, key, value, pad, mask, num_heads)
    batched = query.dim() == 3
    if not batched:
        query, key, value = query.unsqueeze(1), key.unsqueeze(1), value.unsqueeze(1)
        if pad is not None:
            pad = pad.unsqueeze(0)
    tgt_len, bsz, embed_dim = query.shape
    src_len = key.shape[0]
    heads, head_dim = num_heads, embed_dim // num_heads
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
    if embed_dim != embed_dim_to_check:
        raise AssertionError(f"was expecting embedding dimension of {embed_dim_to_check}, but got {embed_dim}")
    if head_dim * heads != embed_dim:
        raise AssertionError(f"embed_dim {embed_dim} not divisible by num_heads {num_heads}")
    if use_separate_proj_weight:
        if key.shape[:2] != value.shape[:2]:
            raise AssertionError(
                f"key's sequence and batch dims {key.shape[:2]} do not match value's {value.shape[:2]}"
            )
        for name, weight in (("q", q_proj_weight), ("k", k_proj_weight), ("v", v_proj_weight)):
            if weight is None:
                raise AssertionError(f"use_separate_proj_weight is True but {name}_proj_weight is None")
        projections = (q_proj_weight, k_proj_weight, v_proj_weight)
    else:
        if key.shape != value.shape:
            raise AssertionError(f"key shape {key.shape} does not match value shape {value.shape}")
        if in_proj_weight is None:
            raise AssertionError("use_separate_proj_weight is False but in_proj_weight is None")
        projections = in_proj_weight.chunk(3)
    q, k, v = _project(query, key, value, projections, in_proj_bias)
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
    if bias_k is not None and bias_v is not None:
        if static_k is not None or static_v is not None:
            raise AssertionError("bias cannot be added to static key or value.")
        k = torch.cat([k, bias_k.repeat(1, bsz, 1)])
        v = torch.cat([v, bias_v.repeat(1, bsz, 1)])
        more = 1
    q = q.view(tgt_len, bsz * heads, head_dim).transpose(0, 1)
    if static_k is None:
        k = k.view(k.shape[0], bsz * heads, head_dim).transpose(0, 1)
    else:
        k = _static(static_k, "static_k", bsz * heads, head_dim)
    if static_v is None:
        v = v.view(v.shape[0], bsz * heads, head_dim).transpose(0, 1)
    else:
        v = _static(static_v, "static_v", bsz * heads, head_dim)
    if add_zero_attn:
        zeros = torch.zeros((bsz * heads, 1, head_dim), dtype=k.dtype, device=k.device)
        k, v = torch.cat([k, zeros], dim=1), torch.cat([v, zeros], dim=1)
        more = more + 1
    if more > 0:
        # Keys of our own are masked for nobody.
        if mask is not None:
            mask = F.pad(mask, (0, more))
        if pad is not None:
            pad = F.pad(pad, (0, more))
    src_len = k.shape[1]
    if pad is not None:
        for i, size in enumerate((bsz, src_len)):
            if pad.shape[i] != size:
                raise AssertionError(f"Expected key_padded_mask.shape[{i}] to be {size}, but got {pad.shape[i]}")
        pad = pad.view(bsz, 1, 1, src_len).expand(-1, heads, -1, -1)
        pad = pad.reshape(bsz * heads, 1, src_len)
        mask = pad if mask is None else mask + pad
    if not training:
        dropout_p = 0.0
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
    output = F.linear(output, out_proj_weight, out_proj_bias)
    output = output.view(tgt_len, bsz, output.size(1))
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


def _static(tensor, name, rows, width):
    if tensor.size(0) != rows:
        raise AssertionError(f"expecting {name}.size(0) of {rows}, but got {tensor.size(0)}")
    if tensor.size(2) != width:
        raise AssertionError(f"expecting {name}.size(2) of {width}, but got {tensor.size(2)}")
    return tensor


def multi_head_attention_forward(
    query, key, value, embed_dim_to_check, num_heads, in_proj_weight, in_proj_bias, bias_k, bias_v, add_zero_attn,
    dropout_p, out_proj_weight, out_proj_bias, training=True, key_padding_mask=None, need_weights=True,
    attn_mask=None, use_separate_proj_weight=False, q_proj_weight=None, k_proj_weight=None, v_proj_weight=None,
    static_k=None, static_v=None, average_attn_weights=True, is_causal=False,
):
    return attend(
        query, key, value, embed_dim_to_check, num_heads, in_proj_weight, in_proj_bias, bias_k, bias_v, add_zero_attn,
        dropout_p, out_proj_weight, out_proj_bias, training, key_padding_mask, need_weights, attn_mask,
        use_separate_proj_weight, q_proj_weight, k_proj_weight, v_proj_weight, static_k, static_v,
        average_attn_weights, is_causal,
    )
