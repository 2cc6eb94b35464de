"""Which functions of `torch` and its modules are written in Python in modules of their own, which are loaded when one of them is
asked for: the names, by the module that defines them."""

_COPIES = (
    "alias_copy", "as_strided_copy", "as_strided_scatter", "constant_pad_nd", "detach_copy", "diagonal_copy", "empty_permuted",
    "empty_strided", "expand_copy", "fill", "msort", "narrow_copy", "nonzero_static", "permute_copy", "select_copy", "slice_copy",
    "split_copy", "split_with_sizes_copy", "squeeze_copy", "t_copy", "transpose_copy", "unbind_copy", "unfold_copy",
    "unsafe_chunk", "unsafe_split", "unsafe_split_with_sizes", "unsqueeze_copy", "view_copy",
)
_EACH = (
    "abs", "acos", "add", "addcdiv", "addcmul", "asin", "atan", "ceil", "clamp_max", "clamp_min", "cos", "cosh", "div", "erf",
    "erfc", "exp", "expm1", "floor", "frac", "lerp", "lgamma", "log", "log10", "log1p", "log2", "maximum", "minimum", "mul", "neg",
    "pow", "reciprocal", "round", "rsqrt", "sigmoid", "sign", "sin", "sinh", "sqrt", "sub", "tan", "tanh", "trunc",
)
_FOREACH = tuple(["_foreach_" + name + end for name in _EACH for end in ("", "_")]) + (
    "_foreach_copy_", "_foreach_max", "_foreach_norm", "_foreach_powsum", "_foreach_zero_",
)
_GAMMAS = ("frexp", "igamma", "igammac", "mvlgamma", "nextafter", "polygamma")
_REDUCTIONS = (
    "_native_batch_norm_legit", "_softmax_backward_data", "gradient", "grid_sampler", "grid_sampler_2d", "grid_sampler_3d",
    "histogram", "histogramdd", "index_reduce", "nanmedian", "native_batch_norm", "native_layer_norm", "renorm",
)
_FACTORS = (
    "cholesky_inverse", "geqrf", "lu", "lu_solve", "lu_unpack", "matrix_exp", "orgqr", "ormqr", "pca_lowrank", "pinverse", "qr",
    "svd", "svd_lowrank", "triangular_solve",
)
_FUNCTIONALS = (
    "selu", "selu_", "celu", "celu_", "threshold", "threshold_", "rrelu", "rrelu_", "dropout_", "feature_dropout",
    "alpha_dropout", "alpha_dropout_", "feature_alpha_dropout", "feature_alpha_dropout_", "batch_norm", "group_norm",
    "instance_norm", "embedding", "adaptive_max_pool1d", "max_pool1d_with_indices", "affine_grid_generator", "bilinear",
    "channel_shuffle", "native_channel_shuffle", "conv_tbc", "pixel_shuffle", "pixel_unshuffle", "pdist",
    "pairwise_distance", "kl_div", "binary_cross_entropy_with_logits", "cosine_embedding_loss", "hinge_embedding_loss",
    "margin_ranking_loss", "poisson_nll_loss", "triplet_margin_loss", "ctc_loss", "rnn_tanh_cell", "rnn_relu_cell",
    "lstm_cell", "gru_cell", "frobenius_norm", "nuclear_norm", "norm_except_dim", "is_signed", "is_same_size", "resize_as_",
    "is_inference", "get_device",
)
TORCH = {
    **dict.fromkeys(_COPIES, "torch._copies"), **dict.fromkeys(_GAMMAS, "torch._gammas"),
    **dict.fromkeys(_REDUCTIONS, "torch._reductions"), **dict.fromkeys(_FACTORS, "torch._factors"),
    **dict.fromkeys(_FUNCTIONALS, "torch._functionals"), **dict.fromkeys(_FOREACH, "torch._foreach"),
    "_standard_gamma_grad": "torch.distributions._pathwise", "_dirichlet_grad": "torch.distributions._pathwise",
    "segment_reduce": "torch._reductions", "sparse_coo_tensor": "torch.sparse._coo",
    "lobpcg": "torch._lobpcg",
    "sparse_csr_tensor": "torch.sparse._compressed", "sparse_csc_tensor": "torch.sparse._compressed",
    "sparse_bsr_tensor": "torch.sparse._compressed", "sparse_bsc_tensor": "torch.sparse._compressed",
    "sparse_compressed_tensor": "torch.sparse._compressed", "spmm": ("torch.sparse", "mm"), "dsmm": ("torch.sparse", "mm"), "i0": "torch._bessel",
}
# Of `torch.linalg`, where some have the name of a function of `torch` that is another one.
LINALG = {
    **{
        name: ("torch._factors", name)
        for name in (
            "cholesky_ex", "cond", "eig", "eigh", "eigvals", "eigvalsh", "householder_product", "inv_ex", "lstsq", "lu_factor",
            "lu_factor_ex", "matrix_exp", "matrix_rank", "solve_ex", "svdvals", "tensorinv", "tensorsolve", "vander",
        )
    },
    **{name: ("torch._factors", "linalg_" + name) for name in ("diagonal", "lu", "lu_solve", "pinv", "qr", "svd")},
}
_POLYNOMIALS = tuple([
    shifted + "chebyshev_polynomial_" + kind for shifted in ("", "shifted_") for kind in "tuvw"
]) + ("hermite_polynomial_h", "hermite_polynomial_he", "laguerre_polynomial_l", "legendre_polynomial_p")
_BESSEL = (
    "airy_ai", "bessel_j0", "bessel_j1", "bessel_y0", "bessel_y1", "i0", "i0e", "i1", "i1e", "modified_bessel_i0",
    "modified_bessel_i1", "modified_bessel_k0", "modified_bessel_k1", "scaled_modified_bessel_k0",
    "scaled_modified_bessel_k1", "spherical_bessel_j0",
)
_OF_GAMMA = ("erfcx", "gammainc", "gammaincc", "log_ndtr", "ndtr", "ndtri", "polygamma", "zeta")
SPECIAL = {
    **dict.fromkeys(_POLYNOMIALS, "torch._polynomials"), **dict.fromkeys(_BESSEL, "torch._bessel"),
    **dict.fromkeys(_OF_GAMMA, "torch._gammas"), "multigammaln": ("torch._gammas", "mvlgamma"),
}


def found(table, name):
    """The function of a name, or None."""
    import torch

    entry = table.get(name)
    if entry is None:
        return None
    module, function = (entry, name) if isinstance(entry, str) else entry
    return getattr(torch._C._import_module(module), function)
