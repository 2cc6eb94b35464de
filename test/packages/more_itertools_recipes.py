# needs: more_itertools
import more_itertools as mi

print(list(mi.chunked(range(7), 3)), list(mi.windowed([1, 2, 3, 4], 2)), mi.first([], 5), list(mi.divide(2, range(5))[0]))
print(list(mi.flatten([[1], [2, 3]])), list(mi.unique_everseen("AbBa", str.lower)), list(mi.partition(lambda v: v > 2, range(5))[0]))
p = mi.peekable(range(4))
print(p.peek(), list(p), mi.ilen("abc"), list(mi.interleave_longest([1, 2], [3])), list(mi.sliding_window(range(5), 3)))
b = mi.bucket(range(10), key=lambda v: v % 3)
print(sorted(b), list(b[1]), list(mi.split_at("abcdc", lambda c: c == "c")), list(mi.collapse([1, [2, [3]]])))
print(list(mi.distinct_permutations([1, 1, 2])), mi.one([3]), list(mi.consecutive_groups([1, 2, 4]).__class__.__mro__)[-1:])
s = mi.seekable(iter("abcd"))
next(s), next(s)
s.seek(0)
print(list(s), mi.numeric_range(0, 1, 0.25), list(mi.numeric_range(0, 1, 0.25)), list(mi.set_partitions([1, 2, 3], 2)))
try:
    mi.one([1, 2])
except ValueError as e:
    print(e)
