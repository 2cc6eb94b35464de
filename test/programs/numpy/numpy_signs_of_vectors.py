# Singular vectors and eigenvectors with LAPACK's signs, and draws that are made of them.
import numpy as np

rng = np.random.default_rng(3)


def rounded(x):
    return (np.round(x, 4) + 0.0).tolist()


for shape in ((1, 1), (2, 2), (3, 3), (5, 5), (3, 2), (4, 3), (7, 3), (30, 2), (2, 3), (3, 4), (3, 7), (1, 4), (4, 1), (2, 3, 3)):
    a = rng.standard_normal(shape)
    u, s, vh = np.linalg.svd(a, full_matrices=False)
    print(shape, rounded(u[..., :3, :]), rounded(s), rounded(vh))
    assert np.allclose((u * s[..., None, :]) @ vh, a)
    if len(shape) == 2:
        u, s, vh = np.linalg.svd(a)
        print("full", rounded(u[:3, :3]), rounded(vh[:3, :3]))
        assert np.allclose(u @ u.T, np.eye(len(u))) and np.allclose(vh @ vh.T, np.eye(len(vh)))
for n in (1, 2, 3, 6, 12, 25):
    a = rng.standard_normal((n, n))
    w, v = np.linalg.eigh(a + a.T)
    print(n, rounded(w[:3]), rounded(v[:3, :3]))
    assert np.allclose((v * w) @ v.T, a + a.T)
w, v = np.linalg.eigh(np.array([[2.0, 0.0], [0.0, 1.0]]))
print(rounded(w), rounded(v))
# The axes of points, as they are found twice.
points = rng.standard_normal((40, 3)) @ np.diag([3.0, 1.0, 0.2]) + 1
centred = points - points.mean(0)
print(rounded(np.linalg.svd(centred, full_matrices=False)[2]), rounded(np.linalg.eigh(np.cov(points.T))[1]))
for covariance in ([[4.0, 1.0], [1.0, 3.0]], [[1, 0.5, 0.2], [0.5, 2, 0.1], [0.2, 0.1, 0.7]], np.eye(2)):
    mean = np.arange(len(covariance))
    np.random.seed(0)
    print(rounded(np.random.multivariate_normal(mean, covariance, 2)))
    for method in ("svd", "eigh", "cholesky"):
        print(method, rounded(np.random.default_rng(0).multivariate_normal(mean, covariance, (2,), method=method)))
for make in (lambda: np.random.multivariate_normal([0, 0], [[1, 2], [3, -4]], check_valid="raise"), lambda: np.random.multivariate_normal([0], np.eye(2))):
    try:
        make()
    except ValueError as e:
        print(e)
a = np.arange(12).reshape(3, 4)
print([np.random.default_rng(0).permuted(a, axis=axis).tolist() for axis in (0, 1, None)])
print(np.random.default_rng(0).choice(a, 2, axis=1).tolist(), np.random.default_rng(0).choice(a, (2, 2), axis=-1).tolist())
print(np.random.default_rng(0).choice(50, 9, replace=False, shuffle=False).tolist())
