# Complex arrays: their order beside NaN, Vandermonde's matrix, interpolation, and what that refuses.
import numpy as np
nan, inf = float('nan'), float('inf')
a = np.array([-2+4.5j, complex(-0.0, nan), complex(nan, inf), -0.25+0j, complex(.3, -inf), complex(inf, .75)])
for op in (np.less, np.less_equal, np.greater, np.greater_equal): print(op(a, 0.5), op(0.5+1j, a))
print(np.vander(np.array([-0.7+0.3j])), np.vander([1+1j, 2], 2), np.vander([1, 2, 3], 3), np.vander(np.float32([1, .5]), 2))
print(np.interp([0.5, 1.5, -1, 9], [0, 1, 2], [1+1j, 2, 3j]), np.interp([0.5, 5], [0, 1], [2, 4], left=1, right=7), np.interp([-1, 5], [0, 1], [2j, 4], 1j, 3))
for bad in (lambda: np.interp(np.array([1j]), [0, 1], [1, 2]), lambda: np.interp([1], np.array([0, 1j], 'complex64'), [1, 2])):
    try: print(bad())
    except TypeError as e: print(e)
