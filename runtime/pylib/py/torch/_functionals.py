"""Functions of `torch` that are those of `torch.nn.functional` with other parameters, and cells of recurrent networks."""

import torch
from torch.nn import functional as F

_REDUCTIONS = ("none", "mean", "sum")


def _reduction(number):
    if number not in (0, 1, 2):
        raise ValueError(f"{number} is not a valid value for reduction")
    return _REDUCTIONS[number]


def selu(input):
    return F.selu(input)


def selu_(input):
    return F.selu(input, True)


def celu(input, alpha=1.0):
    return F.celu(input, alpha)


def celu_(input, alpha=1.0):
    return F.celu(input, alpha, True)


def threshold(input, threshold, value, *, out=None):
    result = F.threshold(input, threshold, value)
    return result if out is None else out.resize_(result.shape).copy_(result)


def threshold_(input, threshold, value):
    return F.threshold(input, threshold, value, True)


def rrelu(input, lower=0.125, upper=1.0 / 3, training=False, generator=None):
    if generator is not None:
        raise NotImplementedError("rrelu(): argument 'generator' is not implemented in janus-jit yet")
    return F.rrelu(input, lower, upper, training)


def rrelu_(input, lower=0.125, upper=1.0 / 3, training=False, generator=None):
    if generator is not None:
        raise NotImplementedError("rrelu_(): argument 'generator' is not implemented in janus-jit yet")
    return F.rrelu(input, lower, upper, training, True)


def dropout_(input, p, train):
    return F.dropout(input, p, train, True)


def feature_dropout(input, p, train):
    return F.dropout2d(input, p, train) if input.dim() == 4 else F.dropout3d(input, p, train)


def alpha_dropout(input, p, train):
    return F.alpha_dropout(input, p, train)


def alpha_dropout_(input, p, train):
    return F.alpha_dropout(input, p, train, True)


def feature_alpha_dropout(input, p, train):
    return F.feature_alpha_dropout(input, p, train)


def feature_alpha_dropout_(input, p, train):
    return F.feature_alpha_dropout(input, p, train, True)


# `cudnn_enabled` chooses between kernels that give the same; there is one here.


def batch_norm(input, weight, bias, running_mean, running_var, training, momentum, eps, cudnn_enabled):
    return F.batch_norm(input, running_mean, running_var, weight, bias, training, momentum, eps)


def group_norm(input, num_groups, weight=None, bias=None, eps=1e-5, cudnn_enabled=True):
    return F.group_norm(input, num_groups, weight, bias, eps)


def instance_norm(input, weight, bias, running_mean, running_var, use_input_stats, momentum, eps, cudnn_enabled):
    return F.instance_norm(input, running_mean, running_var, weight, bias, use_input_stats, momentum, eps)


def embedding(weight, indices, padding_idx=-1, scale_grad_by_freq=False, sparse=False):
    return F.embedding(
        indices, weight, None if padding_idx < 0 else padding_idx, scale_grad_by_freq=scale_grad_by_freq, sparse=sparse
    )


def adaptive_max_pool1d(input, output_size):
    return F.adaptive_max_pool1d(input, output_size, True)


def max_pool1d_with_indices(input, kernel_size, stride=(), padding=0, dilation=1, ceil_mode=False):
    return F.max_pool1d_with_indices(input, kernel_size, stride if stride != () else None, padding, dilation, ceil_mode)


def affine_grid_generator(theta, size, align_corners):
    return F.affine_grid(theta, size, align_corners)


def bilinear(input1, input2, weight, bias=None):
    return F.bilinear(input1, input2, weight, bias)


def channel_shuffle(input, groups):
    return F.channel_shuffle(input, groups)


def native_channel_shuffle(input, groups):
    return F.channel_shuffle(input, groups)


def conv_tbc(input, weight, bias, pad=0):
    return F.conv_tbc(input, weight, bias, pad)


def pixel_shuffle(input, upscale_factor):
    return F.pixel_shuffle(input, upscale_factor)


def pixel_unshuffle(input, downscale_factor):
    return F.pixel_unshuffle(input, downscale_factor)


def pdist(input, p=2):
    return F.pdist(input, p)


def pairwise_distance(x1, x2, p=2, eps=1e-6, keepdim=False):
    return F.pairwise_distance(x1, x2, p, eps, keepdim)


# Reductions are numbers here; without one there is none.


def kl_div(input, target, reduction=0, *, log_target=False):
    return F.kl_div(input, target, reduction=_reduction(reduction), log_target=log_target)


def binary_cross_entropy_with_logits(input, target, weight=None, pos_weight=None, reduction=0):
    return F.binary_cross_entropy_with_logits(
        input, target, weight, pos_weight=pos_weight, reduction=_reduction(reduction)
    )


def cosine_embedding_loss(input1, input2, target, margin=0.0, reduction=0):
    return F.cosine_embedding_loss(input1, input2, target, margin, reduction=_reduction(reduction))


def hinge_embedding_loss(input, target, margin=1.0, reduction=0):
    return F.hinge_embedding_loss(input, target, margin, reduction=_reduction(reduction))


def margin_ranking_loss(input1, input2, target, margin=0.0, reduction=0):
    return F.margin_ranking_loss(input1, input2, target, margin, reduction=_reduction(reduction))


def poisson_nll_loss(input, target, log_input, full, eps, reduction):
    return F.poisson_nll_loss(input, target, log_input, full, eps=eps, reduction=_reduction(reduction))


def triplet_margin_loss(anchor, positive, negative, margin=1.0, p=2, eps=1e-6, swap=False, reduction=0):
    return F.triplet_margin_loss(anchor, positive, negative, margin, p, eps, swap, reduction=_reduction(reduction))


def ctc_loss(log_probs, targets, input_lengths, target_lengths, blank=0, reduction=0, zero_infinity=False):
    return F.ctc_loss(log_probs, targets, input_lengths, target_lengths, blank, _reduction(reduction), zero_infinity)


# Cells: one step of a recurrent network.


def _gates(input, hidden, w_ih, w_hh, b_ih, b_hh):
    return F.linear(input, w_ih, b_ih), F.linear(hidden, w_hh, b_hh)


def rnn_tanh_cell(input, hx, w_ih, w_hh, b_ih=None, b_hh=None):
    x, h = _gates(input, hx, w_ih, w_hh, b_ih, b_hh)
    return torch.tanh(x + h)


def rnn_relu_cell(input, hx, w_ih, w_hh, b_ih=None, b_hh=None):
    x, h = _gates(input, hx, w_ih, w_hh, b_ih, b_hh)
    return torch.relu(x + h)


def lstm_cell(input, hx, w_ih, w_hh, b_ih=None, b_hh=None):
    hidden, cell = hx
    x, h = _gates(input, hidden, w_ih, w_hh, b_ih, b_hh)
    entry, forget, fresh, exit = (x + h).chunk(4, 1)
    cell = torch.sigmoid(forget) * cell + torch.sigmoid(entry) * torch.tanh(fresh)
    return torch.sigmoid(exit) * torch.tanh(cell), cell


def gru_cell(input, hx, w_ih, w_hh, b_ih=None, b_hh=None):
    x, h = _gates(input, hx, w_ih, w_hh, b_ih, b_hh)
    x_reset, x_update, x_fresh = x.chunk(3, 1)
    h_reset, h_update, h_fresh = h.chunk(3, 1)
    update = torch.sigmoid(x_update + h_update)
    fresh = torch.tanh(x_fresh + torch.sigmoid(x_reset + h_reset) * h_fresh)
    return (hx - fresh) * update + fresh


# Others.


def frobenius_norm(input, dim, keepdim=False, *, out=None):
    return torch.linalg.vector_norm(input, 2, dim, keepdim) if out is None else out.copy_(
        torch.linalg.vector_norm(input, 2, dim, keepdim))


def nuclear_norm(input, dim=(-2, -1), keepdim=False, *, out=None):
    result = torch.linalg.svdvals(input.movedim(dim, (-2, -1))).sum(-1)
    if keepdim:
        for d in sorted([d % input.dim() for d in dim]):
            result = result.unsqueeze(d)
    return result if out is None else out.copy_(result)


def norm_except_dim(v, pow=2, dim=0):
    if dim == -1:
        return v.norm(pow)
    return torch.linalg.vector_norm(v, pow, tuple([d for d in torch.arange(v.dim()).tolist() if d != dim]), keepdim=True)


def is_signed(input):
    return input.is_signed()


def is_same_size(input, other):
    return input.shape == other.shape


def resize_as_(input, the_template):
    return input.resize_(the_template.shape)


def is_inference(input):
    return input.is_inference()


def get_device(input):
    return input.get_device()
