"""Swin transformers, both versions."""

import math
from functools import partial

import torch
from torch import nn
from torch.nn import functional as F

from torchvision.models._api import builder, model, weights_enum
from torchvision.ops.misc import MLP, Permute, StochasticDepth


def _quarters(x):
    """Each square of four pixels as one pixel with four times the channels."""
    h, w = x.shape[-3], x.shape[-2]
    x = F.pad(x, (0, 0, 0, w % 2, 0, h % 2))
    return torch.cat([x[..., i::2, j::2, :] for j in (0, 1) for i in (0, 1)], -1)


class PatchMerging(nn.Module):
    def __init__(self, dim, norm_layer=nn.LayerNorm):
        super().__init__()
        self.dim = dim
        self.reduction = nn.Linear(4 * dim, 2 * dim, bias=False)
        self.norm = norm_layer(4 * dim)

    def forward(self, x):
        return self.reduction(self.norm(_quarters(x)))


class PatchMergingV2(nn.Module):
    def __init__(self, dim, norm_layer=nn.LayerNorm):
        super().__init__()
        self.dim = dim
        self.reduction = nn.Linear(4 * dim, 2 * dim, bias=False)
        self.norm = norm_layer(2 * dim)

    def forward(self, x):
        return self.norm(self.reduction(_quarters(x)))


def _windows(x, size):
    """An image in windows, one after the other."""
    b, h, w, c = x.shape
    x = x.view(b, h // size[0], size[0], w // size[1], size[1], c)
    return x.permute(0, 1, 3, 2, 4, 5).reshape(-1, size[0] * size[1], c)


def _shift_mask(x, size, shift, height, width):
    """What keeps apart those pixels of a window that a shift brought together from both ends of the image."""
    part = x.new_zeros((height, width))
    number = 0
    for rows in ((0, -size[0]), (-size[0], -shift[0]), (-shift[0], None)):
        for columns in ((0, -size[1]), (-size[1], -shift[1]), (-shift[1], None)):
            part[rows[0] : rows[1], columns[0] : columns[1]] = number
            number += 1
    part = part.view(height // size[0], size[0], width // size[1], size[1])
    part = part.permute(0, 2, 1, 3).reshape(-1, size[0] * size[1])
    apart = part.unsqueeze(1) - part.unsqueeze(2)
    return apart.masked_fill(apart != 0, -100.0).masked_fill(apart == 0, 0.0)


def shifted_window_attention(
    input, qkv_weight, proj_weight, relative_position_bias, window_size, num_heads, shift_size,
    attention_dropout=0.0, dropout=0.0, qkv_bias=None, proj_bias=None, logit_scale=None, training=True,
):
    b, h, w, c = input.shape
    missing = [-n % size for n, size in zip((h, w), window_size)]
    x = F.pad(input, (0, 0, 0, missing[1], 0, missing[0]))
    high, wide = x.shape[1], x.shape[2]
    # A window that holds the whole image stays where it is.
    shift = [0 if size >= n else s for s, size, n in zip(shift_size, window_size, (high, wide))]
    shifted = sum(shift) > 0
    if shifted:
        x = torch.roll(x, (-shift[0], -shift[1]), (1, 2))
    x = _windows(x, window_size)
    rows, pixels = x.shape[0], x.shape[1]
    if logit_scale is not None and qkv_bias is not None:
        # Keys have no bias in the second version.
        qkv_bias = qkv_bias.clone()
        third = qkv_bias.numel() // 3
        qkv_bias[third : 2 * third].zero_()
    qkv = F.linear(x, qkv_weight, qkv_bias).reshape(rows, pixels, 3, num_heads, c // num_heads)
    q, k, v = qkv.permute(2, 0, 3, 1, 4)
    if logit_scale is None:
        scores = (q * (c // num_heads) ** -0.5).matmul(k.transpose(-2, -1))
    else:
        scores = F.normalize(q, dim=-1) @ F.normalize(k, dim=-1).transpose(-2, -1)
        scores = scores * torch.clamp(logit_scale, max=math.log(100.0)).exp()
    scores = scores + relative_position_bias
    if shifted:
        mask = _shift_mask(x, window_size, shift, high, wide)
        count = mask.shape[0]
        scores = scores.view(rows // count, count, num_heads, pixels, pixels) + mask.unsqueeze(1).unsqueeze(0)
        scores = scores.view(-1, num_heads, pixels, pixels)
    weights = F.dropout(F.softmax(scores, dim=-1), p=attention_dropout, training=training)
    x = weights.matmul(v).transpose(1, 2).reshape(rows, pixels, c)
    x = F.dropout(F.linear(x, proj_weight, proj_bias), p=dropout, training=training)
    x = x.view(b, high // window_size[0], wide // window_size[1], window_size[0], window_size[1], c)
    x = x.permute(0, 1, 3, 2, 4, 5).reshape(b, high, wide, c)
    if shifted:
        x = torch.roll(x, (shift[0], shift[1]), (1, 2))
    return x[:, :h, :w, :].contiguous()


class ShiftedWindowAttention(nn.Module):
    def __init__(
        self, dim, window_size, shift_size, num_heads, qkv_bias=True, proj_bias=True, attention_dropout=0.0,
        dropout=0.0,
    ):
        super().__init__()
        if len(window_size) != 2 or len(shift_size) != 2:
            raise ValueError("window_size and shift_size must be of length 2")
        self.window_size = window_size
        self.shift_size = shift_size
        self.num_heads = num_heads
        self.attention_dropout = attention_dropout
        self.dropout = dropout
        self.qkv = nn.Linear(dim, dim * 3, bias=qkv_bias)
        self.proj = nn.Linear(dim, dim, bias=proj_bias)
        self.define_relative_position_bias_table()
        self.define_relative_position_index()

    def define_relative_position_bias_table(self):
        high, wide = self.window_size
        self.relative_position_bias_table = nn.Parameter(torch.zeros((2 * high - 1) * (2 * wide - 1), self.num_heads))
        nn.init.trunc_normal_(self.relative_position_bias_table, std=0.02)

    def define_relative_position_index(self):
        high, wide = self.window_size
        places = torch.stack(torch.meshgrid(torch.arange(high), torch.arange(wide), indexing="ij")).flatten(1)
        rows, columns = places[:, :, None] - places[:, None, :]
        index = (rows + high - 1) * (2 * wide - 1) + columns + wide - 1
        self.register_buffer("relative_position_index", index.flatten())

    def _biases(self, table):
        n = self.window_size[0] * self.window_size[1]
        return table[self.relative_position_index].view(n, n, -1).permute(2, 0, 1).contiguous().unsqueeze(0)

    def get_relative_position_bias(self):
        return self._biases(self.relative_position_bias_table)

    def _scale(self):
        return None

    def forward(self, x):
        return shifted_window_attention(
            x, self.qkv.weight, self.proj.weight, self.get_relative_position_bias(), self.window_size,
            self.num_heads, self.shift_size, self.attention_dropout, self.dropout, self.qkv.bias, self.proj.bias,
            self._scale(), self.training,
        )


class ShiftedWindowAttentionV2(ShiftedWindowAttention):
    def __init__(
        self, dim, window_size, shift_size, num_heads, qkv_bias=True, proj_bias=True, attention_dropout=0.0,
        dropout=0.0,
    ):
        super().__init__(
            dim, window_size, shift_size, num_heads, qkv_bias, proj_bias, attention_dropout, dropout
        )
        self.logit_scale = nn.Parameter(torch.log(10 * torch.ones((num_heads, 1, 1))))
        self.cpb_mlp = nn.Sequential(
            nn.Linear(2, 512, bias=True), nn.ReLU(inplace=True), nn.Linear(512, num_heads, bias=False)
        )
        if qkv_bias:
            third = self.qkv.bias.numel() // 3
            self.qkv.bias[third : 2 * third].data.zero_()

    def define_relative_position_bias_table(self):
        # Distances from -8 to 8, on a logarithmic scale.
        lines = [torch.arange(-(n - 1), n, dtype=torch.float32) for n in self.window_size]
        table = torch.stack(torch.meshgrid(lines, indexing="ij")).permute(1, 2, 0).contiguous().unsqueeze(0)
        for i, n in enumerate(self.window_size):
            table[..., i] /= n - 1
        table *= 8
        table = torch.sign(table) * torch.log2(torch.abs(table) + 1.0) / 3.0
        self.register_buffer("relative_coords_table", table)

    def get_relative_position_bias(self):
        biases = self._biases(self.cpb_mlp(self.relative_coords_table).view(-1, self.num_heads))
        return 16 * torch.sigmoid(biases)

    def _scale(self):
        return self.logit_scale


class SwinTransformerBlock(nn.Module):
    def __init__(
        self, dim, num_heads, window_size, shift_size, mlp_ratio=4.0, dropout=0.0, attention_dropout=0.0,
        stochastic_depth_prob=0.0, norm_layer=nn.LayerNorm, attn_layer=ShiftedWindowAttention,
    ):
        super().__init__()
        self.norm1 = norm_layer(dim)
        self.attn = attn_layer(
            dim, window_size, shift_size, num_heads, attention_dropout=attention_dropout, dropout=dropout
        )
        self.stochastic_depth = StochasticDepth(stochastic_depth_prob, "row")
        self.norm2 = norm_layer(dim)
        self.mlp = MLP(dim, [int(dim * mlp_ratio), dim], activation_layer=nn.GELU, inplace=None, dropout=dropout)
        for m in self.mlp.modules():
            if isinstance(m, nn.Linear):
                nn.init.xavier_uniform_(m.weight)
                if m.bias is not None:
                    nn.init.normal_(m.bias, std=1e-6)

    def forward(self, x):
        x = x + self.stochastic_depth(self.attn(self.norm1(x)))
        return x + self.stochastic_depth(self.mlp(self.norm2(x)))


class SwinTransformerBlockV2(SwinTransformerBlock):
    def __init__(
        self, dim, num_heads, window_size, shift_size, mlp_ratio=4.0, dropout=0.0, attention_dropout=0.0,
        stochastic_depth_prob=0.0, norm_layer=nn.LayerNorm, attn_layer=ShiftedWindowAttentionV2,
    ):
        super().__init__(
            dim, num_heads, window_size, shift_size, mlp_ratio, dropout, attention_dropout, stochastic_depth_prob,
            norm_layer, attn_layer,
        )

    def forward(self, x):
        x = x + self.stochastic_depth(self.norm1(self.attn(x)))
        return x + self.stochastic_depth(self.norm2(self.mlp(x)))


class SwinTransformer(nn.Module):
    def __init__(
        self, patch_size, embed_dim, depths, num_heads, window_size, mlp_ratio=4.0, dropout=0.0,
        attention_dropout=0.0, stochastic_depth_prob=0.1, num_classes=1000, norm_layer=None, block=None,
        downsample_layer=PatchMerging,
    ):
        super().__init__()
        self.num_classes = num_classes
        block = SwinTransformerBlock if block is None else block
        norm_layer = partial(nn.LayerNorm, eps=1e-5) if norm_layer is None else norm_layer
        patch = tuple(patch_size[:2])
        patches = nn.Conv2d(3, embed_dim, kernel_size=patch, stride=patch)
        layers = [nn.Sequential(patches, Permute([0, 2, 3, 1]), norm_layer(embed_dim))]
        at, width = 0, embed_dim
        for number, (depth, heads) in enumerate(zip(depths, num_heads)):
            stage = []
            for i in range(depth):
                shift = [0 if i % 2 == 0 else size // 2 for size in window_size]
                dropped = stochastic_depth_prob * float(at) / (sum(depths) - 1)
                stage.append(
                    block(
                        width, heads, window_size=window_size, shift_size=shift, mlp_ratio=mlp_ratio, dropout=dropout,
                        attention_dropout=attention_dropout, stochastic_depth_prob=dropped, norm_layer=norm_layer,
                    )
                )
                at += 1
            layers.append(nn.Sequential(*stage))
            if number < len(depths) - 1:
                layers.append(downsample_layer(width, norm_layer))
                width *= 2
        self.features = nn.Sequential(*layers)
        self.norm = norm_layer(width)
        self.permute = Permute([0, 3, 1, 2])
        self.avgpool = nn.AdaptiveAvgPool2d(1)
        self.flatten = nn.Flatten(1)
        self.head = nn.Linear(width, num_classes)
        for m in self.modules():
            if isinstance(m, nn.Linear):
                nn.init.trunc_normal_(m.weight, std=0.02)
                if m.bias is not None:
                    nn.init.zeros_(m.bias)

    def forward(self, x):
        x = self.permute(self.norm(self.features(x)))
        return self.head(self.flatten(self.avgpool(x)))


Swin_T_Weights = weights_enum("Swin_T_Weights", __name__)
Swin_S_Weights = weights_enum("Swin_S_Weights", __name__)
Swin_B_Weights = weights_enum("Swin_B_Weights", __name__)
Swin_V2_T_Weights = weights_enum("Swin_V2_T_Weights", __name__)
Swin_V2_S_Weights = weights_enum("Swin_V2_S_Weights", __name__)
Swin_V2_B_Weights = weights_enum("Swin_V2_B_Weights", __name__)

_SECOND = {"block": SwinTransformerBlockV2, "downsample_layer": PatchMergingV2}


def _swin(width, depths, heads, window, dropped, weights, progress, **kwargs):
    dropped = kwargs.pop("stochastic_depth_prob", dropped)
    return model(
        weights, SwinTransformer, [4, 4], width, depths, heads, [window, window], stochastic_depth_prob=dropped,
        progress=progress, **kwargs,
    )


@builder(Swin_T_Weights)
def swin_t(weights, progress, **kwargs):
    return _swin(96, [2, 2, 6, 2], [3, 6, 12, 24], 7, 0.2, weights, progress, **kwargs)


@builder(Swin_S_Weights)
def swin_s(weights, progress, **kwargs):
    return _swin(96, [2, 2, 18, 2], [3, 6, 12, 24], 7, 0.3, weights, progress, **kwargs)


@builder(Swin_B_Weights)
def swin_b(weights, progress, **kwargs):
    return _swin(128, [2, 2, 18, 2], [4, 8, 16, 32], 7, 0.5, weights, progress, **kwargs)


@builder(Swin_V2_T_Weights)
def swin_v2_t(weights, progress, **kwargs):
    return _swin(96, [2, 2, 6, 2], [3, 6, 12, 24], 8, 0.2, weights, progress, **_SECOND, **kwargs)


@builder(Swin_V2_S_Weights)
def swin_v2_s(weights, progress, **kwargs):
    return _swin(96, [2, 2, 18, 2], [3, 6, 12, 24], 8, 0.3, weights, progress, **_SECOND, **kwargs)


@builder(Swin_V2_B_Weights)
def swin_v2_b(weights, progress, **kwargs):
    return _swin(128, [2, 2, 18, 2], [4, 8, 16, 32], 8, 0.5, weights, progress, **_SECOND, **kwargs)
