# List methods and behaviour.
xs = [3, 1, 2]
xs.append(4)
xs.extend((5, 6))
xs.insert(1, "in")
print(xs, xs.pop(), xs.pop(0), xs, xs.index("in"), xs.count(1))
xs.remove("in")
xs.reverse()
print(xs, xs.copy() is xs, xs + [0], xs * 2, [0] * 3, [] + [], len(xs))
ys = xs
ys += [9]
ys *= 1
print(xs, ys is xs, xs == [5, 4, 2, 1, 9], xs < [5, 4, 3], [1, 2] < [1, 2, 0])
grid = [[0] * 3] * 2
grid[0][0] = 1
print(grid)
grid = [[0] * 3 for _ in range(2)]
grid[0][0] = 1
print(grid)
for bad in (lambda: [].pop(), lambda: [1].remove(2), lambda: [1].index(2), lambda: [1] + (2,), lambda: [1][1]):
    try:
        bad()
    except (IndexError, ValueError, TypeError) as e:
        print(type(e).__name__, e)
xs.clear()
print(xs, bool(xs), list("abc"), list(range(3)), list({"a": 1}), list(zip([1, 2], [3, 4])))
nested = [1, [2, [3]]]
shallow = nested[:]
nested[1][1].append(4)
print(shallow, nested == shallow)
cyclic = [1]
cyclic.append(cyclic)
print(cyclic, repr({"self": cyclic}))
t = (1, [2], "c")
t[1].append(3)
print(t, t.count(1), t.index("c"), t + (4,), t * 2, (1,), (), tuple("ab"), hash((1, 2)) == hash((1, 2)))
try:
    t[0] = 5
except TypeError as e:
    print(e)
try:
    t[1] += [9]
except TypeError as e:
    print(e, t)
stack, queue = [1, 2, 3], [1, 2, 3]
print(stack.pop(), queue.pop(0), stack, queue, sum([[1], [2]], []), any([0, 1]), all([1, 0]))
