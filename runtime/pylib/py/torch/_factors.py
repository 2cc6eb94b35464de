"""Factors of matrices and what is made of them: `torch.linalg`'s qr, svd, eigh, eig, lu, lstsq, pinv and others.

The factors come from `torch._C`, in float64 or complex128; here are their gradients, shapes and errors.
"""

import collections
import math

import torch
from torch import _C, return_types
from torch._results import all_into, differentiated, flag, into, kind, number

_WIDE = {
    torch.float32: torch.float64, torch.float64: torch.float64, torch.complex64: torch.complex128,
    torch.complex128: torch.complex128,
}


def _kind(t):
    return kind(t.dtype)


def _matrix(name, t, argument="A"):
    if t.dim() < 2:
        raise RuntimeError(f"{name}: The input tensor {argument} must have at least 2 dimensions.")
    if t.dtype in (torch.float16, torch.bfloat16):
        raise RuntimeError(f"{name}: Low precision dtypes not supported. Got {_kind(t)}")
    if t.dtype not in _WIDE:
        raise RuntimeError(f"{name}: Expected a floating point or complex tensor as input. Got {_kind(t)}")


def _square(name, t):
    _matrix(name, t)
    rows, columns = t.shape[-2:]
    if rows != columns:
        raise RuntimeError(
            f"{name}: A must be batches of square matrices, but they are {rows} by {columns} matrices"
        )


def _wide(t):
    return t.detach().to(_WIDE[t.dtype])


def _real(dtype):
    return {torch.complex64: torch.float32, torch.complex128: torch.float64}.get(dtype, dtype)


def _h(t):
    """The conjugate transpose."""
    return t.transpose(-2, -1).conj() if t.is_complex() else t.transpose(-2, -1)


def _diagonals(values):
    return torch.diag_embed(values)


def _as(t, like):
    return t.to(like.dtype) if t.dtype != like.dtype else t


def _whole(name, t, what):
    if not torch.isfinite(t).all():
        raise torch.linalg.LinAlgError(what)


def _zero(grad, like):
    return torch.zeros_like(like) if grad is None else grad


# QR


def _qr_values(a, mode):
    m, n = a.shape[-2:]
    k = min(m, n)
    packed, tau = _C._geqrf(_wide(a))
    columns = m if mode == "complete" else k
    r = packed.triu()[..., :columns, :].to(a.dtype)
    if mode == "r":
        return torch.empty(0, dtype=a.dtype, device=a.device), packed.triu()[..., :k, :].to(a.dtype)
    return _C._orgqr(packed, tau, columns).to(a.dtype), r


def _solved_right(x, r):
    """`x @ inverse(r).mH`, of an upper triangle r."""
    return _h(torch.linalg.solve(r, _h(x)))


def _qr_slope(q, r, gq, gr):
    m = r @ _h(gr) - _h(gq) @ q
    low = m.tril(-1)
    whole = low + _h(low) + _diagonals(m.diagonal(dim1=-2, dim2=-1).real if m.is_complex() else
                                       m.diagonal(dim1=-2, dim2=-1)).to(m.dtype)
    return _solved_right(gq + q @ whole, r)


class _QR(torch.autograd.Function):
    _grad_fn = "LinalgQrBackward0"

    @staticmethod
    def forward(ctx, a, mode):
        q, r = _qr_values(a, mode)
        ctx.mode = mode
        ctx.save_for_backward(a, q, r)
        return q, r

    @staticmethod
    def backward(ctx, gq, gr):
        a, q, r = ctx.saved_tensors
        m, n = a.shape[-2:]
        if ctx.mode == "r":
            raise RuntimeError("linalg_qr_backward: The derivative of linalg.qr is not implemented when mode='r'. "
                               "Please use mode='reduced' or mode='complete'")
        if ctx.mode == "complete" and m > n:
            raise RuntimeError(
                "The QR decomposition is not differentiable when mode='complete' and nrows > ncols"
            )
        gq, gr = _zero(gq, q), _zero(gr, r)
        if m >= n:
            return _qr_slope(q, r, gq, gr), None
        left, right = a[..., :m], a[..., m:]
        g_right = q @ gr[..., m:]
        g_left = _qr_slope(q, r[..., :m], gq + right @ _h(gr[..., m:]), gr[..., :m])
        return torch.cat([g_left, g_right], -1), None


def _qr(a, mode):
    return _QR.apply(a, mode) if a.requires_grad and torch.is_grad_enabled() else _qr_values(a, mode)


def linalg_qr(A, mode="reduced", *, out=None):
    _matrix("linalg.qr", A)
    if mode not in ("reduced", "complete", "r"):
        raise RuntimeError(
            f"qr received unrecognized mode '{mode}' but expected one of 'reduced' (default), 'r', or 'complete'"
        )
    return all_into("linalg_qr", return_types.linalg_qr(_qr(A, mode)), out, A)


def qr(input, some=True, *, out=None):
    flag("qr", some=some)
    _matrix("linalg.qr", input)
    return all_into("qr", return_types.qr(_qr(input, "reduced" if some else "complete")), out, input)


def geqrf(input, *, out=None):
    if input.dim() < 2:
        raise RuntimeError("torch.geqrf: input must have at least 2 dimensions.")
    packed, tau = [t.to(input.dtype) for t in _C._geqrf(_wide(input))]
    if out is None:
        no_slope = ["the derivative for 'geqrf' is not implemented."]
        packed, tau = [differentiated(lambda x, t=t: t.detach(), no_slope, input) for t in (packed, tau)]
    return all_into("geqrf", return_types.geqrf((packed, tau)), out, input)


def householder_product(input, tau, *, out=None):
    if input.dim() < 2:
        raise RuntimeError("torch.linalg.householder_product: input must have at least 2 dimensions.")
    m, n = input.shape[-2:]
    if m < n:
        raise RuntimeError(
            "torch.linalg.householder_product: input.shape[-2] must be greater than or equal to input.shape[-1]"
        )
    if n < tau.shape[-1]:
        raise RuntimeError(
            "torch.linalg.householder_product: input.shape[-1] must be greater than or equal to tau.shape[-1]"
        )
    q = torch.eye(m, n, dtype=input.dtype, device=input.device).expand(input.shape)
    q = _reflected(input, tau, q, True)
    return into("linalg_householder_product", q, out, input, tau)


def _reflected(input, tau, x, forwards):
    """The product of the reflections with x."""
    m = input.shape[-2]
    order = range(tau.shape[-1])
    rows = torch.arange(m, device=input.device).unsqueeze(-1)
    for k in reversed(order) if forwards else order:
        v = torch.where(rows > k, input[..., k:k + 1], (rows == k).to(input.dtype))
        factor = tau[..., k:k + 1].unsqueeze(-1)
        if not forwards:
            factor = factor.conj()
        x = x - v @ (factor * (_h(v) @ x))
    return x


orgqr = householder_product


def ormqr(input, tau, other, left=True, transpose=False, *, out=None):
    flag("ormqr", left=left, transpose=transpose)
    if input.dim() < 2:
        raise RuntimeError("torch.ormqr: input must have at least 2 dimensions.")
    if left:
        result = _reflected(input, tau, other, not transpose)
    else:
        result = _h(_reflected(input, tau, _h(other), transpose))
    return into("ormqr", result, out, input, tau, other)


# Singular values


class _SVD(torch.autograd.Function):
    _grad_fn = "LinalgSvdBackward0"

    @staticmethod
    def forward(ctx, a):
        u, s, vh = [x for x in _C._svd(_wide(a), False, False)]
        u, s, vh = u.to(a.dtype), s.to(_real(a.dtype)), vh.to(a.dtype)
        ctx.save_for_backward(u, s, vh)
        # Where only the values are used, vectors that are not unique do no harm.
        ctx.set_materialize_grads(False)
        return u, s, vh

    @staticmethod
    def backward(ctx, gu, gs, gvh):
        u, s, vh = ctx.saved_tensors
        m, k, n = u.shape[-2], s.shape[-1], vh.shape[-1]
        skew = lambda x: x - _h(x)
        square = s * s
        gap = square.unsqueeze(-2) - square.unsqueeze(-1)
        gap = gap + torch.eye(k, dtype=gap.dtype, device=gap.device)
        across = torch.zeros_like(_diagonals(s)).to(u.dtype)
        rows, columns = s.unsqueeze(-1), s.unsqueeze(-2)
        if gu is not None:
            ugu = _h(u) @ gu
            across = across + skew(ugu) / gap * columns
        if gvh is not None:
            vgv = _h(vh @ _h(gvh))
            across = across + rows * (skew(_h(vgv)) / gap)
        if gs is not None:
            across = across + _diagonals(gs).to(u.dtype)
        if u.is_complex() and gu is not None:
            turned = (_h(u) @ gu).diagonal(dim1=-2, dim2=-1)
            across = across + _diagonals((turned - turned.conj()) / (2 * s))
        result = u @ across @ vh
        if gu is not None and m > k:
            rest = gu / columns
            result = result + (rest - u @ (_h(u) @ rest)) @ vh
        if gvh is not None and n > k:
            rest = gvh / rows
            result = result + u @ (rest - (rest @ _h(vh)) @ vh)
        return result


def _svd(name, a, full):
    _matrix(name, a)
    _whole(name, a, f"{name}: The algorithm failed to converge because the input matrix contained non-finite values.")
    if a.requires_grad and torch.is_grad_enabled():
        if full and a.shape[-2] != a.shape[-1]:
            # As in PyTorch, what is beside the square part has no gradient.
            u, s, vh = _SVD.apply(a)
            whole = _C._svd(_wide(a), True, False)
            k = s.shape[-1]
            u = torch.cat([u, whole[0][..., k:].to(a.dtype)], -1)
            return u, s, torch.cat([vh, whole[2][..., k:, :].to(a.dtype)], -2)
        return _SVD.apply(a)
    u, s, vh = _C._svd(_wide(a), full, False)
    return u.to(a.dtype), s.to(_real(a.dtype)), vh.to(a.dtype)


def _check_driver(driver):
    if driver is not None:
        raise RuntimeError(
            "torch.linalg.svd: keyword argument `driver=` is only supported on CUDA inputs with cuSOLVER backend."
        )


def linalg_svd(A, full_matrices=True, *, driver=None, out=None):
    flag("linalg_svd", full_matrices=full_matrices)
    _check_driver(driver)
    return all_into("linalg_svd", return_types.linalg_svd(_svd("linalg.svd", A, full_matrices)), out, A)


def svdvals(A, *, driver=None, out=None):
    _check_driver(driver)
    return into("linalg_svdvals", _svd("linalg.svd", A, False)[1], out, A)


def svd(input, some=True, compute_uv=True, *, out=None):
    flag("svd", some=some, compute_uv=compute_uv)
    u, s, vh = _svd("linalg.svd", input, not some)
    if not compute_uv:
        m, n = input.shape[-2:]
        u, vh = input.new_zeros(*input.shape[:-2], m, m), input.new_zeros(*input.shape[:-2], n, n)
    return all_into("svd", return_types.svd((u, s, _h(vh))), out, input)


def _tolerances(name, a, atol, rtol):
    if rtol is None:
        given = atol is not None and (not isinstance(atol, (int, float)) or atol > 0)
        rtol = 0.0 if given else torch.finfo(a.dtype).eps * max(a.shape[-2:])
    return 0.0 if atol is None else atol, rtol


def _spread(x):
    """A tolerance as a column for each matrix."""
    return x.unsqueeze(-1) if isinstance(x, torch.Tensor) else x


def _sizes(name, a, hermitian):
    """The absolute singular values, and the largest of each matrix."""
    if hermitian:
        _square(name, a)
        s = _eigh("linalg.eigh", a, "L")[0].abs()
    else:
        s = _svd("linalg.svd", a, False)[1]
    top = s.amax(-1, keepdim=True) if s.shape[-1] else s.new_zeros(*s.shape[:-1], 1)
    return s, top


def matrix_rank(A, tol=None, hermitian=False, *, atol=None, rtol=None, out=None):
    flag("linalg_matrix_rank", hermitian=hermitian)
    _matrix("torch.linalg.matrix_rank", A)
    a = A.detach()
    if tol is not None:
        atol, rtol = tol, 0.0
    atol, rtol = _tolerances("linalg.matrix_rank", a, atol, rtol)
    s, top = _sizes("linalg.matrix_rank", a, hermitian)
    bound = torch.maximum(torch.as_tensor(_spread(atol), dtype=s.dtype), _spread(rtol) * top)
    return into("linalg_matrix_rank", (s > bound).sum(-1), out)


class _Pinv(torch.autograd.Function):
    _grad_fn = "LinalgPinvBackward0"

    @staticmethod
    def forward(ctx, a, made):
        ctx.save_for_backward(a, made)
        return made.clone()

    @staticmethod
    def backward(ctx, grad):
        a, made = ctx.saved_tensors
        p = _pinv_of(a, made)
        ph, g = _h(p), _h(grad)
        if a.shape[-2] <= a.shape[-1]:
            k = g @ p
            kph = k @ ph
            return -_h(p @ k) + kph - (a @ p) @ kph + (ph @ p) @ (g - k @ a), None
        k = p @ g
        phk = ph @ k
        return -_h(k @ p) + (g - a @ k) @ p @ ph + phk - (phk @ p) @ a, None


def _pinv_of(a, made):
    return _Pinv.apply(a, made) if a.requires_grad and torch.is_grad_enabled() else made


def _pinv(a, atol, rtol, hermitian):
    plain = a.detach()
    atol, rtol = _tolerances("linalg.pinv", plain, atol, rtol)
    if not plain.numel():
        return _pinv_of(a, plain.new_zeros(*plain.shape[:-2], plain.shape[-1], plain.shape[-2]))
    if hermitian:
        _square("linalg.pinv", plain)
        values, u = _eigh("linalg.eigh", plain, "L")
        size, vh = values.abs(), _h(u)
    else:
        u, values, vh = _svd("linalg.svd", plain, False)
        size = values
    bound = torch.maximum(torch.as_tensor(_spread(atol), dtype=size.dtype), _spread(rtol) * size.amax(-1, keepdim=True))
    inverse = torch.where(size > bound, 1 / torch.where(size > bound, values, 1.0), 0.0)
    return _pinv_of(a, (_h(vh) * inverse.unsqueeze(-2)) @ _h(u))


def linalg_pinv(A, rcond=None, hermitian=False, *, atol=None, rtol=None, out=None):
    flag("linalg_pinv", hermitian=hermitian)
    _matrix("linalg.pinv", A)
    if rcond is not None:
        rtol = rcond
    return into("linalg_pinv", _pinv(A, atol, rtol, hermitian), out, A)


def pinverse(input, rcond=1e-15):
    number("pinverse", rcond=rcond)
    _matrix("linalg.pinv", input)
    return _pinv(input, 0.0, rcond, False)


def cond(A, p=None, *, out=None):
    _matrix("linalg.cond", A)
    if p in (None, 2, -2):
        s = _svd("linalg.svd", A, False)[1]
        result = s[..., -1] / s[..., 0] if p == -2 else s[..., 0] / s[..., -1]
    else:
        _square("linalg.cond", A)
        if p == "nuc":
            s = _svd("linalg.svd", A, False)[1]
            result = s.sum(-1) * (1 / s).sum(-1)
        else:
            norm = torch.linalg.matrix_norm
            inverse, info = inv_ex(A)
            result = norm(A, p) * norm(inverse, p)
            result = torch.where(info == 0, result, math.inf)
    return into("linalg_cond", result, out, A)


# Eigenvalues


class _Eigh(torch.autograd.Function):
    _grad_fn = "LinalgEighBackward0"

    @staticmethod
    def forward(ctx, a, lower):
        values, vectors = _eigh_values(a, lower)
        ctx.save_for_backward(values, vectors)
        ctx.set_materialize_grads(False)
        return values, vectors

    @staticmethod
    def backward(ctx, g_values, g_vectors):
        values, v = ctx.saved_tensors
        middle = torch.zeros_like(v)
        if g_vectors is not None:
            gap = values.unsqueeze(-2) - values.unsqueeze(-1)
            gap = gap + torch.eye(gap.shape[-1], dtype=gap.dtype, device=gap.device)
            turned = _h(v) @ g_vectors
            middle = (turned - _h(turned)) / (2 * gap)
            middle = middle - _diagonals(middle.diagonal(dim1=-2, dim2=-1))
        if g_values is not None:
            middle = middle + _diagonals(g_values).to(v.dtype)
        return v @ middle @ _h(v), None


def _eigh_values(a, lower):
    plain = _wide(a)
    if plain.is_complex():
        # Of the diagonal the real parts count.
        plain = plain - torch.diag_embed(1j * plain.diagonal(dim1=-2, dim2=-1).imag)
    values, vectors = _C._eigh(plain if lower else _h(plain), False)
    return values.to(_real(a.dtype)), vectors.to(a.dtype)


def _eigh(name, a, uplo):
    _square(name, a)
    if not isinstance(uplo, str) or uplo.upper() not in ("L", "U"):
        raise RuntimeError(f"Expected UPLO argument to be 'L' or 'U', but got {uplo}")
    if not torch.isfinite(a).all():
        raise torch.linalg.LinAlgError(
            f"{name}: " + ("(Batch element 0): " if a.dim() > 2 else "") + "The algorithm failed to converge because the "
            f"input matrix is ill-conditioned or has too many repeated eigenvalues (error code: {a.shape[-1] - 1 or 1})."
        )
    lower = uplo.upper() == "L"
    if a.requires_grad and torch.is_grad_enabled():
        return _Eigh.apply(a, lower)
    return _eigh_values(a, lower)


def eigh(A, UPLO="L", *, out=None):
    return all_into("linalg_eigh", return_types.linalg_eigh(_eigh("linalg.eigh", A, UPLO)), out, A)


def eigvalsh(A, UPLO="L", *, out=None):
    return into("linalg_eigvalsh", _eigh("linalg.eigh", A, UPLO)[0], out, A)


def _complex(dtype):
    return {torch.float32: torch.complex64, torch.float64: torch.complex128}.get(dtype, dtype)


def _complex_solve(a, b):
    """The solution of a complex system, by the real one of twice its extent."""
    if not a.is_complex():
        return torch.linalg.solve(a, b)
    n = a.shape[-1]
    top, low = torch.cat([a.real, -a.imag], -1), torch.cat([a.imag, a.real], -1)
    x = torch.linalg.solve(torch.cat([top, low], -2), torch.cat([b.real, b.imag], -2))
    return torch.complex(x[..., :n, :].contiguous(), x[..., n:, :].contiguous())


class _Eig(torch.autograd.Function):
    _grad_fn = "LinalgEigBackward0"

    @staticmethod
    def forward(ctx, a):
        values, vectors = _eig_values(a)
        ctx.set_materialize_grads(False)
        ctx.is_real = not a.is_complex()
        ctx.save_for_backward(values, vectors)
        return values, vectors

    @staticmethod
    def backward(ctx, g_values, g_vectors):
        values, v = ctx.saved_tensors
        middle = torch.zeros_like(v)
        if g_vectors is not None:
            turned = _h(v) @ g_vectors
            along = turned.diagonal(dim1=-2, dim2=-1).real
            middle = turned - (_h(v) @ v) * along.unsqueeze(-2)
            gap = (values.unsqueeze(-2) - values.unsqueeze(-1)).conj()
            gap = gap + torch.eye(gap.shape[-1], dtype=gap.dtype, device=gap.device)
            middle = middle / gap
            middle = middle - _diagonals(middle.diagonal(dim1=-2, dim2=-1))
        if g_values is not None:
            middle = middle + _diagonals(g_values)
        result = _complex_solve(_h(v), middle @ _h(v))
        return result.real if ctx.is_real else result


def _eig_values(a):
    values, vectors = _C._eig(_wide(a))
    # Vectors of length one.
    size = torch.sqrt((vectors.real.square() + vectors.imag.square()).sum(-2, keepdim=True))
    vectors = vectors / size if vectors.numel() else vectors
    if vectors.numel():
        # Of each vector the largest component is real, as LAPACK has it.
        at = vectors.abs().argmax(-2, keepdim=True)
        largest = vectors.gather(-2, at)
        length = largest.abs()
        turned = torch.where(length > 0, largest.conj() / torch.where(length > 0, length, torch.ones_like(length)), torch.ones_like(largest))
        is_real = (vectors.imag == 0).all(-2, keepdim=True)
        vectors = torch.where(is_real, vectors, vectors * turned)
    dtype = _complex(a.dtype)
    return values.to(dtype), vectors.to(dtype)


def _eig(a):
    _square("linalg.eig", a)
    if not torch.isfinite(a).all():
        raise RuntimeError("torch.linalg.eig: input tensor should not contain infs or NaNs.")
    return _Eig.apply(a) if a.requires_grad and torch.is_grad_enabled() else _eig_values(a)


def eig(A, *, out=None):
    return all_into("linalg_eig", return_types.linalg_eig(_eig(A)), out, A)


def eigvals(A, *, out=None):
    return into("linalg_eigvals", _eig(A)[0], out, A)


# LU


def _lu_values(a):
    packed, pivots, info = _C._getrf(_wide(a))
    return packed.to(a.dtype), pivots, info


def _split(packed):
    m, n = packed.shape[-2:]
    k = min(m, n)
    low = packed[..., :, :k].tril(-1) + torch.eye(m, k, dtype=packed.dtype, device=packed.device)
    return low, packed[..., :k, :].triu()


def _permutation(pivots, m, dtype):
    """The matrix P of A = P L U."""
    k = pivots.shape[-1]
    order = torch.arange(m, device=pivots.device).expand(*pivots.shape[:-1], m).clone()
    flat, swaps = order.reshape(-1, m).tolist(), pivots.reshape(-1, k).tolist()
    for row, steps in zip(flat, swaps):
        for i, j in enumerate(steps):
            row[i], row[j - 1] = row[j - 1], row[i]
    order = torch.tensor(flat, dtype=torch.int64, device=pivots.device).reshape(order.shape)
    return torch.nn.functional.one_hot(order, m).to(dtype).transpose(-2, -1) if m else torch.zeros(
        *pivots.shape[:-1], 0, 0, dtype=dtype, device=pivots.device)


class _LU(torch.autograd.Function):
    """L and U in one matrix."""
    _grad_fn = "LinalgLuFactorExBackward0"


    @staticmethod
    def forward(ctx, a, packed, p):
        ctx.save_for_backward(packed, p)
        return packed.clone()

    @staticmethod
    def backward(ctx, grad):
        packed, p = ctx.saved_tensors
        m, n = packed.shape[-2:]
        k = min(m, n)
        low, up = _split(packed)
        gl, gu = grad[..., :, :k].tril(-1), grad[..., :k, :].triu()
        l1, u1 = low[..., :k, :], up[..., :, :k]
        if m <= n:
            # A = P L [U1 U2]: U2 follows from L.
            g2, u2 = gu[..., :, k:], up[..., :, k:]
            g2 = _complex_solve(_h(l1), g2)
            core = (_h(l1) @ gl - _h(l1) @ g2 @ _h(u2)).tril(-1) + (gu[..., :, :k] @ _h(u1)).triu()
            g1 = _h(_complex_solve(u1, _h(_complex_solve(_h(l1), core))))
            return p @ torch.cat([g1, g2], -1), None, None
        g2, l2 = gl[..., k:, :], low[..., k:, :]
        g2 = _h(_complex_solve(u1, _h(g2)))
        core = (_h(l1) @ gl[..., :k, :]).tril(-1) + (gu @ _h(u1) - _h(l2) @ g2 @ _h(u1)).triu()
        g1 = _h(_complex_solve(u1, _h(_complex_solve(_h(l1), core))))
        return p @ torch.cat([g1, g2], -2), None, None


def _lu(a, name):
    _matrix(name, a)
    packed, pivots, info = _lu_values(a)
    if a.requires_grad and torch.is_grad_enabled():
        packed = _LU.apply(a, packed, _permutation(pivots, a.shape[-2], a.dtype))
    return packed, pivots, info


def _check_pivot(pivot, name):
    flag(name.replace(".", "_"), pivot=pivot)
    if not pivot:
        raise RuntimeError(f"{name}: LU without pivoting is not implemented on the CPU")


def _refuse_failed(info, text, error=None):
    """An error for the first matrix whose factors have a zero."""
    failed = info.reshape(-1).tolist()
    for k, step in enumerate(failed):
        if step:
            where = f"(Batch element {k}): " if info.dim() else ""
            raise (error or torch.linalg.LinAlgError)(text(where, step))


def lu_factor_ex(A, *, pivot=True, check_errors=False, out=None):
    flag("linalg_lu_factor_ex", check_errors=check_errors)
    _check_pivot(pivot, "linalg.lu_factor")
    result = return_types.linalg_lu_factor_ex(_lu(A, "torch.lu_factor"))
    if check_errors:
        _refuse_failed(result[2], lambda where, step: f"torch.linalg.lu_factor_ex: {where}U[{step},{step}] is zero and using it "
                       "on lu_solve would result in a division by zero. If you still want to perform the factorization, "
                       "consider calling linalg.lu(A, pivot) or linalg.lu_factor_ex(A, pivot)", RuntimeError)
    return all_into("linalg_lu_factor_ex", result, out, A)


def lu_factor(A, *, pivot=True, out=None):
    _check_pivot(pivot, "linalg.lu_factor")
    packed, pivots, info = _lu(A, "torch.lu_factor")
    _refuse_failed(info, lambda where, step: f"torch.linalg.lu_factor: {where}U[{step},{step}] is zero and using it on lu_solve "
                   "would result in a division by zero. If you still want to perform the factorization, consider calling "
                   "linalg.lu(A, pivot) or linalg.lu_factor_ex(A, pivot)", RuntimeError)
    return all_into("linalg_lu_factor", return_types.linalg_lu_factor((packed, pivots)), out, A)


def linalg_lu(A, *, pivot=True, out=None):
    _check_pivot(pivot, "linalg.lu")
    packed, pivots, _ = _lu(A, "linalg.lu")
    low, up = _split(packed)
    p = _permutation(pivots, A.shape[-2], A.dtype)
    return all_into("linalg_lu", return_types.linalg_lu((p, low, up)), out, A)


_lu_with_info = collections.namedtuple("_lu_with_info", ["LU", "pivots", "info"])


def lu(input, pivot=True, get_infos=False, out=None):
    _check_pivot(pivot, "linalg.lu_factor")
    packed, pivots, info = _lu(input, "torch.lu_factor")
    result = _lu_with_info(packed, pivots, info) if get_infos else (packed, pivots)
    if out is None:
        return result
    return tuple([into("lu", r, o, input) for r, o in zip(result, out)])


def lu_unpack(LU_data, LU_pivots, unpack_data=True, unpack_pivots=True, *, out=None):
    flag("lu_unpack", unpack_data=unpack_data, unpack_pivots=unpack_pivots)
    if unpack_pivots and LU_pivots.dtype != torch.int32:
        raise RuntimeError(
            "torch.lu_unpack: LU_pivots is expected to be a contiguous tensor of torch.int32 dtype.\n"
            "Note: this function is intended to be used with the output produced by torch.linalg.lu_factor"
        )
    nothing = torch.empty(0, dtype=LU_data.dtype, device=LU_data.device)
    p = _permutation(LU_pivots, LU_data.shape[-2], LU_data.dtype) if unpack_pivots else nothing
    low, up = _split(LU_data) if unpack_data else (nothing, nothing)
    return all_into("lu_unpack", return_types.lu_unpack((p, low, up)), out, LU_data)


def linalg_lu_solve(LU, pivots, B, *, left=True, adjoint=False, out=None):
    flag("linalg_lu_solve", left=left, adjoint=adjoint)
    low, up = _split(LU)
    p = _permutation(pivots, LU.shape[-2], LU.dtype)
    right = B if left else _h(B)
    if adjoint == left:
        # The adjoint system: U^H L^H P^T x = b.
        x = p @ _complex_solve(_h(low), _complex_solve(_h(up), right))
    else:
        x = _complex_solve(up, _complex_solve(low, p.transpose(-2, -1) @ right))
    return into("linalg_lu_solve", x if left else _h(x), out, LU, B)


def lu_solve(b, LU_data, LU_pivots, *, out=None):
    return into("lu_solve", linalg_lu_solve(LU_data, LU_pivots, b), out, b, LU_data)


def norm_of_values(input, p="nuc", dim=None, keepdim=False, out=None, dtype=None):
    """`torch.norm` of the order "nuc", which `p` is: the sum of the singular values."""
    if dim is None:
        dim = (-2, -1)
    elif len(dim) != 2:
        raise RuntimeError("linalg.matrix_norm: dim must be a 2-tuple. Got " + " ".join([str(d) for d in dim]))
    if input.dim() < 2:
        raise RuntimeError("linalg.matrix_norm: The input tensor A must have at least 2 dimensions.")
    return into("norm", torch.linalg.matrix_norm(input, p, dim, keepdim, dtype=dtype), out, input)


# Systems


def inv_ex(A, *, check_errors=False, out=None):
    flag("linalg_inv_ex", check_errors=check_errors)
    _square("linalg.inv", A)
    info = _lu_values(A)[2]
    if check_errors:
        _refuse_failed(info, lambda where, step: f"linalg.inv: {where}The diagonal element {step} is zero, the inversion could "
                       "not be completed because the input matrix is singular.")
    inverse = _without_errors(A, info, torch.linalg.inv)
    return all_into("linalg_inv_ex", return_types.linalg_inv_ex((inverse, info)), out, A)


def _without_errors(a, info, function):
    """What a function gives for each matrix, of singular ones for the identity."""
    if not (info != 0).any():
        return function(a)
    good = (info == 0).reshape(*info.shape, 1, 1)
    return function(torch.where(good, a, torch.eye(a.shape[-1], dtype=a.dtype, device=a.device)))


def solve_ex(A, B, *, left=True, check_errors=False, out=None):
    flag("linalg_solve_ex", left=left, check_errors=check_errors)
    _square("linalg.solve", A)
    info = _lu_values(A)[2]
    if check_errors:
        _refuse_failed(info, lambda where, step: f"torch.linalg.solve_ex: {where}The solver failed because the input matrix is "
                       "singular.")
    result = _without_errors(A, info, lambda a: torch.linalg.solve(a, B, left=left))
    return all_into("linalg_solve_ex", return_types.linalg_solve_ex((result, info)), out, A, B)


def cholesky_ex(A, *, upper=False, check_errors=False, out=None):
    flag("linalg_cholesky_ex", upper=upper, check_errors=check_errors)
    _square("linalg.cholesky", A)
    try:
        factor = torch.linalg.cholesky(A, upper=upper)
        info = torch.zeros(A.shape[:-2], dtype=torch.int32, device=A.device)
    except torch.linalg.LinAlgError:
        if check_errors:
            raise
        n = A.shape[-1]
        flat = A.detach().reshape(-1, n, n)
        steps = [_first_not_positive(m, upper) for m in flat]
        info = torch.tensor(steps, dtype=torch.int32, device=A.device).reshape(A.shape[:-2])
        good = (info == 0).reshape(*info.shape, 1, 1)
        factor = torch.linalg.cholesky(torch.where(good, A, torch.eye(n, dtype=A.dtype, device=A.device)), upper=upper)
    return all_into("linalg_cholesky_ex", return_types.linalg_cholesky_ex((factor, info)), out, A)


def _first_not_positive(m, upper):
    for k in torch.arange(1, m.shape[-1] + 1).tolist():
        try:
            torch.linalg.cholesky(m[:k, :k], upper=upper)
        except torch.linalg.LinAlgError:
            return k
    return 0


def cholesky_inverse(L, upper=False, *, out=None):
    flag("cholesky_inverse", upper=upper)
    _square("cholesky_inverse", L)
    eye = torch.eye(L.shape[-1], dtype=L.dtype, device=L.device)
    return into("cholesky_inverse", torch.cholesky_solve(eye.expand(L.shape), L, upper), out, L)


def triangular_solve(b, A, upper=True, transpose=False, unitriangular=False, *, out=None):
    flag("triangular_solve", upper=upper, transpose=transpose, unitriangular=unitriangular)
    if b.dim() < 2:
        raise RuntimeError("torch.triangular_solve: Expected b to have at least 2 dimensions, but it has "
                           f"{b.dim()} dimensions instead")
    matrix = (A.triu() if upper else A.tril())
    side = _h(matrix) if transpose else matrix
    x = torch.linalg.solve_triangular(side, b, upper=upper != transpose, unitriangular=unitriangular)
    return all_into("triangular_solve", return_types.triangular_solve((x, A.clone())), out, b, A)


_DRIVERS = ("gels", "gelsy", "gelsd", "gelss")


def lstsq(A, B, rcond=None, *, driver=None, out=None):
    if rcond is not None:
        number("linalg_lstsq", rcond=rcond)
    _matrix("torch.linalg.lstsq", A, "input")
    if driver is not None and driver not in _DRIVERS:
        raise RuntimeError(
            "torch.linalg.lstsq: parameter `driver` should be one of (gels, gelsy, gelsd, gelss)"
        )
    if A.dtype != B.dtype:
        raise RuntimeError(
            "torch.linalg.lstsq: Expected input and other to have the same dtype, but got input's dtype "
            f"{_kind(A)} and other's dtype {_kind(B)}"
        )
    vector = A.dim() - 1 == B.dim() and A.shape[:-1] == B.shape
    right = B.unsqueeze(-1) if vector else B
    m, n = A.shape[-2:]
    if right.shape[-2] != m:
        raise RuntimeError("torch.linalg.lstsq: input.size(-2) should match other.size(-2)")
    driver = driver or "gelsy"
    none = torch.empty(0, dtype=_real(A.dtype))
    sizes = none
    if driver == "gels":
        rank = torch.empty(0, dtype=torch.int64)
        full = True
    else:
        bound = rcond if rcond is not None else torch.finfo(A.dtype).eps * max(m, n)
        s = _svd("linalg.svd", A.detach(), False)[1]
        rank = (s > bound * s[..., :1]).sum(-1)
        full = _all(rank == min(m, n))
        sizes = s if driver in ("gelsd", "gelss") else none
    if full and not A.is_complex():
        if m >= n:
            q, r = _qr(A, "reduced")
            x = torch.linalg.solve(r, _h(q) @ right)
        else:
            q, r = _qr(_h(A), "reduced")
            x = q @ torch.linalg.solve(_h(r), right)
    else:
        x = _pinv(A, None, rcond, False) @ right
    # PyTorch's default driver gives none.
    if m > n and full and driver != "gelsy":
        rest = A @ x - right
        residuals = (rest.abs() ** 2).sum(-2)
    else:
        residuals = none
    x = x.squeeze(-1) if vector else x
    return all_into("linalg_lstsq", return_types.linalg_lstsq((x, residuals, rank, sizes)), out, A, B)


def _all(t):
    return not (~t).any().item()


def tensorinv(A, ind=2, *, out=None):
    if ind <= 0:
        raise RuntimeError("Expected a strictly positive integer for 'ind'")
    first, rest = A.shape[:ind], A.shape[ind:]
    if math.prod(first) != math.prod(rest):
        raise RuntimeError(
            "Expected self to satisfy the requirement prod(self.shape[ind:]) == prod(self.shape[:ind]), but got "
            f"{math.prod(rest)} != {math.prod(first)}"
        )
    n = math.prod(first)
    return into("linalg_tensorinv", torch.linalg.inv(A.reshape(n, n)).reshape(*rest, *first), out, A)


def tensorsolve(A, B, dims=None, *, out=None):
    if dims is not None:
        moved = [d % A.dim() for d in dims]
        A = A.permute([*[d for d in range(A.dim()) if d not in moved], *moved])
    shape = A.shape[B.dim():]
    n = math.prod(shape)
    if n != B.numel():
        raise RuntimeError(
            "Expected self to satisfy the requirement prod(self.shape[other.ndim:]) == prod(self.shape[:other.ndim]), but "
            f"got {n} != {B.numel()}"
        )
    return into("linalg_tensorsolve", torch.linalg.solve(A.reshape(n, n), B.reshape(n)).reshape(shape), out, A, B)


def vander(x, *, N=None):
    if x.dtype == torch.bool:
        raise RuntimeError("linalg.vander: not for bools")
    if x.dim() == 0:
        x = x.unsqueeze(0)
    if N is None:
        N = x.shape[-1]
    elif N <= 1:
        raise RuntimeError("N must be greater than 1.")
    if not (x.is_floating_point() or x.is_complex()):
        x = x.to(torch.int64)
    rows = x.unsqueeze(-1).expand(*x.shape, N - 1).cumprod(-1)
    return torch.cat([torch.ones_like(rows[..., :1]) if N > 1 else x.unsqueeze(-1), rows], -1)


def linalg_diagonal(A, *, offset=0, dim1=-2, dim2=-1):
    return torch.diagonal(A, offset, dim1, dim2)


def matrix_exp(A):
    """By Taylor's series of the matrix over a power of two, squared as often."""
    if not (A.is_floating_point() or A.is_complex()):
        raise RuntimeError(f"linalg.matrix_exp: Expected a floating point or complex tensor as input. Got {_kind(A)}")
    if A.dim() < 2:
        raise RuntimeError("linalg.matrix_exp: The input tensor A must have at least 2 dimensions.")
    if A.shape[-2] != A.shape[-1]:
        raise RuntimeError(
            f"linalg.matrix_exp: A must be batches of square matrices, but they are {A.shape[-2]} by {A.shape[-1]} matrices"
        )
    if not A.numel():
        return A.clone()
    size = A.detach().abs().sum(-2).amax().item()
    squarings = max(0, math.ceil(math.log2(size / 0.5))) if size > 0.5 and math.isfinite(size) else 0
    a = A / 2**squarings
    eye = torch.eye(A.shape[-1], dtype=A.dtype, device=A.device).expand(A.shape)
    result = eye
    for k in range(18, 0, -1):
        result = eye + (a @ result) / k
    for _ in range(squarings):
        result = result @ result
    return result


# Few singular values of large matrices


def _range_of(a, q, niter):
    """An orthonormal basis of about the range of a."""
    if q is None:
        q = min(6, *a.shape[-2:])
    basis = linalg_qr(a @ torch.randn(a.shape[-1], q, dtype=a.dtype))[0]
    for _ in range(niter):
        basis = linalg_qr(_h(a) @ basis)[0]
        basis = linalg_qr(a @ basis)[0]
    return basis


def svd_lowrank(A, q=6, niter=2, M=None):
    m, n = A.shape[-2:]
    if M is not None:
        A = A - M.expand(A.shape)
    turned = m < n
    a = _h(A) if turned else A
    basis = _range_of(a, q, niter)
    u, s, vh = _svd("linalg.svd", _h(basis) @ a, False)
    u, v = basis @ u, _h(vh)
    return (v, s, u) if turned else (u, s, v)


def pca_lowrank(A, q=None, center=True, niter=2):
    m, n = A.shape[-2:]
    if q is None:
        q = min(6, m, n)
    elif not 0 <= q <= min(m, n):
        raise ValueError(f"q(={q}) must be non-negative integer and not greater than min(m, n)={min(m, n)}")
    if not niter >= 0:
        raise ValueError(f"niter(={niter}) must be non-negative integer")
    if not center:
        return svd_lowrank(A, q, niter=niter)
    return svd_lowrank(A - A.mean(-2, keepdim=True), q, niter=niter)
