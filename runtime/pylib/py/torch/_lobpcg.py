"""torch.lobpcg: some eigenvalues of a symmetric matrix, the largest or the smallest ones.

The matrix is taken apart as a whole, which is more than an iteration comes to: what that ends with is within its tolerance of this."""

import torch


def lobpcg(
    A, k=None, B=None, X=None, n=None, iK=None, niter=None, tol=None, largest=None, method=None, tracker=None,
    ortho_iparams=None, ortho_fparams=None, ortho_bparams=None,
):
    if tracker is not None:
        raise NotImplementedError("torch.lobpcg(): argument 'tracker' is not implemented in janus-jit yet")
    if method not in (None, "basic", "ortho"):
        raise ValueError(f"torch.lobpcg: unknown method {method!r}")
    if A.shape[-2] != A.shape[-1]:
        raise AssertionError(tuple(A.shape))
    size = A.shape[-1]
    k = (1 if X is None else X.shape[-1]) if k is None else k
    n = (k if n is None else n) if X is None else X.shape[-1]
    if size < 3 * n:
        raise ValueError(
            f"LPBPCG algorithm is not applicable when the number of A rows (={size}) is smaller than 3 x the number of "
            f"requested eigenpairs (={n})"
        )
    if not A.is_floating_point():
        raise TypeError("lobpcg: the matrix must be of floats")
    dense = A.to_dense() if A.layout is not torch.strided else A
    if B is None:
        values, vectors = torch.linalg.eigh(dense)
    else:
        lower = torch.linalg.cholesky(B.to_dense() if B.layout is not torch.strided else B)
        half = torch.linalg.solve_triangular(lower, dense, upper=False)
        whole = torch.linalg.solve_triangular(lower, half.mT, upper=False)
        values, vectors = torch.linalg.eigh((whole + whole.mT) / 2)
        vectors = torch.linalg.solve_triangular(lower.mT, vectors, upper=True)
    if largest is None or largest:
        values, vectors = values.flip(-1), vectors.flip(-1)
    return values[..., :k], vectors[..., :k]
