# What NumPy refuses, orders of memory, and values at the ends of what is defined.
import warnings
import numpy as np

warnings.simplefilter('ignore')
a = np.arange(6)
m = np.arange(6.0).reshape(2, 3)


def placed(values):
    p = m.copy()
    np.place(p, p > 2, values)
    return p


def show(text):
    try:
        r = eval(text)
        if isinstance(r, np.ndarray):
            print(text, '->', repr(r), r.dtype, r.shape)
        else:
            print(text, '->', repr(r))
    except Exception as e:
        print(text, '->', type(e).__name__, str(e)[:100])


expressions = '''
m.ravel('K')
m.T.ravel('K')
m.T.ravel('A')
m.T.flatten('K')
m.T.flatten('A')
m.T.reshape(-1, order='A')
m.T.copy('F').flags.f_contiguous
m.T.copy('A').flags.f_contiguous
np.interp([0, 1, 2.5, 9, -3, np.nan], [1, 2, 3], [10, 20, 30])
np.interp([3, 1], [1, 2, 3], [np.inf, 20, 30])
np.interp([1.5, 2, 2.5], [1, 2, 3], [np.inf, np.inf, 30])
np.interp([370, -10, 180], [0, 360 - 90], [5, 6], period=360)
np.interp([1, 2, 3], [2], [7])
+np.array(3)
np.sqrt(4, dtype=np.int64)
np.add(1.5, 2, dtype=np.int64)
np.add(np.array([1.5]), 2, dtype=np.int64)
np.add(1, 2, dtype=np.float32)
np.arccosh(np.array([1, 2]), dtype=np.int64)
np.hypot(3, 4, dtype=int)
np.isnan(3, dtype=int)
np.equal(1, 1, dtype=int)
np.equal(1, 1, dtype=bool)
np.divide(3, 2, dtype=int)
np.bitwise_and(3, 2, dtype=float)
np.pad([1, 2], -1)
np.pad([1, 2], (1, -1))
np.pad([1, 2], 1, constant_values=(5, 6))
np.pad(m, 1, constant_values=((1, 2), (3, 4)))
np.pad(np.array([]), 1, 'edge')
np.tile([1, 2], -1)
np.eye(-1)
np.array([1, 2], np.int8).dot(3)
np.quantile([True, False], 0.5)
np.median([True, False])
np.mean(np.array([60000, 60000], np.float16))
np.broadcast_shapes((2, 1), (3,))
np.broadcast_shapes((2, 2), (3,))
np.broadcast_shapes(3, (2, 1), ())
np.ix_([[0]])
np.select([], [])
np.select([True, False], [1, 2])
np.select([1, 0], [1, 2])
np.take_along_axis(m, np.array([[0.], [1.]]), 1)
np.unravel_index(6, (2, 3))
np.unravel_index([1, 5], (2, 3), order='F')
np.unravel_index(-1, (2, 3))
np.vander([[1]])
np.fromiter([1, 2], dtype=float, count=3)
np.fromiter(iter([1, 2, 3]), dtype=float, count=2)
np.nanargmax([np.nan, np.nan])
np.nanargmin(np.array([[np.nan, 1], [np.nan, np.nan]]), axis=1)
-np.uint8(3)
-np.int8(-128)
abs(np.int8(-128))
-np.uint16(1)
placed([])
placed([7, 8])
'''
for text in expressions.strip().split('\n'):
    show(text)
f = np.array([3, 1, 2], np.float32)
expressions = '''
np.quantile(f, 0.5)
np.quantile(f, [0.25, 0.5])
np.quantile(f, np.float64(0.3))
np.quantile(f, [0, 1])
np.percentile(f, 50)
np.percentile(f, [50, 75])
np.median(f)
np.around(np.array([True, False]))
np.zeros(3, order='A')
np.asfortranarray(m).flags.f_contiguous
np.fromiter([[1], [2]], dtype=int)
np.place(m.copy(), [True], [1])
np.result_type()
np.unravel_index(3, 6, 'K')
'''
for text in expressions.strip().split('\n'):
    show(text)
