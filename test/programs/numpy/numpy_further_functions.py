"""Functions of NumPy that fewer scripts ask for: windows, histograms of pairs, bits, NaNs left out, indices, views with strides."""
import numpy as np
from numpy.lib.stride_tricks import as_strided, sliding_window_view

np.random.seed(0)
np.set_printoptions(precision=6, suppress=True)


def show(f):
    try:
        print(f())
    except Exception as error:
        print(type(error).__name__, error)


for window in (np.bartlett, np.blackman, np.hamming, np.hanning):
    print(window(6), window(1), window(0))
print(np.kaiser(5, 8.6), np.i0(np.array([0.0, 1.0, 2.0])))
print(np.base_repr(10, 3), np.base_repr(-255, 16, padding=2), np.binary_repr(-3, 5), np.binary_repr(5), np.binary_repr(-8))
show(lambda: np.binary_repr(9, 3))
print(np.diag_indices(3), np.diagflat([1, 2], 1), np.s_[1:2, ...], np.index_exp[3], np.diag_indices_from(np.eye(2)))
print(np.tril_indices_from(np.eye(3), -1), np.triu_indices_from(np.eye(2)), np.mask_indices(3, np.triu, 1))
print(np.resize([1, 2, 3], (2, 4)), np.trim_zeros(np.array([0, 1, 2, 0])), np.trim_zeros([0, 0]), np.unstack(np.eye(2)))
print([a.shape for a in np.dsplit(np.zeros((2, 2, 4)), 2)], np.matrix_transpose(np.ones((2, 3))).shape)
print(np.piecewise(np.arange(5.0) - 2, [np.arange(5) < 2, np.arange(5) >= 2], [lambda x: -x, lambda x: x * 2]))
print(np.piecewise(np.arange(4.0), [np.arange(4) > 2], [1, -1]))
print(np.cumulative_sum(np.arange(4), include_initial=True), np.cumulative_prod(np.array([1, 2, 3])))
x = np.array([[1.0, np.nan, 3.0], [4.0, 5.0, np.nan]])
print(np.nancumsum(x), np.nancumprod(x, 1), np.nanprod(x, 0), np.nanmedian(x), np.nanmedian(x, 1), np.nanmedian(x, 0, keepdims=True))
print(np.nanpercentile(x, [25, 50]), np.nanpercentile(x, 50, axis=0), np.nanquantile(x, [0.2, 0.7], axis=1))
print(np.setxor1d([1, 2, 3], [2, 3, 4]), np.unwrap(np.array([0, 3, 6.5, -3.0])), np.unwrap([1, 2, 9], period=6), np.vecdot(x[:, :1], x[:, :1]))
print(np.histogram2d([0, 1, 2, 2], [1, 1, 2, 0], bins=3))
print(np.histogram2d([0, 1, 2, 2], [1, 1, 2, 0], bins=[2, [0, 1, 2]], range=[[0, 4], None])[0], np.histogram_bin_edges([1, 2, 3], 3))
print(np.histogramdd(np.random.rand(20, 2), bins=(2, 3), density=True)[0])
print(np.histogram2d([0, 1, 1], [0, 1, 1], bins=2, weights=[0.5, 1, 2])[0])
print(np.packbits([1, 0, 1, 1, 0, 0, 0, 1, 1]), np.unpackbits(np.array([5, 255], dtype=np.uint8)))
print(np.unpackbits(np.array([[5], [7]], dtype=np.uint8), axis=1, count=5, bitorder="little"), np.packbits(np.eye(3, 10, dtype=int), axis=1))
print(np.modf(np.array([1.5, -2.25])), np.frexp(np.array([8.0, 3.0])), np.ldexp(np.array([0.5, 0.75]), [4, 2]))
m = np.arange(4)
np.put(m, [0, 2], [9, 8])
np.putmask(m, m > 5, [1, 2, 3])
print(m, np.broadcast(np.ones((3, 1)), np.ones(4)).shape, len(list(np.broadcast([1, 2], [[3], [4]]))))
print(np.common_type(np.ones(2, np.float32)), np.isdtype(np.dtype("float32"), "real floating"), np.apply_over_axes(np.sum, np.ones((2, 3, 4)), [0, 2]))
print(np.sort_complex([2 + 1j, 1, 2]), np.unique_values([3, 1, 1]))
print(as_strided(np.arange(6), (4, 3), (8, 8)), sliding_window_view(np.arange(6), 3).mean(-1))
print(sliding_window_view(np.arange(12).reshape(3, 4), (2, 2)).shape, sliding_window_view(np.arange(12).reshape(3, 4), 2, axis=1)[0])
show(lambda: sliding_window_view(np.arange(3), 5))
a = np.array([5, 1, 4])
a.partition(1)
print(a[1], a.argpartition(0)[0], a.device, a.compress([True, False, True]).shape, np.exceptions.AxisError.__module__)
for wrong in (
    lambda: np.unpackbits(np.array([1])), lambda: np.diag_indices_from(np.ones(2)), lambda: np.tril_indices_from(np.ones(2)),
    lambda: np.dsplit(np.ones((2, 2)), 2), lambda: np.base_repr(3, 40), lambda: np.nothing,
):
    show(wrong)
smoothed = np.zeros(6)
for step in range(20):
    smoothed = smoothed * 0.5 + np.hanning(6) * step
print(smoothed)
