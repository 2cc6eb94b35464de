# NumPy scalars as what text formats, repeats and is compared with.
import numpy as np
print('%.2f' % np.float32(1.5), '%d' % np.int64(3), '%s' % np.float32(2.5), '%5.1f|%d' % (np.float32(1.25), np.int32(7)), b'%d' % np.int32(5))
print('ab' * np.int64(2), np.int64(2) * 'ab', [1] * np.int64(2), b'x' * np.int8(3))
try: print('a' + np.float32(1))
except TypeError as e: print(type(e).__name__)
try: print(np.float32(1) + 'a')
except TypeError: print("TypeError")
print('1' == np.int64(1), np.int64(1) == '1', 'a' < 'b')
class S(str): pass
print(S('%d') % np.int64(3), S('%s|%r') % (np.float64(2.5), np.int8(1)), '%(a).1f' % {'a': np.float32(2)})
print('%x %o %c %e %g' % (np.int64(255), np.uint8(8), np.int64(65), np.float64(1e10), np.float32(.1)))
