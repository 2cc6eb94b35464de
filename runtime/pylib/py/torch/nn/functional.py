"""torch.nn.functional: mostly native; compositions that need no kernel of their own stand here."""

import math

import torch
from torch._C._nn import *


def _legacy_reduction(size_average, reduce):
    size_average = True if size_average is None else size_average
    reduce = True if reduce is None else reduce
    if size_average and reduce:
        return "mean"
    return "sum" if reduce else "none"


def _reduced(values, reduction):
    if reduction == "mean":
        return values.mean()
    if reduction == "sum":
        return values.sum()
    if reduction == "none":
        return values
    raise ValueError(f"{reduction} is not a valid value for reduction")


def relu_(input):
    return input.relu_()


def bilinear(input1, input2, weight, bias=None):
    result = torch.einsum("...i,oij,...j->...o", input1, weight, input2)
    return result if bias is None else result + bias


def cosine_similarity(x1, x2, dim=1, eps=1e-8):
    n1 = torch.linalg.vector_norm(x1, 2, dim, keepdim=True).clamp_min(eps)
    n2 = torch.linalg.vector_norm(x2, 2, dim, keepdim=True).clamp_min(eps)
    return ((x1 / n1) * (x2 / n2)).sum(dim)


def pairwise_distance(x1, x2, p=2.0, eps=1e-6, keepdim=False):
    return torch.linalg.vector_norm(x1 - x2 + eps, p, -1, keepdim)


def gumbel_softmax(logits, tau=1, hard=False, eps=1e-10, dim=-1):
    gumbels = -torch.empty_like(logits).exponential_().log()
    gumbels = (logits + gumbels) / tau
    soft = softmax(gumbels, dim)
    if not hard:
        return soft
    index = soft.max(dim, keepdim=True)[1]
    hot = torch.zeros_like(logits).scatter_(dim, index, 1.0)
    return hot - soft.detach() + soft


def hinge_embedding_loss(input, target, margin=1.0, size_average=None, reduce=None, reduction="mean"):
    zeros = torch.zeros_like(input)
    far = torch.where(target == 1, zeros, (margin - input).clamp_min(0))
    near = torch.where(target == -1, zeros, input)
    return _reduced(far + near, reduction)


def margin_ranking_loss(
    input1, input2, target, margin=0, size_average=None, reduce=None, reduction="mean"
):
    return _reduced((-target * (input1 - input2) + margin).clamp_min(0), reduction)


def cosine_embedding_loss(
    input1, input2, target, margin=0, size_average=None, reduce=None, reduction="mean"
):
    eps = 1e-12
    dim = target.dim()
    product = (input1 * input2).sum(dim)
    size1 = (input1 * input1).sum(dim) + eps
    size2 = (input2 * input2).sum(dim) + eps
    cos = product / (size1 * size2).sqrt()
    zeros = torch.zeros_like(cos)
    near = torch.where(target == 1, 1 - cos, zeros)
    far = torch.where(target == -1, (cos - margin).clamp_min(0), zeros)
    return _reduced(near + far, reduction)


def triplet_margin_loss(
    anchor,
    positive,
    negative,
    margin=1.0,
    p=2,
    eps=1e-6,
    swap=False,
    size_average=None,
    reduce=None,
    reduction="mean",
):
    near = pairwise_distance(anchor, positive, p, eps)
    far = pairwise_distance(anchor, negative, p, eps)
    if swap:
        far = torch.minimum(far, pairwise_distance(positive, negative, p, eps))
    return _reduced((margin + near - far).clamp_min(0), reduction)


def gaussian_nll_loss(input, target, var, full=False, eps=1e-6, reduction="mean"):
    var = var.clone()
    with torch.no_grad():
        var.clamp_(min=eps)
    loss = 0.5 * (torch.log(var) + (input - target) ** 2 / var)
    if full:
        loss = loss + 0.5 * math.log(2 * math.pi)
    return _reduced(loss, reduction)


def poisson_nll_loss(
    input, target, log_input=True, full=False, size_average=None, eps=1e-8, reduce=None,
    reduction="mean",
):
    if log_input:
        loss = torch.exp(input) - target * input
    else:
        loss = input - target * torch.log(input + eps)
    if full:
        stirling = target * torch.log(target) - target + 0.5 * torch.log(2 * math.pi * target)
        loss = loss + torch.where(target > 1, stirling, torch.zeros_like(loss))
    return _reduced(loss, reduction)


def __getattr__(name):
    return torch._C._missing_name("torch.nn.functional", name)
