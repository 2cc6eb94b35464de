"""Batch norms folded into the layers before them, for evaluation."""

import copy

import torch


def _scales(bn_rv, bn_eps, bn_w):
    scale = torch.rsqrt(bn_rv + bn_eps)
    return scale if bn_w is None else bn_w * scale


def _folded(weight, bias, mean, scale, shift, transpose):
    shape = [1] * weight.dim()
    shape[1 if transpose else 0] = -1
    bias = torch.zeros_like(mean) if bias is None else bias
    shift = torch.zeros_like(mean) if shift is None else shift
    fused = weight * scale.reshape(shape), (bias - mean) * scale + shift
    return tuple(torch.nn.Parameter(f, weight.requires_grad) for f in fused)


def fuse_conv_bn_weights(conv_w, conv_b, bn_rm, bn_rv, bn_eps, bn_w, bn_b, transpose=False):
    return _folded(conv_w, conv_b, bn_rm, _scales(bn_rv, bn_eps, bn_w), bn_b, transpose)


def fuse_linear_bn_weights(linear_w, linear_b, bn_rm, bn_rv, bn_eps, bn_w, bn_b):
    return _folded(linear_w, linear_b, bn_rm, _scales(bn_rv, bn_eps, bn_w), bn_b, False)


def _fused(layer, bn, transpose):
    if layer.training or bn.training:
        raise AssertionError("Fusion only for eval!")
    if bn.running_mean is None or bn.running_var is None:
        raise AssertionError("bn.running_mean and bn.running_var must not be None")
    made = copy.deepcopy(layer)
    scale = _scales(bn.running_var, bn.eps, bn.weight)
    made.weight, made.bias = _folded(made.weight, made.bias, bn.running_mean, scale, bn.bias, transpose)
    return made


def fuse_conv_bn_eval(conv, bn, transpose=False):
    return _fused(conv, bn, transpose)


def fuse_linear_bn_eval(linear, bn):
    return _fused(linear, bn, False)
