"""Transformers over pieces of a picture."""

import math
from collections import OrderedDict
from functools import partial

import torch
from torch import nn

from torchvision.models._api import builder, model, weights_enum
from torchvision.ops.misc import MLP


class MLPBlock(MLP):
    def __init__(self, in_dim, mlp_dim, dropout):
        super().__init__(in_dim, [mlp_dim, in_dim], activation_layer=nn.GELU, inplace=None, dropout=dropout)
        for m in self.modules():
            if isinstance(m, nn.Linear):
                nn.init.xavier_uniform_(m.weight)
                if m.bias is not None:
                    nn.init.normal_(m.bias, std=1e-6)


class EncoderBlock(nn.Module):
    def __init__(
        self, num_heads, hidden_dim, mlp_dim, dropout, attention_dropout,
        norm_layer=partial(nn.LayerNorm, eps=1e-6),
    ):
        super().__init__()
        self.num_heads = num_heads
        self.ln_1 = norm_layer(hidden_dim)
        self.self_attention = nn.MultiheadAttention(
            hidden_dim, num_heads, dropout=attention_dropout, batch_first=True
        )
        self.dropout = nn.Dropout(dropout)
        self.ln_2 = norm_layer(hidden_dim)
        self.mlp = MLPBlock(hidden_dim, mlp_dim, dropout)

    def forward(self, input):
        if input.dim() != 3:
            raise AssertionError(f"Expected (batch_size, seq_length, hidden_dim) got {input.shape}")
        x = self.ln_1(input)
        x, _ = self.self_attention(x, x, x, need_weights=False)
        x = self.dropout(x) + input
        return x + self.mlp(self.ln_2(x))


class Encoder(nn.Module):
    def __init__(
        self, seq_length, num_layers, num_heads, hidden_dim, mlp_dim, dropout, attention_dropout,
        norm_layer=partial(nn.LayerNorm, eps=1e-6),
    ):
        super().__init__()
        self.pos_embedding = nn.Parameter(torch.empty(1, seq_length, hidden_dim).normal_(std=0.02))
        self.dropout = nn.Dropout(dropout)
        layers = OrderedDict()
        for i in range(num_layers):
            layers[f"encoder_layer_{i}"] = EncoderBlock(
                num_heads, hidden_dim, mlp_dim, dropout, attention_dropout, norm_layer
            )
        self.layers = nn.Sequential(layers)
        self.ln = norm_layer(hidden_dim)

    def forward(self, input):
        if input.dim() != 3:
            raise AssertionError(f"Expected (batch_size, seq_length, hidden_dim) got {input.shape}")
        return self.ln(self.layers(self.dropout(input + self.pos_embedding)))


class VisionTransformer(nn.Module):
    def __init__(
        self, image_size, patch_size, num_layers, num_heads, hidden_dim, mlp_dim, dropout=0.0,
        attention_dropout=0.0, num_classes=1000, representation_size=None,
        norm_layer=partial(nn.LayerNorm, eps=1e-6),
    ):
        super().__init__()
        if image_size % patch_size != 0:
            raise AssertionError("Input shape indivisible by patch size!")
        self.image_size = image_size
        self.patch_size = patch_size
        self.hidden_dim = hidden_dim
        self.mlp_dim = mlp_dim
        self.attention_dropout = attention_dropout
        self.dropout = dropout
        self.num_classes = num_classes
        self.representation_size = representation_size
        self.norm_layer = norm_layer
        self.conv_proj = nn.Conv2d(3, hidden_dim, kernel_size=patch_size, stride=patch_size)
        seq_length = (image_size // patch_size) ** 2
        self.class_token = nn.Parameter(torch.zeros(1, 1, hidden_dim))
        seq_length += 1
        self.encoder = Encoder(
            seq_length, num_layers, num_heads, hidden_dim, mlp_dim, dropout, attention_dropout, norm_layer
        )
        self.seq_length = seq_length
        heads = OrderedDict()
        if representation_size is None:
            heads["head"] = nn.Linear(hidden_dim, num_classes)
        else:
            heads["pre_logits"] = nn.Linear(hidden_dim, representation_size)
            heads["act"] = nn.Tanh()
            heads["head"] = nn.Linear(representation_size, num_classes)
        self.heads = nn.Sequential(heads)
        fan_in = self.conv_proj.in_channels * self.conv_proj.kernel_size[0] * self.conv_proj.kernel_size[1]
        nn.init.trunc_normal_(self.conv_proj.weight, std=math.sqrt(1 / fan_in))
        nn.init.zeros_(self.conv_proj.bias)
        if representation_size is not None:
            fan_in = self.heads.pre_logits.in_features
            nn.init.trunc_normal_(self.heads.pre_logits.weight, std=math.sqrt(1 / fan_in))
            nn.init.zeros_(self.heads.pre_logits.bias)
        nn.init.zeros_(self.heads.head.weight)
        nn.init.zeros_(self.heads.head.bias)

    def _process_input(self, x):
        n, _, h, w = x.shape
        for name, extent in (("height", h), ("width", w)):
            if extent != self.image_size:
                raise AssertionError(f"Wrong image {name}! Expected {self.image_size} but got {extent}!")
        return self.conv_proj(x).reshape(n, self.hidden_dim, -1).permute(0, 2, 1)

    def forward(self, x):
        x = self._process_input(x)
        x = torch.cat([self.class_token.expand(x.shape[0], -1, -1), x], dim=1)
        return self.heads(self.encoder(x)[:, 0])


def _vit(patch, layers, heads, hidden, mlp, weights, progress, **kwargs):
    image_size = kwargs.pop("image_size", None)
    if weights is not None:
        member = weights.transforms().crop_size[0]
        if image_size not in (None, member):
            raise ValueError(f"The parameter 'image_size' expected value {member} but got {image_size} instead.")
        image_size = member
    image_size = 224 if image_size is None else image_size
    return model(
        weights, VisionTransformer, image_size, patch, layers, heads, hidden, mlp, progress=progress, **kwargs
    )


ViT_B_16_Weights = weights_enum("ViT_B_16_Weights", __name__)
ViT_B_32_Weights = weights_enum("ViT_B_32_Weights", __name__)
ViT_L_16_Weights = weights_enum("ViT_L_16_Weights", __name__)
ViT_L_32_Weights = weights_enum("ViT_L_32_Weights", __name__)
ViT_H_14_Weights = weights_enum("ViT_H_14_Weights", __name__)


@builder(ViT_B_16_Weights)
def vit_b_16(weights, progress, **kwargs):
    return _vit(16, 12, 12, 768, 3072, weights, progress, **kwargs)


@builder(ViT_B_32_Weights)
def vit_b_32(weights, progress, **kwargs):
    return _vit(32, 12, 12, 768, 3072, weights, progress, **kwargs)


@builder(ViT_L_16_Weights)
def vit_l_16(weights, progress, **kwargs):
    return _vit(16, 24, 16, 1024, 4096, weights, progress, **kwargs)


@builder(ViT_L_32_Weights)
def vit_l_32(weights, progress, **kwargs):
    return _vit(32, 24, 16, 1024, 4096, weights, progress, **kwargs)


@builder(ViT_H_14_Weights, "IMAGENET1K_SWAG_E2E_V1")
def vit_h_14(weights, progress, **kwargs):
    return _vit(14, 32, 16, 1280, 5120, weights, progress, **kwargs)
