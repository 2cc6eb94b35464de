"""numpy.linalg: factors of matrices and what is made of them, up to the signs that are anyone's choice; its errors."""
import numpy as np

np.random.seed(0)
np.set_printoptions(precision=5, suppress=True)


def show(f):
    try:
        print(f())
    except Exception as error:
        print(type(error).__name__, error)


A, B, v = np.random.rand(4, 3), np.random.rand(3, 3), np.random.rand(4)
S = A.T @ A
many = np.random.rand(2, 4, 3)


def close(x, y):
    return bool(np.allclose(x, y))


U, s, Vh = np.linalg.svd(A)
print(U.shape, s, Vh.shape, close((U[:, :3] * s) @ Vh, A), close(U.T @ U, np.eye(4)))
r = np.linalg.svd(A, full_matrices=False)
print(type(r).__name__, r.U.shape, r.S, close((r.U * r.S) @ r.Vh, A))
print(np.linalg.svd(A, compute_uv=False), np.linalg.svdvals(A), np.linalg.svd(S - 3 * np.eye(3), hermitian=True).S)
h = np.linalg.svd(S - 3 * np.eye(3), hermitian=True)
print(close((h.U * h.S) @ h.Vh, S - 3 * np.eye(3)))
r = np.linalg.svd(many, full_matrices=False)
print(r.S, close(r.U * r.S[:, None] @ r.Vh, many))
show(lambda: np.linalg.qr(A))
show(lambda: np.linalg.qr(A, "r"))
show(lambda: [x.shape for x in np.linalg.qr(A, "complete")])
show(lambda: np.linalg.qr(many).R)
w, V = np.linalg.eigh(S)
print(w, close(V @ np.diag(w) @ V.T, S), np.linalg.eigvalsh(S), np.linalg.eigh(S).eigenvalues.dtype)
w, V = np.linalg.eig(B)
print(np.round(w, 5), close(B @ V, V * w), np.round(np.linalg.norm(V, axis=0), 6), w.dtype)
# Of each vector the largest part is real.
print([abs(c[np.abs(c).argmax()].imag) < 1e-12 for c in V.T])
w, V = np.linalg.eig(np.diag([3.0, 1.0, 2.0]))
print(w, V, w.dtype)
print(np.linalg.eigvals(np.array([[2, 0], [0, 3]])), np.linalg.eigvals(np.array([[0.0, -1.0], [1.0, 0.0]])))
show(lambda: np.linalg.lstsq(A, v, rcond=None))
show(lambda: np.linalg.lstsq(A, np.random.rand(4, 2), rcond=None))
show(lambda: np.linalg.lstsq(np.ones((3, 2)), np.array([1.0, 2.0, 3.0]), rcond=None)[:3])
show(lambda: np.linalg.pinv(A))
show(lambda: np.linalg.pinv(np.outer([1.0, 2.0], [3.0, 4.0])))
show(lambda: np.linalg.pinv(S, hermitian=True))
show(lambda: (np.linalg.matrix_rank(S), np.linalg.matrix_rank(np.outer(v, v)), np.linalg.matrix_rank(v), np.linalg.matrix_rank(many)))
show(lambda: [np.round(np.linalg.cond(B, p), 6) for p in (None, 1, np.inf, "fro", -2)])
show(lambda: np.linalg.cholesky(S))
show(lambda: np.linalg.cholesky(S, upper=True))
show(lambda: np.linalg.svd(A.astype(np.float32)).S.dtype)
show(lambda: np.linalg.tensorsolve(np.eye(4).reshape(2, 2, 4), np.ones((2, 2))))
show(lambda: np.linalg.tensorinv(np.eye(4).reshape(2, 2, 2, 2)).shape)
show(lambda: np.linalg.slogdet(B))
show(lambda: (np.linalg.outer([1, 2], [3, 4]), np.linalg.cross([1, 0, 0], [0, 1, 0]), np.linalg.trace(B[None]), np.linalg.diagonal(B)))
show(lambda: (np.linalg.matrix_transpose(A).shape, np.linalg.vecdot(A, A), np.linalg.vector_norm(v), np.linalg.matrix_norm(A)))
for wrong in (
    lambda: np.linalg.inv(A), lambda: np.linalg.det(v), lambda: np.linalg.inv(np.zeros((2, 2))), lambda: np.linalg.eigh(A),
    lambda: np.linalg.solve(np.zeros((2, 2)), np.ones(2)), lambda: np.linalg.cholesky(-np.eye(2)), lambda: np.linalg.svd(v),
    lambda: np.linalg.eig(np.full((2, 2), np.nan)), lambda: np.linalg.qr(A, "economy"), lambda: np.linalg.eigh(S, UPLO="X"),
    lambda: np.linalg.outer(A, v), lambda: np.linalg.matrix_rank(A, tol=1.0, rtol=1.0), lambda: np.linalg.inv(np.eye(2, dtype=np.float16)),
):
    show(wrong)
try:
    np.linalg.inv(np.zeros((2, 2)))
except np.linalg.LinAlgError as error:
    print("caught", error, isinstance(error, ValueError))

# Whitening by the eigenvectors of a covariance, step after step.
data = np.random.randn(50, 3) @ np.array([[2.0, 0, 0], [1, 1, 0], [0, 0.5, 0.2]])
for step in range(12):
    centred = data - data.mean(0)
    values, vectors = np.linalg.eigh(centred.T @ centred / len(data))
    white = centred @ vectors / np.sqrt(values)
    data = data + 0.01 * step
print(np.abs(np.round(np.cov(white.T, bias=True), 6)))
